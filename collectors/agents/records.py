"""What a log says, before it is events: requests to an LLM, sessions, and amounts that the agent printed.

Plain structs and not contracts: a gigabyte of logs holds a hundred thousand of them. `collectors/agents/batch.py` turns
them into events, and a test holds every one of those against its contract.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated

import msgspec

from models.identity import digest, encode
from models.vocabulary import ClientPrice, Completeness, TurnStatus

Key = tuple[str | int, ...]

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A count as a log must print it; a line with another number is not understood."""


class Turn(msgspec.Struct, kw_only=True):
    """One request to an LLM, as the lines of one file tell it. Times are µs since 1970 UTC, durations ms."""

    session: str
    """The session whose run it belongs to; a sub-agent's is its parent's."""
    key: Key | None = None
    """What names the request within its agent: ("response", id), else the agent's own; None: session and offset."""
    at_us: int | None = None
    """The time of its latest record; None where the log has none."""
    offset: int = 0
    """Where its latest record begins, in bytes; a row number where there are no bytes."""
    session_id: str | None = None
    """The log's own id of the session or thread that it stands in."""
    agent: str | None = None
    """The kind of sub-agent, where the log says one."""
    sub_agent_id: str | None = None
    llm_asked: str | None = None
    llm_answered: str | None = None
    provider_asked: str | None = None
    provider_answered: str | None = None
    service_tier: str | None = None
    status: TurnStatus = "completed"
    error_code: str | None = None
    """HTTP status or the agent's own short code, such as `429` or `ECONNRESET`; never a message."""
    retry_number: int | None = None
    ttft_ms: float | None = None
    duration_ms: float | None = None
    stop_reason: str | None = None
    tool_call_ids: tuple[str, ...] = ()
    tool_names: tuple[str, ...] = ()
    request_id: str | None = None
    message_id: str | None = None
    response_id: str | None = None
    attempt: Key | None = None
    """The key of the `unanswered` or `failed` turn that this reply answers, where requests have names of their own."""
    harness_version: str | None = None
    bad_utf8_bytes: int | None = None
    usage_format: str | None = None
    raw_counts: dict[str, int] | None = None
    """Counts as the log names them; None where it has no usage for this request."""
    completeness: Completeness = "complete"
    incomplete_reason: str | None = None
    cost_usd: Decimal | None = None
    """What the agent says that it cost; its own estimate."""


class Session(msgspec.Struct, kw_only=True):
    """A session as its first record tells it. Everything else about it comes from its turns."""

    session: str
    at_us: int | None = None
    offset: int = 0
    project: str | None = None
    """The last part of the folder that the agent worked in."""
    parent_session: str | None = None
    """The session that this one was forked from."""


class SessionCost(msgspec.Struct, kw_only=True):
    """What the agent printed as the cost of a whole session so far."""

    session: str
    amount: Decimal
    currency: str = "USD"
    at_us: int | None = None
    offset: int = 0
    revision: int | None = None
    """Grows with every later amount for the same session; the highest counts."""
    client_price: ClientPrice | None = None
    """`foreign`: priced as another LLM than the one that answered."""


class Flag(msgspec.Struct, kw_only=True):
    """Something about a session that should not be: a short word, and what of it, without any text of the log."""

    session: str
    flag: str
    detail: str | None = None
    at_us: int | None = None
    offset: int = 0


Record = Turn | Session | SessionCost | Flag


def session_run_id(agent: str, session: str) -> str:
    """The run of an agent's session: 32 hex digits."""
    return digest("session", agent, session)[:32]


def turn_ids(agent: str, keys: Iterable[Key | None]) -> list[str | None]:
    """The ids of requests, which no run is part of: a fork copies turns. 32 hex digits each; None for no key."""
    begin, sha256 = encode("turn") + encode(agent), hashlib.sha256
    texts = (None if key is None else begin + _spelled(key) for key in keys)
    return [text and sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32] for text in texts]


def _spelled(key: Key) -> str:
    """As `encode` spells each part."""
    return "".join([f"s{len(part)}:{part}" if isinstance(part, str) else f"i{part}:" for part in key])

"""What one message of opencode says: a request to an LLM and its reply.

No id of the provider's is kept, and a fork copies messages under new ids, so a request is known by its content: when
it began (ms), the LLM, and what it used. Both stores have these, and a fork keeps them. Two requests would have to
begin in one millisecond, at one LLM, and use the same count of every kind, to be taken for one; within a session they
follow each other. (When a request ended is no part of it: that is written only after its tools have run.)
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import PureWindowsPath

import msgspec

from collectors.agents.numbers import EpochMs, Usd
from collectors.agents.records import Count, Flag, Key, Session, Turn
from collectors.agents.times import milliseconds_between
from models.vocabulary import TurnStatus

KEEPS_WRITES = frozenset({"amazon-bedrock", "anthropic", "google-vertex-anthropic"})
"""opencode's own ids of the providers whose APIs tell cache writes apart: a 0 of theirs is one."""
THOUGHTS_BESIDE = ("google", "gemini")
"""Providers whose output never included reasoning."""
ABORTED = "MessageAbortedError"


class Cache(msgspec.Struct, frozen=True, gc=False):
    read: Count = 0
    write: Count = 0


class Tokens(msgspec.Struct, gc=False):
    input: Count
    output: Count
    reasoning: Count = 0
    cache: Cache = Cache()
    total: Count | None = None


class Time(msgspec.Struct, frozen=True, gc=False):
    created: EpochMs | None = None
    completed: EpochMs | None = None


class ErrorData(msgspec.Struct, gc=False):
    statusCode: int | None = None  # noqa: N815


class Error(msgspec.Struct, gc=False):
    name: str | None = None
    data: ErrorData | None = None


class Message(msgspec.Struct, gc=False):
    """An assistant's message."""

    tokens: Tokens
    modelID: str | None = None  # noqa: N815
    providerID: str | None = None  # noqa: N815
    agent: str | None = None
    mode: str | None = None
    """The agent, before it was called that."""
    finish: str | None = None
    cost: Usd | None = None
    time: Time = Time()
    error: Error | None = None


class SessionInfo(msgspec.Struct, gc=False):
    """A session as either store describes it."""

    parentID: str | None = None  # noqa: N815
    directory: str | None = None
    version: str | None = None
    time: Time = Time()


@dataclass(frozen=True)
class Place:
    """Where a message stands."""

    message: str
    session: str
    root: str
    """The session at the top of the chain of parents."""
    version: str | None = None
    tools: tuple[tuple[str, str], ...] = ()
    """Ids and names of the tool calls in it; all of them once the reply has ended."""


def turn_of(message: Message, place: Place) -> Turn:
    """The request that a message tells of. Its offset is its time, which is the same in every copy."""
    counts = _counts(message.tokens)
    is_used = any(counts.values())
    status = _status(message, is_used=is_used)
    created_us = message.time.created * 1000 if message.time.created is not None else None
    is_sub = place.session != place.root
    tools = place.tools if status == "completed" else ()
    return Turn(
        session=place.root,
        key=_key(message, place, counts, status),
        at_us=created_us,
        offset=message.time.created or 0,
        session_id=place.session,
        agent=(message.agent or message.mode) if is_sub else None,
        sub_agent_id=place.session if is_sub else None,
        llm_asked=message.modelID,
        provider_asked=message.providerID,
        status=status,
        error_code=_error_code(message.error) if status != "completed" else None,
        duration_ms=_duration_ms(message.finish, message.time),
        stop_reason=message.finish,
        tool_call_ids=tuple(call for call, _ in tools),
        tool_names=tuple(name for _, name in tools),
        attempt=_begun(message, place) if status in ("completed", "failed") else None,
        harness_version=place.version,
        usage_format=_usage_format(message, counts),
        raw_counts=_told_counts(message, counts) if is_used else None,
        completeness="lower_bound" if status == "incomplete" else "complete",
        incomplete_reason="no final usage" if status == "incomplete" else None,
        cost_usd=Decimal(str(message.cost)) if is_used and message.cost is not None else None,
    )


def flag_of(message: Message, turn: Turn) -> Flag | None:
    """That a printed total is neither the sum with reasoning nor the one without."""
    counts = _counts(message.tokens)
    if message.tokens.total in (None, sum(counts.values()), _sum_without_reasoning(counts)):
        return None
    detail = "tokens.total is not the sum of its parts"
    return Flag(session=turn.session, flag="usage_contradicts_total", detail=detail, at_us=turn.at_us)


def session_of(info: SessionInfo, session: str) -> Session | None:
    """The session, unless it is a sub-agent's. A fork does not say whose it is."""
    if info.parentID:
        return None
    at_us = info.time.created * 1000 if info.time.created is not None else None
    return Session(session=session, at_us=at_us, project=PureWindowsPath(info.directory or "").name or None)


def _counts(tokens: Tokens) -> dict[str, int]:
    return {
        "input": tokens.input,
        "cache_read": tokens.cache.read,
        "cache_write": tokens.cache.write,
        "output": tokens.output,
        "reasoning": tokens.reasoning,
    }


def _status(message: Message, *, is_used: bool) -> TurnStatus:
    """Usage is written when a reply has ended, with `finish`; before 2026 without it, and then the end's time tells."""
    is_ended = message.finish is not None or message.time.completed is not None
    if message.error and not message.finish:
        if is_used:
            return "incomplete"
        return "unanswered" if message.error.name == ABORTED else "failed"
    if is_ended:
        return "completed"
    return "incomplete" if is_used else "unanswered"


def _key(message: Message, place: Place, counts: dict[str, int], status: TurnStatus) -> Key:
    begun = _begun(message, place)
    if status == "completed":
        return ("reply", *begun[1:], *counts.values())
    return ("failed", *begun[1:]) if status == "failed" else begun


def _begun(message: Message, place: Place) -> Key:
    """What a request is called as long as nothing is known of its end."""
    if message.time.created is None:
        return ("begun", place.message)
    return ("begun", message.time.created, message.providerID or "", message.modelID or "")


def _error_code(error: Error | None) -> str | None:
    if error is None:
        return None
    return str(error.data.statusCode) if error.data and error.data.statusCode else error.name


def _duration_ms(finish: str | None, time: Time) -> float | None:
    """From begin to end, unless tools ran in between: a message ends when they have."""
    if finish in (None, "tool-calls"):
        return None
    return milliseconds_between(
        time.created * 1000 if time.created is not None else None,
        time.completed * 1000 if time.completed is not None else None,
    )


def _usage_format(message: Message, counts: dict[str, int]) -> str:
    if _is_reasoning_in_output(message, counts):
        return "opencode.reasoning-in-output"
    if message.tokens.cache.write or message.providerID in KEEPS_WRITES:
        return "opencode"
    return "opencode.writes-in-input"


def _is_reasoning_in_output(message: Message, counts: dict[str, int]) -> bool:
    """The printed total tells. Before totals were printed, output was as the provider gave it, reasoning inside."""
    reasoning, output, total = counts["reasoning"], counts["output"], message.tokens.total
    if not reasoning:
        return False
    if total is not None:
        return total == _sum_without_reasoning(counts)
    return reasoning <= output and not (message.providerID or "").startswith(THOUGHTS_BESIDE)


def _sum_without_reasoning(counts: dict[str, int]) -> int:
    return sum(counts.values()) - counts["reasoning"]


def _told_counts(message: Message, counts: dict[str, int]) -> dict[str, int]:
    """The counts that are known, and the printed total."""
    if _usage_format(message, counts) == "opencode.writes-in-input":
        counts = {kind: count for kind, count in counts.items() if kind != "cache_write"}
    total = message.tokens.total
    return counts if total is None else counts | {"total": total}

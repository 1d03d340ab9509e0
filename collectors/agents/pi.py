"""pi session files: `sessions/--<folder>--/<time>_<id>.jsonl`, of 0.7x and of 1.x.

One line per entry; an assistant message holds the usage of its request. A fork copies lines with their ids into a new
file. 1.x also prints the usage of summaries, of tools that ask an LLM themselves, and of one-hour cache writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path, PureWindowsPath
from typing import Annotated, Any

import msgspec

from collectors.agents import Place, State
from collectors.agents.records import Count, Flag, Key, Record, Session, Turn
from collectors.agents.times import microseconds_of, milliseconds_between
from collectors.agents.turns import Turns
from models.errors import UnreadableRecord
from models.vocabulary import TurnStatus

name = "pi"
version = 1
expects = "pi session files (sessions/*/*.jsonl)"
places = (Place(".pi/agent/sessions", "PI_CODING_AGENT_DIR", "sessions"),)

_STATUSES: dict[str, TurnStatus] = {
    "error": "failed",
    "aborted": "incomplete",
    "deferred": "incomplete",
    "pending": "incomplete",
}
"""How a request ended, by its stop reason; by any other it was completed."""

_HTTP_STATUS = re.compile(r"[45]\d\d(?!\d)")
"""How the message of a refused request begins."""


class _Cost(msgspec.Struct):
    total: Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)] | None = None


# Fields are named as the log names them, in its own case: N815 is for names of ours.


class _Usage(msgspec.Struct):
    input: Count
    output: Count
    cacheRead: Count | None = None  # noqa: N815
    cacheWrite: Count | None = None  # noqa: N815
    cacheWrite1h: Count | None = None  # noqa: N815
    reasoning: Count | None = None
    totalTokens: Count | None = None  # noqa: N815
    cost: _Cost | None = None


class _Block(msgspec.Struct):
    type: str = ""
    id: str | None = None
    name: str | None = None


class _Message(msgspec.Struct, rename="camel"):
    role: str = ""
    timestamp: int | float | None = None
    """When the request was sent, in ms since 1970."""
    api: str | None = None
    provider: str | None = None
    model: str | None = None
    response_model: str | None = None
    response_id: str | None = None
    usage: _Usage | None = None
    stop_reason: str | None = None
    error_message: str | None = None
    content: list[_Block] | str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None


class _Line(msgspec.Struct, rename="camel"):
    type: str
    id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    parent_session: str | None = None
    provider: str | None = None
    model_id: str | None = None
    from_hook: bool | None = None
    usage: _Usage | None = None
    message: _Message | None = None


_decode = msgspec.json.Decoder(_Line).decode


class _At(msgspec.Struct):
    """What a session has said so far."""

    session: str | None = None
    provider: str | None = None
    llm: str | None = None
    api: str | None = None
    asked: list[Any] | None = None
    """The first input since the last reply: its key, time, offset, and the LLM and provider of then."""
    waiting: list[str] = []
    """Tool calls without a result: the next request goes out when all have one."""
    failures: int = 0
    """Requests that failed since the last one that did not."""


def reads(path: Path) -> bool:
    """Whether a file of this name could be a session."""
    return path.suffix == ".jsonl"


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return head.startswith(b'{"type":"session"') and b'"cwd":' in head


def reader(path: Path, state: State) -> SessionFile:
    """A reader of one session."""
    return SessionFile(path, state)


class SessionFile:
    """Reads one session, from where the last pass ended."""

    markers = ()

    def __init__(self, path: Path, state: State) -> None:
        self._path = path
        self._at = msgspec.convert(dict(state), _At)
        self._found: list[Record] = []
        self._turns = Turns(streamed=False)

    def line(self, raw: bytes, offset: int) -> bool:
        """Take one line; False where it told nothing. Raises UnreadableRecord for a reply without usage."""
        line = _decode(raw)
        if line.type == "message" and line.message:
            self._message(line, line.message, offset)
        elif line.type == "session":
            self._session_begun(line, offset)
        elif line.type == "model_change":
            self._at.provider, self._at.llm, self._at.api = line.provider, line.model_id, None
        elif line.type in ("compaction", "branch_summary"):
            self._summary(line, offset)
        else:
            return False
        return True

    def state(self) -> State:
        """What the next pass has to know."""
        return msgspec.to_builtins(self._at)

    def records(self) -> Iterator[Record]:
        """What the lines have told; last, the request that has no reply yet."""
        yield from self._found
        yield from self._turns
        if self._at.asked and not self._at.waiting:
            key, at_us, offset, llm, provider = self._at.asked
            turn = self._turn(tuple(key), at_us, offset, status="unanswered")
            turn.llm_asked, turn.provider_asked = llm, provider
            yield turn

    def _session_begun(self, line: _Line, offset: int) -> None:
        if self._at.session:
            return
        self._at.session = line.id or _session_in(self._path.stem)
        self._found.append(
            Session(
                session=self._at.session,
                at_us=microseconds_of(line.timestamp),
                offset=offset,
                project=(PureWindowsPath(line.cwd).name or None) if line.cwd else None,
                parent_session=_session_in(PureWindowsPath(line.parent_session).stem) if line.parent_session else None,
            )
        )

    def _message(self, line: _Line, message: _Message, offset: int) -> None:
        at = self._at
        if message.role == "assistant":
            self._reply(line, message, offset)
        elif message.role == "user":
            at.waiting, at.failures = [], 0
            self._asked(line, offset)
        elif message.role == "toolResult":
            at.waiting = [call for call in at.waiting if call != message.tool_call_id]
            if message.usage:
                self._used_by_tool(line, message, message.usage, offset)
            self._asked(line, offset)

    def _asked(self, line: _Line, offset: int) -> None:
        at = self._at
        if not at.asked:
            key = ("asked", *self._key(line, offset)[1:])
            at.asked = [key, microseconds_of(line.timestamp), offset, at.llm, at.provider]

    def _reply(self, line: _Line, message: _Message, offset: int) -> None:
        status = _STATUSES.get(message.stop_reason or "", "completed")
        if message.usage is None and status == "completed":
            raise UnreadableRecord(self._path, "a reply without `usage`", offset)
        at, asked = self._at, self._at.asked
        at.provider, at.llm, at.api = message.provider, message.model, message.api
        key = ("response", message.response_id) if message.response_id else self._key(line, offset)
        turn = self._turn(key, microseconds_of(line.timestamp), offset, status=status)
        _count(turn, message.usage, message.api)
        calls = [block for block in _blocks(message) if block.type == "toolCall"]
        turn.llm_answered = message.response_model or (message.model if status == "completed" else None)
        turn.message_id, turn.response_id = line.id, message.response_id
        turn.stop_reason, turn.error_code = message.stop_reason, _error_code(message)
        turn.retry_number = at.failures
        turn.duration_ms = milliseconds_between(_us(message.timestamp), turn.at_us)
        turn.tool_call_ids = tuple(call.id for call in calls if call.id)
        turn.tool_names = tuple(call.name for call in calls if call.name)
        turn.attempt = tuple(asked[0]) if asked else None
        at.asked, at.waiting = None, list(turn.tool_call_ids) if status == "completed" else []
        at.failures = at.failures + 1 if status == "failed" else 0
        self._add(turn)

    def _used_by_tool(self, line: _Line, message: _Message, usage: _Usage, offset: int) -> None:
        """A tool that asks an LLM itself, such as a sub-agent; how often and which one is not said."""
        turn = self._turn(self._key(line, offset), microseconds_of(line.timestamp), offset)
        turn.llm_asked = turn.provider_asked = None
        turn.agent, turn.sub_agent_id = message.tool_name, message.tool_call_id
        _count(turn, usage, None)
        self._add(turn)

    def _summary(self, line: _Line, offset: int) -> None:
        """A compaction, or what is left of a branch, is written by the LLM, unless an extension wrote it; 0.7x does not
        say what that used."""
        if not line.usage and line.from_hook:
            return
        turn = self._turn(self._key(line, offset), microseconds_of(line.timestamp), offset)
        if line.usage:
            _count(turn, line.usage, self._at.api)
        else:
            turn.status, turn.completeness = "incomplete", "lower_bound"
            turn.incomplete_reason = "a summary without usage"
        self._add(turn)

    def _add(self, turn: Turn) -> None:
        counts = turn.raw_counts or {}
        if counts.get("totalTokens") not in (None, sum(counts.get(kind, 0) for kind in _SUMMED)):
            detail = "usage.totalTokens is not the sum of its parts"
            self._found.append(
                Flag(session=self._session, flag="usage_contradicts_total", detail=detail, at_us=turn.at_us)
            )
        self._turns.add(turn)

    def _key(self, line: _Line, offset: int) -> Key:
        """An entry's id has 32 bits, so its time is named too; a fork keeps both. The oldest sessions have no ids."""
        return ("line", line.id, line.timestamp or "") if line.id else ("at", self._session, offset)

    @property
    def _session(self) -> str:
        return self._at.session or _session_in(self._path.stem)

    def _turn(self, key: Key, at_us: int | None, offset: int, *, status: TurnStatus = "completed") -> Turn:
        return Turn(
            session=self._session,
            key=key,
            at_us=at_us,
            offset=offset,
            session_id=self._session,
            llm_asked=self._at.llm,
            provider_asked=self._at.provider,
            status=status,
            usage_format="pi",
        )


def _session_in(stem: str) -> str:
    """The session in the name of its file: `<time>_<id>`."""
    return stem.rpartition("_")[2]


def _blocks(message: _Message) -> list[_Block]:
    return message.content if isinstance(message.content, list) else []


def _us(milliseconds: float | None) -> int | None:
    return None if milliseconds is None else int(milliseconds * 1000)


def _error_code(message: _Message) -> str | None:
    found = _HTTP_STATUS.match(message.error_message or "")
    return found[0] if found else None


def _count(turn: Turn, usage: _Usage | None, api: str | None) -> None:
    """What a request used. Nothing but zeros is what pi prints where it was told nothing."""
    counts = _counts(usage) if usage else {}
    if not usage or not any(counts.values()):
        turn.completeness, turn.incomplete_reason = "lower_bound", "no usage"
        return
    turn.usage_format = _usage_format(usage, api or "")
    if turn.usage_format == "pi.writes-in-input":
        counts.pop("cacheWrite", None)
    turn.raw_counts = counts
    turn.cost_usd = Decimal(str(usage.cost.total)) if usage.cost and usage.cost.total is not None else None
    if turn.status != "completed":
        turn.completeness, turn.incomplete_reason = "lower_bound", "the reply broke off"


def _counts(usage: _Usage) -> dict[str, int]:
    return {kind: count for kind in _COUNTED if (count := getattr(usage, kind)) is not None}


_SUMMED = ("input", "output", "cacheRead", "cacheWrite")
_COUNTED = tuple(kind for kind in _Usage.__struct_fields__ if kind != "cost")


def _usage_format(usage: _Usage, api: str) -> str:
    """What the classes mean, by the API: 0.7x took writes out of the reads of Chat Completions, and no version is
    logged; the Responses API counts writes as input unless they are told."""
    if usage.cacheWrite1h is not None:
        return "pi.writes-by-ttl"
    if api == "openai-completions" and usage.cacheWrite:
        return "pi.reads-in-input"
    return "pi.writes-in-input" if api.endswith("-responses") and not usage.cacheWrite else "pi"

"""Claude Code transcripts: `projects/<folder>/<session>.jsonl`, a sub-agent's in `<session>/subagents/`.

One line per content block, each with the usage of the whole reply, which grows while it streams: a request is a
`message.id`. A fork copies lines under a new session. Each attempt writes an `api-request` line (since 2.1), which a
reply names; one that no reply names was refused, broke, or was in flight when the log ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from collectors.agents import Place, State
from collectors.agents.records import Count, Flag, Key, Record, Session, SessionCost, Turn
from collectors.agents.times import microseconds_of, milliseconds_between

name = "claude-code"
version = 1
expects = "Claude Code transcripts (projects/*/*.jsonl)"
places = (Place(".claude/projects", "CLAUDE_CONFIG_DIR", "projects"), Place(".config/claude/projects"))

SYNTHETIC = "<synthetic>"
"""The model of a line that Claude Code wrote itself, in place of a reply."""
_REPEATED = (b'{"type":"api-request-blob"', b'{"type":"api-request-shape"')
"""Lines that hold a prompt again, and nothing else."""
_REPLY_TYPES = ("assistant", "")
REQUESTS_REMEMBERED = 8
"""Of attempts without a reply, carried to the next pass: a session has one or two at a time."""


class _ByTtl(msgspec.Struct, gc=False):
    ephemeral_5m_input_tokens: Count | None = None
    ephemeral_1h_input_tokens: Count | None = None


class _Thinking(msgspec.Struct, gc=False):
    thinking_tokens: Count | None = None


class _Searches(msgspec.Struct, gc=False):
    web_search_requests: Count | None = None
    web_fetch_requests: Count | None = None


class _Usage(msgspec.Struct, gc=False):
    """Fields of all structs stand in the order of the file, in which they are found quicker."""

    input_tokens: Count
    output_tokens: Count
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    output_tokens_details: _Thinking | None = None
    server_tool_use: _Searches | None = None
    service_tier: str | None = None
    cache_creation: _ByTtl | None = None
    iterations: list[_Usage] | None = None


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    id: str | None = None
    name: str | None = None


class _Message(msgspec.Struct, gc=False):
    id: str | None = None
    model: str | None = None
    content: list[_Block] | str | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None


class _Connection(msgspec.Struct, gc=False):
    code: str | None = None


class _ApiError(msgspec.Struct, gc=False):
    status: int | None = None
    connection: _Connection | None = None


class _Params(msgspec.Struct, gc=False):
    model: str | None = None


# Fields are named as the log names them, in its own case: N815 is for names of ours.


class _ModelUse(msgspec.Struct, gc=False):
    costBasis: str | None = None  # noqa: N815


class _Line(msgspec.Struct, gc=False):
    isSidechain: bool | None = None  # noqa: N815
    agentId: str | None = None  # noqa: N815
    message: _Message | None = None
    requestId: str | None = None  # noqa: N815
    requestRef: str | None = None  # noqa: N815
    requestedModel: str | None = None  # noqa: N815
    type: str = ""
    subtype: str = ""
    uuid: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    sessionId: str | None = None  # noqa: N815
    version: str | None = None
    costUSD: Decimal | None = None  # noqa: N815
    isApiErrorMessage: bool | None = None  # noqa: N815
    apiErrorStatus: int | None = None  # noqa: N815
    id: str | None = None
    params: _Params | None = None
    error: _ApiError | str | None = None
    totalCostUSD: Decimal | None = None  # noqa: N815
    hasUnknownModelCost: bool | None = None  # noqa: N815
    modelUsage: dict[str, _ModelUse] | None = None  # noqa: N815


_decode = msgspec.json.Decoder(_Line).decode


def reads(path: Path) -> bool:
    """Whether a file of this name could be a transcript."""
    return path.suffix == ".jsonl" and path.name != "history.jsonl"


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return b'"sessionId":' in head and (b'"uuid":' in head or b'"type":"' in head)


def reader(path: Path, state: State) -> Transcript:
    """A reader of one transcript."""
    return Transcript(path, state)


class _Reply(msgspec.Struct, gc=False):
    """One request as its lines tell it so far."""

    key: Key
    line: _Line
    """The latest."""
    offset: int
    usage: _Usage
    """The latest line's."""
    retry_number: int
    counts: dict[str, int] | None = None
    """The largest of every count, where the lines' counts differ."""
    asked_at_us: int | None = None
    is_final: bool = False
    is_sub: bool = True
    tools: list[_Block] = []


class _Asked(msgspec.Struct, gc=False):
    """An attempt that has no reply yet."""

    at_us: int | None
    offset: int
    llm: str | None
    is_told: bool = False
    """Whether an earlier pass has told of it."""
    retry_number: int = 0


class Transcript:
    """Reads one transcript, from where the last pass ended."""

    markers = (b'"output_tokens":', b'"type":"api-request"', b'"subtype":"api_error"', b'"cost-state"')

    def __init__(self, path: Path, state: State) -> None:
        self._stem = path.stem
        self._run, self._sub_agent = _whose(path)
        self._agent_type = _agent_type(path) if self._sub_agent else None
        self.is_opening: bool = state.get("is_opening", self._sub_agent is None)
        self._opened_at: list[int] | None = state.get("opened_at")
        self._retries: int = state.get("retries", 0)
        self._asked = {ref: _Asked(*asked, is_told=True) for ref, asked in state.get("asked", {}).items()}
        self._answered: list[Any] = state.get("answered", ["", None])
        self._replies: dict[str, _Reply] = {}
        self._found: list[Record] = []

    def line(self, raw: bytes, offset: int) -> bool:
        """Take one line; False where it told nothing."""
        if raw.startswith(_REPEATED):
            return False
        line = _decode(raw)
        if self.is_opening:
            self._open(line, offset)
        message = line.message
        if message is not None and message.usage is not None and line.type in _REPLY_TYPES:
            self._reply(line, message, message.usage, offset)
        elif line.type == "api-request" and line.id:
            self._asked[line.id] = _Asked(
                microseconds_of(line.timestamp), offset, line.params and line.params.model, retry_number=self._retries
            )
        elif line.subtype == "api_error":
            self._failed(line, offset)
        elif line.type == "cost-state" and line.totalCostUSD is not None:
            self._cost(line, line.totalCostUSD, offset)
        else:
            return False
        return True

    def state(self) -> State:
        """What the next pass has to know."""
        asked = list(self._asked.items())[-REQUESTS_REMEMBERED:]
        return {
            "is_opening": self.is_opening,
            "opened_at": self._opened_at,
            "retries": self._retries,
            "asked": {ref: [one.at_us, one.offset, one.llm] for ref, one in asked},
            "answered": self._answered,
        }

    def records(self) -> Iterator[Record]:
        """What the lines have told."""
        yield from self._found
        yield from map(self._turn, self._replies.values())
        for ref, asked in self._asked.items():
            if not asked.is_told:
                yield Turn(
                    session=self._session(None),
                    key=("request", ref),
                    at_us=asked.at_us,
                    offset=asked.offset,
                    session_id=self._stem,
                    agent=self._agent_type,
                    sub_agent_id=self._sub_agent,
                    llm_asked=asked.llm,
                    status="unanswered",
                    retry_number=asked.retry_number,
                    usage_format="claude_code",
                )

    def _session(self, line: _Line | None) -> str:
        """The run's session: what the file's place says, else the line."""
        return self._run or (line.sessionId if line and line.sessionId else self._stem)

    def _open(self, line: _Line, offset: int) -> None:
        """The session begins with its first stamped record; its folder is named by the first record that has one."""
        at_us = microseconds_of(line.timestamp)
        if self._opened_at is None and at_us is not None:
            self._opened_at = [at_us, offset]
        is_begun = line.message is not None and line.message.usage is not None
        if not (line.cwd and self._opened_at) and not is_begun:
            return
        begun_at, begun_offset = self._opened_at or (None, offset)
        project = Path(line.cwd).name if line.cwd else None
        self._found.append(
            Session(session=self._session(line), at_us=begun_at, offset=begun_offset, project=project or None)
        )
        self.is_opening = False

    def _reply(self, line: _Line, message: _Message, usage: _Usage, offset: int) -> None:
        known = self._replies.get(message.id or "")
        if known is None:
            if message.model == SYNTHETIC:
                self._gave_up(line, usage, offset)
                return
            key = _key(line, message, self._session(line), offset)
            known = self._replies.setdefault(message.id or str(key), _Reply(key, line, offset, usage, self._retries))
            if known.line is line:
                self._retries = 0
                known.asked_at_us = self._asked_at(line)
        if known.line is not line:
            _grow(known, line, usage, offset)
        known.is_final = known.is_final or message.stop_reason is not None
        known.is_sub = known.is_sub and line.isSidechain is True
        if type(message.content) is list:
            for block in message.content:
                if block.type == "tool_use" and block.id:
                    known.tools.append(block)

    def _asked_at(self, line: _Line) -> int | None:
        """When the request of a reply was sent; it is remembered for those of its lines that the next pass reads."""
        asked = self._asked.pop(line.requestRef or "", None)
        if asked:
            self._answered = [line.requestRef, asked.at_us]
        return self._answered[1] if self._answered[0] == line.requestRef else None

    def _gave_up(self, line: _Line, usage: _Usage, offset: int) -> None:
        """A line of its own in place of a reply: nothing was used, whatever was asked."""
        if any(_counts(usage).values()):
            found = Flag(session=self._session(line), flag="tokens_without_llm", at_us=microseconds_of(line.timestamp))
            found.detail, found.offset = "a synthetic line counts tokens", offset
            self._found.append(found)
        if line.isApiErrorMessage:
            self._failed(line, offset)

    def _failed(self, line: _Line, offset: int) -> None:
        """An attempt that the provider refused or broke: the last one that was asked and not answered."""
        ref, asked = self._asked.popitem() if self._asked else (None, None)
        self._found.append(
            Turn(
                session=self._session(line),
                key=("request", ref) if ref else ("error", line.uuid or f"{self._session(line)} {offset}"),
                at_us=microseconds_of(line.timestamp),
                offset=offset,
                session_id=self._stem,
                agent=self._agent_type,
                sub_agent_id=self._sub_agent or (line.agentId or "sidechain" if line.isSidechain else None),
                llm_asked=asked.llm if asked else None,
                status="failed",
                error_code=_error_code(line),
                retry_number=asked.retry_number if asked else self._retries,
                duration_ms=milliseconds_between(asked and asked.at_us, microseconds_of(line.timestamp)),
                harness_version=line.version,
                usage_format="claude_code",
            )
        )
        self._retries += 1

    def _cost(self, line: _Line, amount: Decimal, offset: int) -> None:
        used = line.modelUsage or {}
        is_foreign = bool(line.hasUnknownModelCost) or any(
            use.costBasis == "unknown" or not llm.startswith("claude") for llm, use in used.items()
        )
        self._found.append(
            SessionCost(
                session=self._session(line),
                amount=amount,
                offset=offset,
                revision=offset,
                client_price="foreign" if is_foreign else "own",
            )
        )

    def _turn(self, reply: _Reply) -> Turn:
        line, message, counts = reply.line, reply.line.message, reply.counts or _counts(reply.usage)
        assert message is not None
        if line.requestId is None and counts.get("thinking_tokens") == 0:
            del counts["thinking_tokens"]  # a gateway that translates loses them, and says 0
        is_split, is_final, at_us = _is_split(counts), reply.is_final, microseconds_of(line.timestamp)
        return Turn(
            session=self._session(line),
            key=reply.key,
            at_us=at_us,
            offset=reply.offset,
            session_id=self._stem,
            agent=self._agent_type,
            sub_agent_id=self._sub_agent or (line.agentId or "sidechain" if reply.is_sub else None),
            llm_asked=line.requestedModel,
            llm_answered=message.model,
            service_tier=reply.usage.service_tier,
            status="completed" if is_final else "incomplete",
            retry_number=reply.retry_number,
            duration_ms=milliseconds_between(reply.asked_at_us, at_us),
            stop_reason=message.stop_reason,
            tool_call_ids=tuple([block.id or "" for block in reply.tools]),
            tool_names=tuple([block.name for block in reply.tools if block.name]),
            request_id=line.requestId,
            message_id=message.id,
            response_id=message.id,
            attempt=("request", line.requestRef) if line.requestRef else None,
            harness_version=line.version,
            usage_format="claude_code" if is_split else "claude_code.writes-unsplit",
            raw_counts=counts if is_split else _unsplit(counts),
            completeness="complete" if is_final else "lower_bound",
            incomplete_reason=None if is_final else "no final usage",
            cost_usd=line.costUSD,
        )


def _whose(path: Path) -> tuple[str | None, str | None]:
    """The session that a file belongs to, and its sub-agent: what its place says, where it says it."""
    parts, stem = path.parts, path.stem
    if "subagents" in parts:
        return parts[parts.index("subagents") - 1], stem.removeprefix("agent-")
    if stem.startswith("agent-"):
        return None, stem.removeprefix("agent-")
    return stem, None


class _Meta(msgspec.Struct, gc=False):
    agentType: str | None = None  # noqa: N815


def _agent_type(path: Path) -> str | None:
    """The kind of a sub-agent, from the file that Claude Code writes beside its transcript."""
    try:
        return msgspec.json.decode(path.with_suffix(".meta.json").read_bytes(), type=_Meta).agentType
    except (OSError, msgspec.DecodeError):
        return None


def _key(line: _Line, message: _Message, session: str, offset: int) -> Key:
    if message.id:
        return ("response", message.id)
    if line.requestId:
        return ("request_id", line.requestId)
    return ("line", line.uuid) if line.uuid else ("at", session, offset)


def _grow(known: _Reply, line: _Line, usage: _Usage, offset: int) -> None:
    """One more line of the same reply: the largest of every number, and of the rest the latest."""
    if usage != known.usage:
        counts, before = _counts(usage), known.counts or _counts(known.usage)
        known.counts = {kind: max(counts.get(kind, 0), before.get(kind, 0)) for kind in before | counts}
    if _is_later(line.timestamp, known.line.timestamp):
        known.line, known.offset, known.usage = line, offset, usage


def _is_later(text: str | None, other: str | None) -> bool:
    """Whether a line is at least as late as the one before it."""
    if text is None or other is None or len(text) == len(other):
        return (text or "") >= (other or "")
    return (microseconds_of(text) or 0) >= (microseconds_of(other) or 0)


def _counts(usage: _Usage) -> dict[str, int]:
    """A reply's counts as it names them. Where a reply took several calls (a compaction), they are summed."""
    if usage.iterations:
        found: dict[str, int] = {}
        for each in map(_counts, usage.iterations):
            found = {kind: found.get(kind, 0) + each.get(kind, 0) for kind in found | each}
        return found
    counts = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    if usage.cache_read_input_tokens is not None:
        counts["cache_read_input_tokens"] = usage.cache_read_input_tokens
    if usage.cache_creation_input_tokens is not None:
        counts["cache_creation_input_tokens"] = usage.cache_creation_input_tokens
    for details in (usage.cache_creation, usage.output_tokens_details, usage.server_tool_use):
        if details is not None:
            for kind in details.__struct_fields__:
                count = getattr(details, kind)
                if count is not None:
                    counts[kind] = count
    return counts


_SPLIT = ("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")


def _is_split(counts: dict[str, int]) -> bool:
    """Whether cache writes are told by time to live; a split of zeros beside writes is none."""
    return not counts.get("cache_creation_input_tokens") or any(counts.get(kind) for kind in _SPLIT)


def _unsplit(counts: dict[str, int]) -> dict[str, int]:
    return {kind: count for kind, count in counts.items() if kind not in _SPLIT}


def _error_code(line: _Line) -> str | None:
    if line.apiErrorStatus:
        return str(line.apiErrorStatus)
    if not isinstance(line.error, _ApiError):
        return None
    if line.error.status:
        return str(line.error.status)
    return line.error.connection.code if line.error.connection else None

"""Codex CLI rollouts: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, one a thread; a sub-agent has its own.

Since 0.16x each response leaves a `token_usage_record` with its id. Older ones leave only `token_count`, a counter over
the thread: it repeats, restarts, is missing after a kill and begins at the parent's in a fork, so it is the growth that
counts, and only what no record explains. A fork may replay its parent's lines with new times; a counter's turn is
therefore named by the counts and by the first thread of the family.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from collectors.agents import Place, State
from collectors.agents.records import Count, Key, Record, Session, Turn
from collectors.agents.times import microseconds_of, milliseconds_between

name = "codex"
version = 1
expects = "Codex rollouts (sessions/YYYY/MM/DD/rollout-*.jsonl)"
places = (
    Place(".codex/sessions", "CODEX_HOME", "sessions"),
    Place(".codex/archived_sessions", "CODEX_HOME", "archived_sessions"),
)

_HEAD = re.compile(
    rb'\{"timestamp":"([^"\\]*)",(?:"ordinal":\d+,)?"type":"\w+","payload":\{"type":"(\w+)"(?:,"id":"[^"\\]*")?'
    rb'(?:,"call_id":"([^"\\]*)")?'
)
"""How a line begins, as Codex writes it: its time, its payload's type, and the call that it answers."""

_SILENT = frozenset(
    {b"item_completed", b"reasoning", b"agent_message", b"agent_reasoning", b"user_message", b"thread_settings_applied"}
)
"""Payloads that say nothing of a request; most of a rollout's bytes."""


class _Usage(msgspec.Struct, gc=False):
    input_tokens: Count = 0
    cached_input_tokens: Count = 0
    output_tokens: Count = 0
    cache_write_input_tokens: Count | None = None
    reasoning_output_tokens: Count | None = None
    total_tokens: Count | None = None


class _Info(msgspec.Struct, gc=False):
    total_token_usage: _Usage | None = None
    last_token_usage: _Usage | None = None


class _Payload(msgspec.Struct, gc=False):
    type: str = ""
    id: str | None = None
    session_id: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    cwd: str | None = None
    cli_version: str | None = None
    model_provider: str | None = None
    source: Any = None
    agent_role: str | None = None
    agent_nickname: str | None = None
    model: str | None = None
    response_id: str | None = None
    usage: _Usage | None = None
    info: _Info | None = None
    role: str | None = None
    name: str | None = None
    call_id: str | None = None
    compaction_response_id: str | None = None
    error: Any = None


class _Line(msgspec.Struct, gc=False):
    type: str
    payload: _Payload
    timestamp: str | None = None


_decode = msgspec.json.Decoder(_Line).decode


class _Thread(msgspec.Struct):
    """What a rollout has said so far."""

    thread: str | None = None
    session: str | None = None
    family: str | None = None
    sub_agent: str | None = None
    agent: str | None = None
    cli_version: str | None = None
    provider: str | None = None
    llm: str | None = None
    counted: list[int] | None = None
    """The counter as it stood: input, cached, cache writes, output."""
    explained: list[int] = msgspec.field(default_factory=lambda: [0, 0, 0, 0])
    """What records have told since the counter last moved."""
    restarts: int = 0
    calls: list[list[str]] = []
    """Tool calls since the last response: id and name."""
    waiting: list[str] = []
    """Those of them, or of the response before, that have no result yet."""
    asked_offset: int | None = None
    """Where the first input since the last response begins."""
    asked_at: str | None = None
    """When the last input was written: the request goes out right after it."""


def reads(path: Path) -> bool:
    """Whether a file of this name could be a rollout."""
    return path.name.startswith("rollout-") and path.suffix == ".jsonl"


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return b'"session_meta"' in head or b'"payload"' in head


def reader(path: Path, state: State) -> Rollout:
    """A reader of one rollout."""
    return Rollout(path, state)


class Rollout:
    """Reads one rollout, from where the last pass ended."""

    markers = ()

    def __init__(self, path: Path, state: State) -> None:
        self._stem = path.stem
        self._at = msgspec.convert(dict(state), _Thread) if state else _Thread()
        self._found: list[Record] = []

    def skips(self, data: bytes | bytearray, at: int, offset: int) -> bool:
        """Whether the beginning of a line says enough: most of a rollout's bytes are never copied."""
        head = _HEAD.match(data, at)
        if not head:
            return False
        timestamp, kind, call_id = head.groups()
        if kind in _SILENT:
            return True
        if kind == b"function_call_output" and call_id:
            self._result(call_id.decode(), timestamp.decode(), offset)
            return True
        return False

    def line(self, raw: bytes, offset: int) -> bool:
        """Take one line; False where it told nothing."""
        line = _decode(raw)
        take = _TAKES.get(line.type) or _TAKES.get(line.payload.type)
        if not take:
            return False
        take(self, line, offset)
        return True

    def state(self) -> State:
        """What the next pass has to know."""
        return msgspec.to_builtins(self._at)

    def records(self) -> Iterator[Record]:
        """What the lines have told."""
        yield from self._found
        at = self._at
        if at.asked_offset is not None and not at.waiting:
            yield self._turn(self._asked_key(), at.asked_at, at.asked_offset, status="unanswered")

    def _session(self) -> str:
        return self._at.session or self._stem

    def _meta(self, line: _Line, offset: int) -> None:
        """The first one is the thread's own; what follows was replayed from the thread that it came from."""
        at, meta = self._at, line.payload
        at.family = meta.forked_from_id or meta.id or at.family
        if at.thread:
            return
        spawned = _spawned_by(meta)
        at.thread = meta.id or self._stem
        at.session = (meta.session_id or spawned or meta.id) if spawned else at.thread
        at.sub_agent = at.thread if spawned else None
        at.agent = (meta.agent_role or meta.agent_nickname) if spawned else None
        at.cli_version, at.provider = meta.cli_version, meta.model_provider
        if not spawned:
            self._found.append(
                Session(
                    session=at.session or at.thread,
                    at_us=microseconds_of(line.timestamp),
                    offset=offset,
                    project=(Path(meta.cwd).name or None) if meta.cwd else None,
                    parent_session=meta.forked_from_id,
                )
            )

    def _context(self, line: _Line, offset: int) -> None:
        self._at.llm = line.payload.model or self._at.llm

    def _record(self, line: _Line, offset: int) -> None:
        """A response's own usage."""
        usage, response = line.payload.usage, line.payload.response_id
        if usage is None:
            return
        at = self._at
        at.explained = [before + count for before, count in zip(at.explained, _vector(usage), strict=True)]
        key: Key = ("response", response) if response else ("at", self._session(), offset)
        turn = self._turn(key, line.timestamp, offset)
        turn.response_id = response
        self._found.append(self._answered(turn, _counts(usage)))

    def _counter(self, line: _Line, offset: int) -> None:
        """The thread's counter: what it grew by, as far as no record has told it."""
        info = line.payload.info
        total = info.total_token_usage if info else None
        if not info or not total:
            return
        at, now = self._at, _vector(total)
        grown = self._grown(now, info.last_token_usage)
        at.counted = now
        if not any(grown):
            return
        untold = [max(0, count - told) for count, told in zip(grown, at.explained, strict=True)]
        is_told = any(at.explained)
        at.explained = [0, 0, 0, 0]
        if not any(untold):
            return
        usage = _with_vector(total if not is_told and grown == now else info.last_token_usage or total, untold)
        key: Key = ("counter", at.family or self._stem, at.restarts, *now)
        self._found.append(self._answered(self._turn(key, line.timestamp, offset), _counts(usage)))

    def _grown(self, now: list[int], last: _Usage | None) -> list[int]:
        """By how much the counter moved; one that fell has begun again."""
        before = self._at.counted
        if before is None:  # a fork's counter begins where its parent's stood
            return _vector(last) if last else now
        if any(count < was for count, was in zip(now, before, strict=True)):
            self._at.restarts += 1
            return now
        return [count - was for count, was in zip(now, before, strict=True)]

    def _call(self, line: _Line, offset: int) -> None:
        call = line.payload
        self._at.calls = [*self._at.calls, [call.call_id or call.id or "", call.name or ""]]
        if call.call_id:
            self._at.waiting = [*self._at.waiting, call.call_id]

    def _output(self, line: _Line, offset: int) -> None:
        self._result(line.payload.call_id or "", line.timestamp, offset)

    def _result(self, call_id: str, timestamp: str | None, offset: int) -> None:
        self._at.waiting = [waiting for waiting in self._at.waiting if waiting != call_id]
        self._input(timestamp, offset)

    def _message(self, line: _Line, offset: int) -> None:
        if line.payload.role == "user":
            self._input(line.timestamp, offset)

    def _input(self, timestamp: str | None, offset: int) -> None:
        at = self._at
        at.asked_offset = offset if at.asked_offset is None else at.asked_offset
        at.asked_at = timestamp

    def _compacted(self, line: _Line, offset: int) -> None:
        """A compaction is a request too; before it had a record of its own, nobody knows what it used."""
        if not line.payload.compaction_response_id:
            turn = self._turn(("compaction", self._session(), offset), line.timestamp, offset, status="incomplete")
            turn.completeness, turn.incomplete_reason = "lower_bound", "a compaction without usage"
            self._found.append(turn)

    def _ended(self, line: _Line, offset: int) -> None:
        """The end of what the user asked for; with an error, the last request has failed."""
        error, at = line.payload.error, self._at
        if error and at.asked_offset is not None:
            failed = self._turn(self._asked_key(), line.timestamp, at.asked_offset, status="failed")
            failed.error_code = _error_code(error)
            failed.duration_ms = milliseconds_between(microseconds_of(at.asked_at), failed.at_us)
            self._found.append(failed)
        if line.payload.type == "task_complete":
            at.asked_offset, at.waiting, at.calls = None, [], []

    def _asked_key(self) -> Key:
        return ("asked", self._at.thread or self._stem, self._at.asked_offset or 0)

    def _turn(self, key: Key, timestamp: str | None, offset: int, **fields: Any) -> Turn:
        at = self._at
        return Turn(
            session=self._session(),
            key=key,
            at_us=microseconds_of(timestamp),
            offset=offset,
            session_id=at.thread or self._stem,
            agent=at.agent,
            sub_agent_id=at.sub_agent,
            llm_asked=at.llm,
            provider_asked=at.provider,
            harness_version=at.cli_version,
            usage_format="codex",
            **fields,
        )

    def _answered(self, turn: Turn, counts: dict[str, int]) -> Turn:
        """A turn with its usage, the tools that it called, and the request that it answers."""
        at = self._at
        turn.raw_counts = counts
        turn.tool_call_ids = tuple(call for call, _ in at.calls if call)
        turn.tool_names = tuple(tool for _, tool in at.calls if tool)
        if at.asked_offset is not None:
            turn.attempt = self._asked_key()
            turn.duration_ms = milliseconds_between(microseconds_of(at.asked_at), turn.at_us)
        at.calls, at.asked_offset, at.asked_at = [], None, None
        return turn


_TAKES = {
    "session_meta": Rollout._meta,
    "turn_context": Rollout._context,
    "token_usage_record": Rollout._record,
    "token_count": Rollout._counter,
    "function_call": Rollout._call,
    "custom_tool_call": Rollout._call,
    "local_shell_call": Rollout._call,
    "function_call_output": Rollout._output,
    "custom_tool_call_output": Rollout._output,
    "message": Rollout._message,
    "compacted": Rollout._compacted,
    "task_complete": Rollout._ended,
    "turn_aborted": Rollout._ended,
}
"""What is done with a line, by its type or its payload's."""


def _spawned_by(meta: _Payload) -> str | None:
    """The thread that spawned this one as a sub-agent."""
    match meta.source:
        case {"subagent": {"thread_spawn": {"parent_thread_id": str(parent)}}}:
            return parent
        case {"subagent": _}:
            return meta.parent_thread_id or meta.session_id or meta.id
    return meta.parent_thread_id


def _vector(usage: _Usage) -> list[int]:
    return [usage.input_tokens, usage.cached_input_tokens, usage.cache_write_input_tokens or 0, usage.output_tokens]


def _with_vector(like: _Usage, vector: list[int]) -> _Usage:
    """Usage of these counts; reasoning and total only where they are about the same."""
    if _vector(like) == vector:
        return like
    writes = None if like.cache_write_input_tokens is None else vector[2]
    return _Usage(vector[0], vector[1], vector[3], writes, None, None)


def _counts(usage: _Usage) -> dict[str, int]:
    return {kind: count for kind, count in msgspec.structs.asdict(usage).items() if count is not None}


def _error_code(error: Any) -> str | None:
    """Codex's own word for what went wrong: a text, or a mapping with one key."""
    match error:
        case {"codex_error_info": str(code)}:
            return code
        case {"codex_error_info": {**codes}}:
            return next(iter(codes), None)
    return None

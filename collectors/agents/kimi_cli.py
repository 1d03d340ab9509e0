"""Kimi CLI wire files, older than Kimi Code: `sessions/<md5 of the folder>/<session>/wire.jsonl`.

A step is a request: `StepBegin`, the messages of its reply, then `StatusUpdate` with its usage and the provider's id;
`StepRetry` where an attempt failed. No line names the LLM. A sub-agent writes the same into `subagents/<id>/wire.jsonl`
and its events once more into its parent's file; before sub-agents had ids, only there. A fork copies lines with their
times.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from collectors.agents import Place, State
from collectors.agents.numbers import EpochSeconds
from collectors.agents.records import Count, Key, Record, Session, Turn
from collectors.agents.times import milliseconds_between

name = "kimi-cli"
version = 1
expects = "Kimi CLI wire files (sessions/*/*/wire.jsonl)"
places = (Place(".kimi/sessions", "KIMI_SHARE_DIR", "sessions"),)

NO_LINE = msgspec.Raw(b"{}")


class _Usage(msgspec.Struct, gc=False):
    input_other: Count
    output: Count
    input_cache_read: Count = 0
    input_cache_creation: Count = 0


class _Message(msgspec.Struct, gc=False):
    type: str = ""
    payload: msgspec.Raw = NO_LINE


class _Line(msgspec.Struct, gc=False):
    timestamp: EpochSeconds | None = None
    message: _Message | None = None


class _StepBegin(msgspec.Struct, gc=False):
    n: int


class _StatusUpdate(msgspec.Struct, gc=False):
    token_usage: _Usage | None = None
    message_id: str | None = None


class _Function(msgspec.Struct, gc=False):
    name: str | None = None


class _ToolCall(msgspec.Struct, gc=False):
    id: str | None = None
    function: _Function | None = None


class _StepRetry(msgspec.Struct, gc=False):
    next_attempt: Count
    error_type: str | None = None
    status_code: int | None = None


class _SubagentEvent(msgspec.Struct, gc=False):
    event: _Message
    agent_id: str | None = None
    subagent_type: str | None = None
    parent_tool_call_id: str | None = None
    task_tool_call_id: str | None = None
    """The same, before it was called that."""


class _Step(msgspec.Struct):
    """A request that has no reply yet."""

    at_us: int
    offset: int
    n: int
    retry_number: int = 0
    tool_ids: list[str] = []
    tool_names: list[str] = []
    is_told: bool = False
    """Whether an earlier pass has told of it."""

    @property
    def key(self) -> Key:
        return ("begun", self.at_us, self.n, self.retry_number)


_line = msgspec.json.Decoder(_Line).decode
_step_begin = msgspec.json.Decoder(_StepBegin).decode
_status_update = msgspec.json.Decoder(_StatusUpdate).decode
_tool_call = msgspec.json.Decoder(_ToolCall).decode
_step_retry = msgspec.json.Decoder(_StepRetry).decode
_subagent_event = msgspec.json.Decoder(_SubagentEvent).decode


def reads(path: Path) -> bool:
    """Whether a file of this name could be a wire file: one in a folder of agents is Kimi Code's."""
    return path.name == "wire.jsonl" and path.parent.parent.name != "agents"


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    is_wire = b'"protocol_version"' in head or (b'"timestamp"' in head and b'"message"' in head)
    return is_wire and b'"created_at"' not in head


def reader(path: Path, state: State) -> Wire:
    """A reader of one wire file."""
    return Wire(path, state)


class Wire:
    """Reads one wire file, from where the last pass ended."""

    markers = ()

    def __init__(self, path: Path, state: State) -> None:
        self._session, self._sub_agent = _whose(path)
        self._is_begun: bool = state.get("is_begun", False)
        step = state.get("step")
        self._step = msgspec.structs.replace(msgspec.convert(step, _Step), is_told=True) if step else None
        self._found: list[Record] = []

    def line(self, raw: bytes, offset: int) -> bool:
        """Take one line; False where it told nothing."""
        line = _line(raw)
        if line.message is None or line.timestamp is None:
            return False
        at_us = round(line.timestamp * 1_000_000)
        if not self._is_begun:
            self._begin(at_us, offset)
        payload = line.message.payload
        match line.message.type:
            case "StepBegin":
                self._leave()
                self._step = _Step(at_us, offset, _step_begin(payload).n)
            case "ToolCall":
                return self._call(_tool_call(payload))
            case "StatusUpdate":
                return self._reply(_status_update(payload), at_us, offset)
            case "StepRetry":
                self._retry(_step_retry(payload), at_us, offset)
            case "StepInterrupted" | "TurnBegin" | "TurnEnd":
                self._leave()
            case "SubagentEvent":
                return self._sub_agents_reply(_subagent_event(payload), at_us, offset)
            case _:
                return False
        return True

    def state(self) -> State:
        """What the next pass has to know."""
        return {"is_begun": self._is_begun, "step": msgspec.to_builtins(self._step)}

    def records(self) -> Iterator[Record]:
        """What the lines have told."""
        yield from self._found
        if self._step and not self._step.is_told:
            yield self._unanswered(self._step)

    def _begin(self, at_us: int, offset: int) -> None:
        self._is_begun = True
        if self._sub_agent is None:
            self._found.append(Session(session=self._session, at_us=at_us, offset=offset))

    def _call(self, call: _ToolCall) -> bool:
        if self._step is None:
            return False
        self._step.tool_ids += [call.id] if call.id else []
        self._step.tool_names += [call.function.name] if call.function and call.function.name else []
        return True

    def _reply(self, update: _StatusUpdate, at_us: int, offset: int) -> bool:
        """A reply has ended. (Updates without usage and id are about something else.)"""
        if update.token_usage is None and update.message_id is None:
            return False
        step, self._step = self._step, None
        turn = self._turn(_reply_key(update, at_us, step), at_us, offset)
        _fill(turn, update)
        if step:
            turn.attempt, turn.retry_number = step.key, step.retry_number
            turn.tool_call_ids, turn.tool_names = tuple(step.tool_ids), tuple(step.tool_names)
            turn.duration_ms = milliseconds_between(step.at_us, at_us) if not step.retry_number else None
        self._found.append(turn)
        return True

    def _retry(self, line: _StepRetry, at_us: int, offset: int) -> None:
        """An attempt failed, and the step goes on with the next one."""
        step = self._step
        attempt = max(line.next_attempt - 2, 0)
        key = ("failed", *step.key[1:]) if step else ("failed", at_us, attempt)
        turn = self._turn(key, at_us, offset)
        turn.status, turn.retry_number = "failed", attempt
        turn.error_code = str(line.status_code) if line.status_code else line.error_type
        turn.attempt = step.key if step else None
        self._found.append(turn)
        if step:
            self._step = _Step(step.at_us, step.offset, step.n, line.next_attempt - 1)

    def _sub_agents_reply(self, line: _SubagentEvent, at_us: int, offset: int) -> bool:
        """A reply to a sub-agent that has no file of its own."""
        if line.agent_id or line.event.type != "StatusUpdate":
            return False
        update = _status_update(line.event.payload)
        if update.token_usage is None:
            return False
        turn = self._turn(_reply_key(update, at_us, None), at_us, offset)
        _fill(turn, update)
        turn.sub_agent_id = line.parent_tool_call_id or line.task_tool_call_id or "subagent"
        turn.agent = line.subagent_type
        self._found.append(turn)
        return True

    def _leave(self) -> None:
        """What is open has no reply, and will have none."""
        if self._step and not self._step.is_told:
            self._found.append(self._unanswered(self._step))
        self._step = None

    def _unanswered(self, step: _Step) -> Turn:
        turn = self._turn(step.key, step.at_us, step.offset)
        turn.status, turn.retry_number = "unanswered", step.retry_number
        return turn

    def _turn(self, key: Key, at_us: int, offset: int) -> Turn:
        return Turn(
            session=self._session,
            key=key,
            at_us=at_us,
            offset=offset,
            session_id=self._session,
            sub_agent_id=self._sub_agent,
            usage_format="kimi_cli",
        )


def _whose(path: Path) -> tuple[str, str | None]:
    """The session that a file belongs to, and its sub-agent."""
    folder = path.parent
    return (folder.parents[1].name, folder.name) if folder.parent.name == "subagents" else (folder.name, None)


def _reply_key(update: _StatusUpdate, at_us: int, step: _Step | None) -> Key:
    if update.message_id:
        return ("response", update.message_id)
    usage = update.token_usage
    counts = msgspec.structs.astuple(usage) if usage else ()
    return ("usage", at_us, step.n if step else 0, *counts)


def _fill(turn: Turn, update: _StatusUpdate) -> None:
    """The provider's id, and the usage where it sent one: all zeros are none."""
    turn.message_id = turn.response_id = update.message_id
    counts = msgspec.structs.asdict(update.token_usage) if update.token_usage else {}
    turn.raw_counts = counts if any(counts.values()) else None

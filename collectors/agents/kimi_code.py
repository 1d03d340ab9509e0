"""Kimi Code wire files: `sessions/wd_*/session_*/agents/<main or agent-N>/wire.jsonl`.

One usage stands in up to three kinds of lines; `usage.record` is the one that every reply has, also one whose tools
were killed. `llm.request` before it names the LLM (usage lines have an alias), `step.end` after it the provider's id
and the latencies. A retry is a request of its own. A fork copies the file whole, so a reply is known by agent, time
and counts, and a request by agent, time and step.

A fork's origin stands only in `state.json` beside the agents, which is written before the fork's first line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

import msgspec

from collectors.agents import Place, State
from collectors.agents.numbers import Duration, EpochMs
from collectors.agents.records import Count, Key, Record, Session, Turn
from collectors.agents.times import milliseconds_between

name = "kimi-code"
version = 1
expects = "Kimi Code wire files (sessions/*/session_*/agents/*/wire.jsonl)"
places = (Place(".kimi-code/sessions", "KIMI_CODE_HOME", "sessions"), Place(".kimi/sessions"))

MAIN = "main"


class _Kind(msgspec.Struct, gc=False):
    type: str = ""


# Fields are named as the log names them, in its own case: N815 is for names of ours.


class _Usage(msgspec.Struct, gc=False):
    inputOther: Count  # noqa: N815
    output: Count
    inputCacheRead: Count = 0  # noqa: N815
    inputCacheCreation: Count = 0  # noqa: N815


class _Disclosure(msgspec.Struct, gc=False):
    cwd: str | None = None


class _Opening(msgspec.Struct, gc=False):
    """Any line, as far as it says where a session begins."""

    time: EpochMs | None = None
    created_at: EpochMs | None = None
    profileName: str | None = None  # noqa: N815
    cwd: str | None = None
    environmentDisclosure: _Disclosure | None = None  # noqa: N815


class _Request(msgspec.Struct, gc=False):
    time: EpochMs
    agentId: str | None = None  # noqa: N815
    kind: str = "loop"
    provider: str | None = None
    model: str | None = None
    turnStep: str | None = None  # noqa: N815


class _UsageRecord(msgspec.Struct, gc=False):
    time: EpochMs
    usage: _Usage
    agentId: str | None = None  # noqa: N815
    model: str | None = None
    usageScope: str | None = None  # noqa: N815


class _Event(msgspec.Struct, gc=False):
    type: str = ""
    toolCallId: str | None = None  # noqa: N815
    name: str | None = None
    finishReason: str | None = None  # noqa: N815
    llmFirstTokenLatencyMs: Duration | None = None  # noqa: N815
    llmStreamDurationMs: Duration | None = None  # noqa: N815
    messageId: str | None = None  # noqa: N815


class _LoopEvent(msgspec.Struct, gc=False):
    event: _Event


class _Retrying(msgspec.Struct, gc=False):
    time: EpochMs
    agentId: str | None = None  # noqa: N815
    step: int | None = None
    failedAttempt: Count | None = None  # noqa: N815
    errorName: str | None = None  # noqa: N815
    statusCode: int | None = None  # noqa: N815


class _Cancel(msgspec.Struct, gc=False):
    target: str = "active"


class _Details(msgspec.Struct, gc=False):
    statusCode: int | None = None  # noqa: N815
    requestId: str | None = None  # noqa: N815


class _Error(msgspec.Struct, gc=False):
    name: str | None = None
    code: str | None = None
    details: _Details | None = None


class _Ended(msgspec.Struct, gc=False):
    time: EpochMs | None = None
    reason: str = ""
    error: _Error | None = None


class _SessionState(msgspec.Struct, gc=False):
    cwd: str | None = None
    forkedFrom: str | None = None  # noqa: N815


class _Asked(msgspec.Struct):
    """A request that has no reply yet."""

    key: Key
    at: int
    offset: int
    llm: str | None
    provider: str | None
    retry_number: int
    is_cancelled: bool = False
    is_told: bool = False
    """Whether an earlier pass has told of it."""


_kind = msgspec.json.Decoder(_Kind).decode
_opening = msgspec.json.Decoder(_Opening).decode
_request = msgspec.json.Decoder(_Request).decode
_usage_record = msgspec.json.Decoder(_UsageRecord).decode
_loop_event = msgspec.json.Decoder(_LoopEvent).decode
_retrying = msgspec.json.Decoder(_Retrying).decode
_cancel = msgspec.json.Decoder(_Cancel).decode
_ended = msgspec.json.Decoder(_Ended).decode
_session_state = msgspec.json.Decoder(_SessionState).decode


def reads(path: Path) -> bool:
    """Whether a file of this name could be a wire file: the older Kimi CLI has no folder of agents."""
    return path.name == "wire.jsonl" and path.parent.parent.name == "agents"


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return b'"type":"metadata"' in head or b'"agentId":' in head or b'"time":' in head


def reader(path: Path, state: State) -> Wire:
    """A reader of one agent's wire file."""
    return Wire(path, state)


class Wire:
    """Reads one agent's wire file, from where the last pass ended."""

    markers = (
        b'"llm.request"',
        b'"usage.record"',
        b'"step.end"',
        b'"tool.call"',
        b'"turn.step.retrying"',
        b'"turn.ended"',
        b'"turn.cancel"',
    )

    def __init__(self, path: Path, state: State) -> None:
        self._path = path
        self._session, self._agent_id = path.parents[2].name, path.parent.name
        self.is_opening: bool = state.get("is_opening", True)
        self._opened_at: list[int] | None = state.get("opened_at")
        self._profile: str | None = state.get("profile")
        self._retries: int = state.get("retries", 0)
        asked = msgspec.convert(state.get("asked", {}), dict[str, _Asked])
        self._asked = {scope: msgspec.structs.replace(one, is_told=True) for scope, one in asked.items()}
        self._reply = msgspec.convert(state["reply"], Turn) if state.get("reply") else None
        self._is_reply_new = False
        self._found: list[Record] = []

    def line(self, raw: bytes, offset: int) -> bool:
        """Take one line; False where it told nothing."""
        kind = _kind(raw).type
        if self.is_opening:
            self._open(kind, _opening(raw), offset)
        match kind:
            case "llm.request":
                self._ask(_request(raw), offset)
            case "usage.record":
                self._record_usage(_usage_record(raw), offset)
            case "context.append_loop_event":
                return self._loop(_loop_event(raw).event)
            case "turn.step.retrying":
                self._retry(_retrying(raw), offset)
            case "turn.cancel":
                return self._cancel(_cancel(raw))
            case "turn.ended":
                self._end(_ended(raw), offset)
            case _:
                return False
        return True

    def state(self) -> State:
        """What the next pass has to know."""
        return {
            "is_opening": self.is_opening,
            "opened_at": self._opened_at,
            "profile": self._profile,
            "retries": self._retries,
            "asked": msgspec.to_builtins(self._asked),
            "reply": msgspec.to_builtins(self._reply),
        }

    def records(self) -> Iterator[Record]:
        """What the lines have told."""
        yield from self._found
        if self._reply and self._is_reply_new:
            yield msgspec.structs.replace(self._reply, tool_call_ids=(), tool_names=())
        yield from (self._unanswered(asked) for asked in self._asked.values() if not asked.is_told)

    def _open(self, kind: str, line: _Opening, offset: int) -> None:
        """A session begins with its first stamped line; a line soon after names its folder and its profile."""
        at = line.created_at if line.created_at is not None else line.time
        if self._opened_at is None and at is not None:
            self._opened_at = [at * 1000, offset]
        self._profile = self._profile or line.profileName
        cwd = line.cwd or (line.environmentDisclosure.cwd if line.environmentDisclosure else None)
        if not (cwd and self._opened_at) and kind not in ("llm.request", "usage.record"):
            return
        self.is_opening = False
        if self._agent_id == MAIN:
            self._found.append(self._begun(cwd, offset))

    def _begun(self, cwd: str | None, offset: int) -> Session:
        try:
            known = _session_state((self._path.parents[2] / "state.json").read_bytes())
        except (OSError, msgspec.DecodeError):
            known = _SessionState()
        at_us, begun_offset = self._opened_at or (None, offset)
        return Session(
            session=self._session,
            at_us=at_us,
            offset=begun_offset,
            project=PureWindowsPath(cwd or known.cwd or "").name or None,
            parent_session=known.forkedFrom,
        )

    def _ask(self, line: _Request, offset: int) -> None:
        """A request goes out. One that was open before it is left without a word: a compaction is asked again so."""
        scope = _scope(line.kind)
        self._leave(scope)
        if scope == "turn":
            self._settle_reply()
        key = ("begun", line.agentId or self._agent_id, line.time, line.kind, line.turnStep or "")
        self._asked[scope] = _Asked(key, line.time, offset, line.model, line.provider, self._retries)

    def _record_usage(self, line: _UsageRecord, offset: int) -> None:
        scope = _scope(line.usageScope)
        usage, asked = line.usage, self._asked.pop(scope, None)
        counts = {name: getattr(usage, name) for name in _Usage.__struct_fields__}
        if not any(counts.values()):
            self._end_without_usage(asked, line.time, offset)
            return
        is_split = usage.inputCacheCreation > 0 or (asked is not None and asked.provider == "anthropic")
        is_cut = asked is not None and asked.is_cancelled
        turn = self._turn(asked, ("usage", line.agentId or self._agent_id, line.time, *counts.values()))
        turn.at_us, turn.offset = line.time * 1000, offset
        turn.llm_asked = turn.llm_asked or _llm_of(line.model)
        turn.usage_format = "kimi_code" if is_split else "kimi_code.writes-in-input"
        turn.raw_counts = counts if is_split else {n: c for n, c in counts.items() if n != "inputCacheCreation"}
        if is_cut:
            turn.status, turn.completeness, turn.incomplete_reason = "incomplete", "lower_bound", "no final usage"
        self._retries = 0
        if scope == "turn":
            self._settle_reply()
            self._reply, self._is_reply_new = turn, True
        else:
            self._found.append(turn)

    def _end_without_usage(self, asked: _Asked | None, at: int, offset: int) -> None:
        """Usage of nothing: the provider sent none, or the request was cancelled."""
        if asked is None:
            return
        if asked.is_cancelled:
            self._tell_unanswered(asked)
            return
        turn = self._turn(asked, ("reply", *asked.key[1:]))
        turn.at_us, turn.offset = at * 1000, offset
        self._found.append(turn)
        self._retries = 0

    def _loop(self, event: _Event) -> bool:
        """What follows a reply: its tool calls, and the end of its step."""
        reply = self._reply
        if event.type not in ("tool.call", "step.end") or reply is None:
            return False
        if event.type == "tool.call":
            reply.tool_call_ids += (event.toolCallId,) if event.toolCallId else ()
            reply.tool_names += (event.name,) if event.name else ()
            return True
        reply.stop_reason = event.finishReason
        reply.message_id = reply.response_id = event.messageId
        first, rest = event.llmFirstTokenLatencyMs, event.llmStreamDurationMs
        reply.ttft_ms = first
        reply.duration_ms = first + rest if first is not None and rest is not None else None
        self._settle_reply()
        return True

    def _settle_reply(self) -> None:
        """Nothing more will be said of the last reply: tell all of it."""
        if self._reply:
            self._found.append(self._reply)
        self._reply, self._is_reply_new = None, False

    def _retry(self, line: _Retrying, offset: int) -> None:
        code = str(line.statusCode) if line.statusCode else line.errorName
        self._fail(line.time, code, None, offset, f"{line.agentId or self._agent_id} {line.step}")
        self._retries = line.failedAttempt if line.failedAttempt is not None else self._retries + 1

    def _cancel(self, line: _Cancel) -> bool:
        asked = self._asked.get("turn")
        if asked is None or line.target != "active":
            return False
        asked.is_cancelled = True
        return True

    def _end(self, line: _Ended, offset: int) -> None:
        """The end of a prompt: what is open then has failed, or stays unanswered."""
        self._settle_reply()
        if line.reason == "failed" and line.time is not None and "turn" in self._asked:
            error = line.error or _Error()
            details = error.details or _Details()
            code = str(details.statusCode) if details.statusCode else error.name or error.code
            self._fail(line.time, code, details.requestId, offset, self._agent_id)
        self._leave("turn")
        self._retries = 0

    def _fail(self, at: int, code: str | None, request_id: str | None, offset: int, where: str) -> None:
        asked = self._asked.pop("turn", None)
        turn = self._turn(asked, ("failed", *asked.key[1:]) if asked else ("failed", where, at))
        turn.at_us, turn.offset = at * 1000, offset
        turn.status, turn.error_code, turn.request_id = "failed", code, request_id
        if asked:
            turn.duration_ms = milliseconds_between(asked.at * 1000, turn.at_us)
        self._found.append(turn)

    def _leave(self, scope: str) -> None:
        asked = self._asked.pop(scope, None)
        if asked:
            self._tell_unanswered(asked)

    def _tell_unanswered(self, asked: _Asked) -> None:
        if not asked.is_told:
            self._found.append(self._unanswered(asked))

    def _unanswered(self, asked: _Asked) -> Turn:
        turn = self._turn(asked, asked.key)
        turn.at_us, turn.offset, turn.status, turn.attempt = asked.at * 1000, asked.offset, "unanswered", None
        return turn

    def _turn(self, asked: _Asked | None, key: Key) -> Turn:
        """What all turns of this file have in common, and what a request says of its own."""
        is_sub = self._agent_id != MAIN
        return Turn(
            session=self._session,
            key=key,
            session_id=self._session,
            agent=self._profile if is_sub else None,
            sub_agent_id=self._agent_id if is_sub else None,
            llm_asked=asked.llm if asked else None,
            provider_asked=asked.provider if asked else None,
            retry_number=asked.retry_number if asked else self._retries,
            attempt=asked.key if asked else None,
            usage_format="kimi_code.writes-in-input",
        )


def _scope(kind: str | None) -> str:
    """Of the requests that can be open at a time: the loop's, whose usage is a turn's, or a compaction's."""
    return "session" if kind in ("compaction", "session") else "turn"


def _llm_of(alias: str | None) -> str | None:
    """An alias from the configuration; one with underscores around it stands for what the environment says."""
    return alias if alias and not alias.startswith("__") else None

"""Gemini CLI chats: `tmp/<project>/chats/session-<time>-<id8>.jsonl`; a sub-agent's in `chats/<session>/<id>.jsonl`.

A line per message, written again when its tokens or its tools' results come; a `$set` line may hold all messages once
more. There is no id of the provider's. Whole-JSON chats of versions before these lines are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from collectors.agents import Place, State
from collectors.agents.records import Count, Flag, Key, Record, Session, Turn
from collectors.agents.times import microseconds_of, milliseconds_between
from collectors.agents.turns import Turns

name = "gemini-cli"
version = 1
expects = "Gemini CLI chats (tmp/*/chats/session-*.jsonl)"
places = (Place(".gemini/tmp"),)


class _Tokens(msgspec.Struct):
    input: Count
    output: Count
    cached: Count | None = None
    thoughts: Count | None = None
    tool: Count | None = None
    """Prompts of tools that Google runs itself. They are in no other count but the total; every recording has 0."""
    total: Count | None = None


class _Call(msgspec.Struct):
    id: str | None = None
    name: str | None = None


class _Message(msgspec.Struct, rename="camel"):
    id: str | None = None
    type: str = ""
    timestamp: str | None = None
    model: str | None = None
    tokens: _Tokens | None = None
    tool_calls: list[_Call] | None = None


class _Set(msgspec.Struct):
    messages: list[_Message] | None = None


class _Line(
    _Message, rename={"tool_calls": "toolCalls", "session_id": "sessionId", "start_time": "startTime", "set": "$set"}
):
    session_id: str | None = None
    start_time: str | None = None
    kind: str | None = None
    set: _Set | None = None


_decode = msgspec.json.Decoder(_Line).decode


class _At(msgspec.Struct):
    """What a chat has said so far."""

    session: str | None = None
    is_sub_agent: bool = False
    asked: list[Any] | None = None
    """The first input since the last reply, which the next answers: its id, offset and time, and the latest's time."""


def reads(path: Path) -> bool:
    """Whether a file of this name could be a chat."""
    return path.suffix == ".jsonl" and (path.name.startswith("session-") or _parent_session(path) is not None)


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return b'"sessionId"' in head and b'"projectHash"' in head


def reader(path: Path, state: State) -> Chat:
    """A reader of one chat."""
    return Chat(path, state)


class Chat:
    """Reads one chat, from where the last pass ended."""

    markers = ()

    def __init__(self, path: Path, state: State) -> None:
        self._path = path
        self._parent = _parent_session(path)
        self._at = msgspec.convert(dict(state), _At)
        self._found: list[Record] = []
        self._turns = Turns(streamed=True)

    def line(self, raw: bytes, offset: int) -> bool:
        """Take one line; False where it told nothing."""
        line = _decode(raw)
        if line.type == "gemini":
            self._reply(line, offset)
        elif line.type == "user":
            self._input(line, offset)
        elif line.session_id and not self._at.session:
            self._begun(line, offset)
        elif line.set and line.set.messages is not None:
            self._set(line.set.messages, offset)
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
        if self._at.asked:
            yield self._unanswered(self._at.asked)

    def _begun(self, line: _Line, offset: int) -> None:
        at = self._at
        at.session, at.is_sub_agent = line.session_id, line.kind == "subagent" or self._parent is not None
        if not at.is_sub_agent:
            begun_at = microseconds_of(line.start_time)
            self._found.append(
                Session(session=self._session, at_us=begun_at, offset=offset, project=_project(self._path))
            )

    def _input(self, line: _Line, offset: int) -> None:
        """What the user typed, or what tools have found: each goes out as a request."""
        at_us = microseconds_of(line.timestamp)
        if self._at.asked:
            self._at.asked[3] = at_us
        else:
            self._at.asked = [line.id or f"{self._session} {offset}", offset, at_us, at_us]

    def _set(self, messages: list[_Message], offset: int) -> None:
        """All messages once more. An input that is no longer among them was taken back after its request failed."""
        for message in messages:
            if message.type == "gemini":
                self._turns.add(self._turn_of(message, offset))
        asked = self._at.asked
        if asked and asked[0] not in {message.id for message in messages}:
            self._found.append(self._unanswered(asked))
            self._at.asked = None

    def _reply(self, line: _Line, offset: int) -> None:
        turn, asked = self._turn_of(line, offset), self._at.asked
        if asked:
            turn.attempt = _asked_key(asked)
            turn.duration_ms = milliseconds_between(asked[3], turn.at_us)
            self._at.asked = None
        self._turns.add(turn)

    def _turn_of(self, message: _Message, offset: int) -> Turn:
        key: Key = ("message", message.id) if message.id else ("at", self._session, offset)
        turn = self._turn(key, microseconds_of(message.timestamp), offset)
        turn.llm_asked, turn.message_id = message.model, message.id
        turn.tool_call_ids = tuple(call.id for call in message.tool_calls or () if call.id)
        turn.tool_names = tuple(call.name for call in message.tool_calls or () if call.name)
        _count(turn, message.tokens)
        if message.tokens and message.tokens.total not in (None, *_sums(message.tokens)):
            detail = "tokens.total is not the sum of its parts"
            self._found.append(
                Flag(session=turn.session, flag="usage_contradicts_total", detail=detail, at_us=turn.at_us)
            )
        return turn

    def _unanswered(self, asked: list[Any]) -> Turn:
        turn = self._turn(_asked_key(asked), asked[2], asked[1])
        turn.status, turn.usage_format = "unanswered", "gemini_cli"
        return turn

    @property
    def _session(self) -> str:
        return self._at.session or self._path.stem

    def _turn(self, key: Key, at_us: int | None, offset: int) -> Turn:
        return Turn(
            session=self._parent or self._session,
            key=key,
            at_us=at_us,
            offset=offset,
            session_id=self._session,
            sub_agent_id=self._session if self._at.is_sub_agent else None,
        )


def _parent_session(path: Path) -> str | None:
    """The session that a sub-agent's chat belongs to: its folder, inside `chats`."""
    return path.parent.name if path.parent.parent.name == "chats" else None


def _project(path: Path) -> str | None:
    """The folder's name that Gemini CLI files the chats under; older versions file them under a hash."""
    project = path.parent.parent.name if path.parent.name == "chats" else ""
    return project if project and not re.fullmatch("[0-9a-f]{64}", project) else None


def _asked_key(asked: list[Any]) -> Key:
    return ("asked", asked[0])


def _count(turn: Turn, tokens: _Tokens | None) -> None:
    """What a request used. It is not there yet, or nothing but zeros, where nobody told Gemini CLI."""
    counts = (
        {kind: count for kind, count in msgspec.structs.asdict(tokens).items() if count is not None} if tokens else {}
    )
    if not tokens or not any(counts.values()):
        turn.completeness, turn.incomplete_reason = "lower_bound", "no usage"
        return
    turn.usage_format, turn.raw_counts = _usage_format(tokens), counts


def _usage_format(tokens: _Tokens) -> str:
    """Whether thoughts are beside the output or inside it: the total of each row tells."""
    beside, inside = _sums(tokens)
    return "gemini_cli.thoughts-in-output" if tokens.total == inside != beside else "gemini_cli"


def _sums(tokens: _Tokens) -> tuple[int, int]:
    """What the total is where thoughts are beside the output, and where they are inside it."""
    without_thoughts = tokens.input + tokens.output + (tokens.tool or 0)
    return without_thoughts + (tokens.thoughts or 0), without_thoughts

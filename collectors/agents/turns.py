"""The requests of one file: several lines may tell of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from collectors.agents.records import Key, Turn

Number = TypeVar("Number", int, float)


class Turns:
    """Turns by key, in the order of their first lines.

    `streamed`: the log writes a reply again as it grows, so lines of one key are one turn: the largest of every number,
    all tool calls, time, status and stop reason of the latest record, complete if any line says so. Otherwise equal
    lines are one, and lines that differ all stay, for the warehouse to name as a conflict.
    """

    def __init__(self, *, streamed: bool) -> None:
        self._streamed = streamed
        self._by_key: dict[Key, list[Turn]] = {}

    def add(self, turn: Turn) -> None:
        """Take one more line's turn."""
        key = turn.key or ("at", turn.session, turn.offset)
        turn.key = key
        known = self._by_key.get(key)
        if known is None:
            self._by_key[key] = [turn]
        elif self._streamed:
            known[0] = merged(known[0], turn)
        elif not any(_same(turn, other) for other in known):
            known.append(turn)

    def get(self, key: Key) -> Turn | None:
        """The turn of a key, if a line has told of it."""
        known = self._by_key.get(key)
        return known[0] if known else None

    def drop(self, key: Key) -> None:
        """Forget a key: what it stood for has been told otherwise."""
        self._by_key.pop(key, None)

    def __iter__(self) -> Iterator[Turn]:
        return (turn for turns in self._by_key.values() for turn in turns)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))


def merged(one: Turn, other: Turn) -> Turn:
    """Two records of one streamed reply as one."""
    first, last = sorted((one, other), key=_age)
    for name in _FILLED:
        if getattr(last, name) is None:
            setattr(last, name, getattr(first, name))
    last.retry_number = _largest(first.retry_number, last.retry_number)
    last.ttft_ms = _largest(first.ttft_ms, last.ttft_ms)
    last.duration_ms = _largest(first.duration_ms, last.duration_ms)
    last.bad_utf8_bytes = _largest(first.bad_utf8_bytes, last.bad_utf8_bytes)
    last.tool_call_ids = first.tool_call_ids + last.tool_call_ids
    last.tool_names = first.tool_names + last.tool_names
    last.raw_counts = _largest_counts(first.raw_counts, last.raw_counts)
    if first.completeness == "complete":
        last.completeness, last.incomplete_reason = "complete", None
        last.status = "completed" if last.status == "incomplete" else last.status
    return last


_FILLED = (
    "session_id", "agent", "sub_agent_id", "llm_asked", "llm_answered", "provider_asked", "provider_answered",
    "service_tier", "error_code", "stop_reason", "request_id", "message_id", "response_id", "attempt",
    "harness_version", "usage_format", "cost_usd",
)  # fmt: skip


def _age(turn: Turn) -> tuple[int, int]:
    return (-1 if turn.at_us is None else turn.at_us), turn.offset


def _largest(one: Number | None, other: Number | None) -> Number | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def _largest_counts(one: dict[str, int] | None, other: dict[str, int] | None) -> dict[str, int] | None:
    if not one or not other:
        return one if other is None else other
    return one if one == other else {name: max(one.get(name, 0), other.get(name, 0)) for name in one | other}


def _same(one: Turn, other: Turn) -> bool:
    """Whether two lines say the same, wherever they stand."""
    return all(getattr(one, name) == getattr(other, name) for name in Turn.__struct_fields__ if name != "offset")

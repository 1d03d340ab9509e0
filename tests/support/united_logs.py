"""Records of several passes as one, and the texts that no record may hold."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from agent_logs import Told, read_lines_in_passes

from collectors.agents import LinesAgent
from collectors.agents.records import Record, Turn
from models.errors import UnreadableRecord


def united(told: Iterable[Told]) -> list[Record]:
    """Records as the warehouse unites them: one per key, a value beats none, and an answered request is not open."""
    found: dict[object, Record] = {}
    for record in told:
        assert not isinstance(record, UnreadableRecord)
        key = record.key if isinstance(record, Turn) else msgspec.json.encode(record)
        found[key] = _merged(found[key], record) if key in found else record
    answered = {record.attempt for record in found.values() if isinstance(record, Turn)}
    return sorted(map(_plain, (record for key, record in found.items() if key not in answered)), key=repr)


def _merged(one: Record, other: Record) -> Record:
    """The latest record's values, and those that only the other one has."""
    first, last = sorted((one, other), key=lambda record: record.offset)
    return msgspec.structs.replace(
        last, **{name: getattr(last, name) or getattr(first, name) for name in last.__struct_fields__}
    )


def _plain(record: Record) -> Record:
    """With its tool calls as the set that is stored."""
    if not isinstance(record, Turn):
        return record
    calls, names = tuple(sorted(set(record.tool_call_ids))), tuple(sorted(set(record.tool_names)))
    return msgspec.structs.replace(record, tool_call_ids=calls, tool_names=names)


def read_cut(agent: LinesAgent, path: Path, cuts: Sequence[int]) -> list[Told]:
    """A copy of a recording's file in passes that end at these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, *path.parts[-3:])
        copy.parent.mkdir(parents=True)
        copy.write_bytes(path.read_bytes())
        return read_lines_in_passes(agent, copy, cuts)


def line_ends(path: Path) -> list[int]:
    """The bytes after which a line has just been written."""
    return [at + 1 for at, byte in enumerate(path.read_bytes()) if byte == ord("\n")]


def written(path: Path, lines: Iterable[Any]) -> Path:
    """A file of JSON lines without spaces, as the agents write them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
    return path


def texts_in(value: Any, names: frozenset[str], name: str = "") -> Iterator[str]:
    """Every text of some length under these names, wherever they are in a JSON value; of arguments, all."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_in(inner, names, name if name in ("args", "arguments") else key)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, names, name)
    elif name in names and isinstance(value, str) and len(value) > 6:
        yield value

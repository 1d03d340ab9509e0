"""What is wrong with a stored file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from collectors.atomic import TEMPORARY_PREFIX
from collectors.event_files import events_in, file_name, read_table, schema_of
from collectors.store import EVENT_FILE, SCHEMA_MONTH, month_of
from models import EVENTS, Event
from models.schemas import STORED_BESIDE_THE_PAYLOAD

SCHEMA_FILE = re.compile(r"schema-[0-9a-f]{16}\.parquet")


@dataclass(frozen=True)
class Damage:
    """A stored file that is not what was written, or was not written by a store."""

    path: Path
    reason: str


def find_damage(root: Path) -> list[Damage]:
    """Read every file under a store's root, every byte of it, and say what is wrong with each bad one."""
    found = (path for path in sorted(root.rglob("*")) if not path.is_dir())
    looked_at = ((path, _reason(root, path)) for path in found if not path.name.startswith(TEMPORARY_PREFIX))
    return [Damage(path, reason) for path, reason in looked_at if reason]


def _reason(root: Path, path: Path) -> str | None:
    match path.relative_to(root).parts:
        case [event_type, month, name] if event_type in EVENTS:
            if EVENT_FILE.fullmatch(name):
                return _first_fault(path, EVENTS[event_type], _event_file_faults)
            if month == SCHEMA_MONTH and SCHEMA_FILE.fullmatch(name):
                return _first_fault(path, EVENTS[event_type], _schema_file_faults)
    return "not a file of the store; move it elsewhere"


Faults = Callable[[Path, type[Event], pa.Table], Iterator[str]]


def _first_fault(path: Path, kind: type[Event], faults: Faults) -> str | None:
    try:
        table = read_table(path)
        return next((fault for check in (_column_faults, faults) for fault in check(path, kind, table)), None)
    except (pa.ArrowException, OSError, ValueError, LookupError, ArithmeticError, MemoryError) as error:
        return f"does not read: {str(error).strip().partition(chr(10))[0] or type(error).__name__}"


def _column_faults(path: Path, kind: type[Event], table: pa.Table) -> Iterator[str]:
    expected = schema_of(kind)
    for field in table.schema:
        known = expected.field(field.name) if field.name in expected.names else None
        if known is None:
            yield f"has the column {field.name}, which {kind.__name__} does not"
        elif field.type != known.type:
            yield f"has {field.name} as {field.type}, expected {known.type}"
    if len(set(table.column_names)) < len(table.column_names):
        yield "has one column twice"


def _schema_file_faults(path: Path, kind: type[Event], table: pa.Table) -> Iterator[str]:
    if table.num_rows:
        yield f"has {table.num_rows} rows, expected none in a schema file"


def _event_file_faults(path: Path, kind: type[Event], table: pa.Table) -> Iterator[str]:
    stored = {field.name: table.column(field.name).to_pylist() for field in STORED_BESIDE_THE_PAYLOAD}
    if set(stored["event_type"]) != {kind.event_type}:
        yield f"holds events that are not {kind.event_type}"
    if set(stored["schema_version"]) != {kind.schema_version}:
        yield f"holds a schema version other than {kind.schema_version}"
    if None in stored["recorded_at"]:
        yield "has an event without recorded_at"
    if len(set(stored["event_id"])) < len(stored["event_id"]):
        yield "has an event id twice"
    if path.name != file_name(kind, stored["event_id"], table.column("occurred_at").to_pylist()):
        yield "its name is not the hash of its event ids"
    for row, (event, event_id) in enumerate(zip(events_in(table), stored["event_id"], strict=True)):
        if event.event_id != event_id:
            yield f"row {row}: the event is not the one that its id was made from"
        if month_of(event.occurred_at) != path.parent.name:
            yield f"row {row}: belongs in {month_of(event.occurred_at)}"

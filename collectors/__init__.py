"""The world in, events out.

home         where events, progress and builds live on disk
atomic       files that are there whole or not at all
store        append events, list their files, verify them
event_files  events to Parquet and back
column_files  events that are told as columns to Parquet
verify       what is wrong with a stored file
reading      strict JSON, and how a source is named in an event
refusals     what pydantic refused, in words
progress     what was collected already
collect      one collector over one folder: read, decide, append
results/     published results of other benchmarks
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from models import Event
from models.errors import UnreadableRecord


@dataclass(frozen=True)
class Unit:
    """Files that are read together, and read again together when one of them changes."""

    key: str
    """Unique under its root, and the same from run to run: a relative path."""
    files: tuple[Path, ...]


class Record(Protocol):
    """What a collector reads, of a type of its own that says where it was."""

    @property
    def source_ref(self) -> str: ...

    @property
    def source_offset(self) -> int | None: ...


class Collector(Protocol):
    """What `collect` needs of a source; a module with these names is one.

    `read` yields records of the module's own type. A record that it does not understand it yields as an
    `UnreadableRecord`; it raises one where the whole unit is unreadable. `decide` is pure, and what it says of many
    records is what it says of each. Where an event's contract refuses a value, it raises: that record is set aside.
    """

    name: str
    version: int
    expects: str
    """What it looks for under its root, for the error when there is none."""

    def units(self, root: Path) -> list[Unit]: ...

    def read(self, root: Path, unit: Unit) -> Iterable[Record | UnreadableRecord]: ...

    def decide(self, records: Iterable[Any]) -> list[Event]: ...

"""The event store on a local disk: append events, list their files, verify them.

<root>/<event_type>/month=YYYY-MM/<sha256 of the sorted event ids>.parquet, by the UTC month of `occurred_at`; where
an id leaves the time out, the name does not.
Arrow and the contracts are imported late: they take 0.4 s, and a collect or a build with nothing new does without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from collectors import atomic
from models.columns import kinds
from models.identity import EPOCH, sha256_hex
from models.vocabulary import Basis

if TYPE_CHECKING:
    import pyarrow as pa

    from collectors.verify import Damage
    from models import Event

ROWS_PER_FILE = 100_000
BYTES_PER_FILE = 64_000_000
"""Of the rows in memory, which is more than they take on disk."""

SCHEMA_MONTH = "month=0000-00"
EVENT_FILE = re.compile(r"[0-9a-f]{64}\.parquet")
FINEST_BASIS_FIRST = get_args(Basis)


@dataclass(frozen=True)
class Appended:
    """What an append left behind: every file that holds the batch, and how many of them are new."""

    files: tuple[Path, ...]
    events: int
    new_files: int


class LocalStore:
    """Immutable Parquet files under one folder. Any number of processes may append, list and read at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def append(self, events: Iterable[Event], recorded_at: datetime | None = None) -> Appended:
        """Append one batch: a file per type and month, each visible whole or not at all.

        A batch that is there already changes nothing. `recorded_at` is now, unless a test says otherwise.
        """
        moment = (recorded_at or datetime.now(UTC)).astimezone(UTC)
        kept = sorted(_one_per_id(events), key=_place)
        tables = {
            self.root / folder / _name(part): table
            for folder, batch in groupby(kept, key=_folder)
            for part, table in _parts(list(batch), moment)
        }
        new_files = sum(_publish(path, table) for path, table in tables.items())
        return Appended(tuple(tables), len(kept), new_files)

    def append_rows(self, event_type: str, batches: Sequence[pa.RecordBatch]) -> Appended:
        """Append rows of one type that `column_files.rows_of` made; as `append`, for sources with too many events.

        Of rows with one id the first stays.
        """
        import pyarrow as pa

        table = pa.Table.from_batches(batches).combine_chunks()
        times, ids = _times(table), table.column("event_id").to_pylist()
        rows = _in_place(times, ids)
        parts = dict(
            _named_parts(
                self.root / event_type, table.take(rows), [ids[row] for row in rows], [times[row] for row in rows]
            )
        )
        return Appended(tuple(parts), len(rows), sum(_publish(path, part) for path, part in parts.items()))

    def files(self) -> dict[str, list[Path]]:
        """The files of each event type, its schema file first; every type has one, also in an empty store."""
        from models import EVENTS

        self.ensure_schemas()
        return {name: [self._schema_file(kind), *self._event_files(name)] for name, kind in EVENTS.items()}

    def ensure_schemas(self) -> None:
        """Write the zero-row file of each type that has none for its columns of today."""
        from models import EVENTS

        for kind in EVENTS.values():
            path = self._schema_file(kind)
            if not path.exists():
                _publish_schema(path, kind)

    def verify(self) -> list[Damage]:
        """What is not as it was written: files that do not read, or whose content is not what their name says."""
        from collectors.verify import find_damage

        return find_damage(self.root)

    def _schema_file(self, kind: type[Event]) -> Path:
        """Columns are only ever added, so their names tell a schema."""
        columns = sha256_hex(",".join(kind.model_fields))
        return self.root / kind.event_type / SCHEMA_MONTH / f"schema-{columns[:16]}.parquet"

    def _event_files(self, event_type: str) -> Iterator[Path]:
        found = (self.root / event_type).glob("month=*/*.parquet")
        return iter(sorted(path for path in found if EVENT_FILE.fullmatch(path.name)))


def _one_per_id(events: Iterable[Event]) -> list[Event]:
    """One event per id: the earliest, then the one from the finest time, then from the first place in the source."""
    kept: dict[str, Event] = {}
    for event in events:
        other = kept.setdefault(event.event_id, event)
        if other is not event and _seniority(event) < _seniority(other):
            kept[event.event_id] = event
    return list(kept.values())


def _seniority(event: Event) -> tuple[datetime, int, str, int, str]:
    offset = -1 if event.source_offset is None else event.source_offset
    basis = FINEST_BASIS_FIRST.index(event.occurred_at_basis)
    return event.occurred_at, basis, event.source_ref, offset, event.producer


def month_of(moment: datetime) -> str:
    """The folder of a UTC month."""
    return f"month={moment.year:04d}-{moment.month:02d}"


@cache
def _month_of_day(day: int) -> str:
    return month_of(EPOCH + timedelta(days=day))


def _place(event: Event) -> tuple[str, datetime, str]:
    return event.event_type, event.occurred_at, event.event_id


def _folder(event: Event) -> str:
    return f"{event.event_type}/{month_of(event.occurred_at)}"


def _name(events: Sequence[Event]) -> str:
    from collectors.event_files import file_name

    ids = (event.event_id for event in events)
    return file_name(type(events[0]), ids, (event.occurred_at for event in events))


def _parts(events: Sequence[Event], recorded_at: datetime) -> Iterator[tuple[Sequence[Event], pa.Table]]:
    """Events of one type and month, in as few files as the limits allow."""
    from collectors.event_files import to_table

    table = to_table(events, recorded_at)
    rows = _rows_per_file(table)
    for start in range(0, len(events), rows):
        yield events[start : start + rows], table.slice(start, rows)


def _rows_per_file(table: pa.Table) -> int:
    return max(1, min(ROWS_PER_FILE, BYTES_PER_FILE * table.num_rows // max(1, table.nbytes)))


def _in_place(times: Sequence[int], ids: Sequence[str]) -> list[int]:
    """The rows in the order in which they are stored, each id once."""
    first = dict(zip(reversed(ids), range(len(ids) - 1, -1, -1), strict=True))
    return [row for _, _, row in sorted((times[row], event_id, row) for event_id, row in first.items())]


def _times(table: pa.Table) -> list[int]:
    """When the events of one chunk occurred, in µs since 1970 UTC."""
    return table.column("occurred_at").chunk(0).view("int64").to_pylist()


def _named_parts(
    folder: Path, table: pa.Table, ids: Sequence[str], times: Sequence[int]
) -> Iterator[tuple[Path, pa.Table]]:
    """The rows of each month in as few files as the limits allow; all are in the order of their times."""
    from collectors.column_files import file_name

    most, is_time_hashed = _rows_per_file(table), kinds()[folder.name].is_time_hashed
    for month, rows in groupby(range(len(times)), key=lambda row: _month_of_day(times[row] // 86_400_000_000)):
        whole = list(rows)
        for start in range(0, len(whole), most):
            part = slice(whole[start], whole[start : start + most][-1] + 1)
            name = file_name(is_time_hashed, ids[part], times[part])
            yield folder / month / name, table.slice(part.start, part.stop - part.start)


def _publish(path: Path, table: pa.Table) -> bool:
    from collectors.column_files import write

    return not path.exists() and atomic.publish(path, lambda file: write(table, file))


def _publish_schema(path: Path, kind: type[Event]) -> None:
    from collectors.event_files import schema_of

    _publish(path, schema_of(kind).empty_table())

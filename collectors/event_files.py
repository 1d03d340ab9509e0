"""Events to Parquet and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from models import EVENTS, Event
from models.columns import Column, Columns, Constant, Times
from models.identity import microseconds, sha256_hex
from models.schemas import STORED_BESIDE_THE_PAYLOAD, arrow_schema

STAMPED = {field.name for field in STORED_BESIDE_THE_PAYLOAD}

schema_of = cache(arrow_schema)


def file_name(kind: type[Event], event_ids: Iterable[str], times: Iterable[datetime]) -> str:
    """A file is named by what is in it, so that the same batch is the same file.

    Where an event's time is no part of its id, the time is named as well: an earlier sighting of the same is news.
    """
    names = event_ids if kind.is_time_hashed else map(_sighting, event_ids, times)
    return f"{sha256_hex(chr(10).join(sorted(names)))}.parquet"


def _sighting(event_id: str, at: datetime) -> str:
    return f"{event_id} {microseconds(at)}"


def to_table(events: Sequence[Event], recorded_at: datetime) -> pa.Table:
    """The rows of events of one type, in their order."""
    kind, count = type(events[0]), len(events)
    schema = schema_of(kind)
    stamped = {
        "event_id": [event.event_id for event in events],
        "event_type": [kind.event_type] * count,
        "schema_version": [kind.schema_version] * count,
        "recorded_at": [recorded_at] * count,
    }
    payload = tuple(kind.model_fields)
    # Row by row: walking the events once a column is four times slower.
    rows = map(itemgetter(*payload), map(vars, events))
    columns = {**stamped, **dict(zip(payload, zip(*rows, strict=True), strict=True))}
    return pa.Table.from_arrays([_array(columns[field.name], field.type) for field in schema], schema=schema)


def columns_to_table(kind: type[Event], columns: Columns, event_ids: Sequence[str], recorded_at: datetime) -> pa.Table:
    """The rows of events of one type that are told as columns, in their order."""
    count = len(event_ids)
    stamped = {
        "event_id": event_ids,
        "event_type": Constant(kind.event_type),
        "schema_version": Constant(kind.schema_version),
        "recorded_at": Constant(recorded_at),
    }
    every = {**stamped, **columns}
    schema = schema_of(kind)
    arrays = [_column(every.get(field.name, Constant(None)), field.type, count) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _column(column: Column, kind: pa.DataType, count: int) -> pa.Array:
    if isinstance(column, Constant):
        return pa.repeat(pa.scalar(column.value, type=kind), count)
    if isinstance(column, Times):
        return pa.array(column, type=pa.int64()).cast(kind)
    return _map_array(column, kind) if pa.types.is_map(kind) else pa.array(column, type=kind)


def _map_array(rows: Sequence[dict[str, int] | None], kind: pa.DataType) -> pa.Array:
    offsets = [0, *accumulate(0 if row is None else len(row) for row in rows)]
    known = [None if row is None else at for row, at in zip(rows, offsets, strict=False)]
    ordered = [(row, _sorted_keys(tuple(row))) for row in rows if row]
    keys = pa.array([key for _, keys in ordered for key in keys], type=kind.key_type)
    values = pa.array([row[key] for row, keys in ordered for key in keys], type=kind.item_type)
    return pa.MapArray.from_arrays(pa.array([*known, offsets[-1]], type=pa.int32()), keys, values)


@lru_cache(maxsize=1000)
def _sorted_keys(keys: tuple[str, ...]) -> list[str]:
    return sorted(keys)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_map(kind):
        values = [None if value is None else sorted(value.items()) for value in values]
    return pa.array(values, type=kind)


def write(table: pa.Table, file: BinaryIO) -> None:
    """Write a Parquet file whose every page carries its checksum.

    No statistics: nobody would notice a flipped bit in them, and a build reads every row anyway.
    """
    pq.write_table(table, file, compression="zstd", write_page_checksum=True, write_statistics=False)


def read_table(path: Path) -> pa.Table:
    """Every row, after checking every page's checksum. Raises what Arrow raises for a file that is none."""
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read()


def read_events(path: Path) -> list[Event]:
    """The events of one file, in their order; columns that it is too old to have are null."""
    return events_in(read_table(path))


def events_in(table: pa.Table) -> list[Event]:
    """The events that a table's rows are. Raises ValueError where a row is none."""
    names = [name for name in table.column_names if name not in STAMPED]
    columns = [_plain(table.column(name)) for name in names]
    kinds = map(EVENTS.__getitem__, table.column("event_type").to_pylist())
    rows = zip(*columns, strict=True)
    return [kind.model_validate(dict(zip(names, row, strict=True))) for kind, row in zip(kinds, rows, strict=True)]


def _plain(column: pa.ChunkedArray) -> list[Any]:
    values = column.to_pylist()
    if not pa.types.is_map(column.type):
        return values
    return [None if value is None else dict(value) for value in values]

"""Events as columns to Parquet, without the contracts, which take long to load; `event_files` has the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import accumulate
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from models.columns import Column, Columns, Constant, event_ids, kinds, sorted_keys
from models.identity import microseconds, sha256_hex

_NOT_NULL = " not null"
_TYPES = {
    str(kind): kind
    for kind in (
        pa.string(), pa.bool_(), pa.int32(), pa.int64(), pa.float64(), pa.timestamp("us", tz="UTC"),
        pa.list_(pa.string()), pa.map_(pa.string(), pa.int64()), pa.decimal128(38, 12), pa.decimal128(18, 12),
    )
}  # fmt: skip


@cache
def schema_of(event_type: str) -> pa.Schema:
    """The columns of one event type, as its contract has them."""
    return pa.schema([_field(name, text) for name, text in kinds()[event_type].columns.items()])


def _field(name: str, text: str) -> pa.Field:
    return pa.field(name, _TYPES[text.removesuffix(_NOT_NULL)], nullable=not text.endswith(_NOT_NULL))


def file_name(is_time_hashed: bool, event_ids: Iterable[str], times_us: Iterable[int]) -> str:
    """A file is named by what is in it, so that the same batch is the same file.

    Where an event's time is no part of its id, the time is named as well: an earlier sighting of the same is news.
    """
    names = event_ids if is_time_hashed else [f"{name} {at}" for name, at in zip(event_ids, times_us, strict=True)]
    return f"{sha256_hex(chr(10).join(sorted(names)))}.parquet"


def rows_of(event_type: str, columns: Columns, count: int, recorded_at: datetime) -> pa.RecordBatch:
    """The rows of events of one type that are told as columns, in their order."""
    every: dict[str, Column] = {
        "event_id": event_ids(event_type, columns, count),
        "event_type": Constant(event_type),
        "schema_version": Constant(kinds()[event_type].schema_version),
        "recorded_at": Constant(microseconds(recorded_at)),
        **columns,
    }
    schema = schema_of(event_type)
    arrays = [_array(every.get(field.name, Constant(None)), field.type, count) for field in schema]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(column: Column, kind: pa.DataType, count: int) -> pa.Array:
    if isinstance(column, Constant):
        return pa.repeat(pa.scalar(column.value, type=kind), count)
    return _map_array(column, kind) if pa.types.is_map(kind) else pa.array(column, type=kind)


def _map_array(rows: Sequence[dict[str, int] | None], kind: pa.DataType) -> pa.Array:
    if None not in rows and len({tuple(row) for row in rows if row is not None}) == 1:
        return _map_array_of_same_keys(cast("Sequence[dict[str, int]]", rows), kind)
    offsets = [0, *accumulate(0 if row is None else len(row) for row in rows)]
    known = [None if row is None else at for row, at in zip(rows, offsets, strict=False)]
    keys: list[str] = []
    values: list[int] = []
    for row in filter(None, rows):
        ordered = sorted_keys(tuple(row))
        keys += ordered
        values += map(row.__getitem__, ordered)
    entries = pa.array(keys, type=kind.key_type), pa.array(values, type=kind.item_type)
    return pa.MapArray.from_arrays(pa.array([*known, offsets[-1]], type=pa.int32()), *entries)


def _map_array_of_same_keys(rows: Sequence[dict[str, int]], kind: pa.DataType) -> pa.Array:
    """Most maps of one agent have the keys of the one before: half the time."""
    ordered = sorted_keys(tuple(rows[0]))
    values = [row[key] for row in rows for key in ordered]
    return pa.MapArray.from_arrays(*_keys_of(ordered, len(rows), kind), pa.array(values, type=kind.item_type))


@lru_cache(maxsize=16)
def _keys_of(ordered: tuple[str, ...], count: int, kind: pa.DataType) -> tuple[pa.Array, pa.Array]:
    """Where each of `count` maps begins, and the keys of all."""
    offsets = range(0, count * len(ordered) + 1, len(ordered)) if ordered else [0] * (count + 1)
    return pa.array(offsets, type=pa.int32()), pa.array(ordered * count, type=kind.key_type)


_SELDOM_TWICE = frozenset(
    {
        "event_id", "turn_id", "attempt_id", "subject_id", "message_id", "request_id", "response_id",
        "occurred_at", "source_offset", "ordinal", "duration_ms", "tool_call_ids.list.element",
    }
)  # fmt: skip
"""Columns with no dictionary, which a file of agents' turns is a quarter quicker and a tenth smaller without."""


def write(table: pa.Table, file: BinaryIO) -> None:
    """Write a Parquet file whose every page carries its checksum.

    No statistics: nobody would notice a flipped bit in them, and a build reads every row anyway.
    """
    dictionaries = [path for field in table.schema if (path := _path_of_texts(field)) not in _SELDOM_TWICE]
    pq.write_table(
        table,
        file,
        compression="zstd",
        write_page_checksum=True,
        write_statistics=False,
        use_dictionary=dictionaries,  # type: ignore[arg-type]
    )


def _path_of_texts(field: pa.Field) -> str:
    """What Parquet calls a column, or what in it are texts."""
    if pa.types.is_list(field.type):
        return f"{field.name}.list.element"
    return f"{field.name}.key_value.key" if pa.types.is_map(field.type) else field.name

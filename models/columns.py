"""Many events of one type as columns, for sources with more of them than there is time to make one by one.

The same identity as `Event.event_id`, spelled a column at a time; tests hold both against each other, and every such
event against its contract. The contracts themselves take pydantic 0.2 s to load, so what is needed of them is written
down in `column_kinds.json`, which a test compares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from models.identity import encode

KINDS = Path(__file__).with_name("column_kinds.json")
"""Written by `python -m models.column_kinds`."""


class Kind(msgspec.Struct, frozen=True):
    """What columns have to know of an event type."""

    event_type: str
    schema_version: int
    natural_key: tuple[str, ...]
    is_time_hashed: bool
    hashed: tuple[str, ...]
    """The fields of the payload that are part of an id, in the order in which they are."""
    between: str
    """What stands between the natural key and the payload in what is hashed."""
    columns: dict[str, str]
    """Column -> its Arrow type as Arrow spells it, in the order of the file; first what the store stamps."""


@cache
def kinds() -> dict[str, Kind]:
    """Every event type by its name."""
    return msgspec.json.decode(KINDS.read_bytes(), type=dict[str, Kind])


class Constant(NamedTuple):
    """A column that holds one value in every row."""

    value: Any


class Times(list[int]):
    """A column of times in whole µs since 1970 UTC."""


Column = Sequence[Any] | Constant
Columns = Mapping[str, Column]
"""Field -> its values in the order of the rows, as the contract has them but for `Times`. A missing field is null."""


def column(values: Sequence[Any]) -> Column:
    """Values as a column; as a constant where they are all the same text, or all null."""
    first = values[0]
    is_plain = first is None or isinstance(first, str)
    return Constant(first) if is_plain and values.count(first) == len(values) else values


def in_rows(values: Column, rows: Sequence[int]) -> Column:
    """What a column has in some of its rows."""
    if isinstance(values, Constant):
        return values
    some = [values[row] for row in rows]
    return Times(some) if isinstance(values, Times) else some


def event_ids(event_type: str, columns: Columns, count: int) -> list[str]:
    """The id of each of `count` rows: sha256 as 64 hex digits."""
    parts, last = _parts(kinds()[event_type], columns)
    rows = map("".join, zip(*parts, strict=True)) if parts else repeat("", count)
    sha256 = hashlib.sha256
    return [sha256((row + last).encode("utf-8", "surrogatepass")).hexdigest() for row in rows]


_NO_VALUE = Constant(None)
_NULL = encode(None)


def _parts(kind: Kind, columns: Columns) -> tuple[list[list[str]], str]:
    """What is hashed: the spellings of each column that varies, behind what is the same in every row; and the end."""
    parts: list[list[str]] = []
    before = encode(kind.event_type) + encode(kind.schema_version)
    for label, each, null in _hashed(kind, columns):
        if isinstance(each, str):
            before += each
        elif isinstance(each, Constant):
            before += null if each.value is None else label + encode(each.value)
        else:
            parts.append(_spelled(before, label, each, null))
            before = ""
    return parts, before


def _hashed(kind: Kind, columns: Columns) -> Iterator[tuple[str, Column | str, str]]:
    """The columns that make an id, in order: each one's label, and what stands for a value that is null."""
    for name in kind.natural_key:
        yield "", columns.get(name, _NO_VALUE), _NULL
    yield "", kind.between, ""
    for name in kind.hashed:
        if name in columns:
            yield encode(name), columns[name], ""


SELDOM_DIFFERENT = 4
"""Where a column has this many times more rows than values, each value is spelled once."""


def _spelled(before: str, label: str, values: Sequence[Any], null: str) -> list[str]:
    """A column's values, each behind its label and what stands before it; `null` for a row without a value."""
    begin, nothing = before + label, before + null
    if isinstance(values, Times):
        return [f"{begin}t{value}:" for value in values]
    first = next((value for value in values if value is not None), None)
    if isinstance(first, str):
        return _texts(begin, nothing, values)
    if isinstance(first, dict):
        return [nothing if value is None else begin + _mapping(value) for value in values]
    if isinstance(first, tuple):
        return [nothing if value is None else begin + _texts_in_order(value) for value in values]
    return [nothing if value is None else begin + encode(value) for value in values]


def _texts(begin: str, nothing: str, values: Sequence[str | None]) -> list[str]:
    different = set(values)
    if len(different) * SELDOM_DIFFERENT > len(values):
        return [nothing if value is None else f"{begin}s{len(value)}:{value}" for value in values]
    spelled = {value: nothing if value is None else f"{begin}s{len(value)}:{value}" for value in different}
    return list(map(spelled.__getitem__, values))


def _texts_in_order(texts: tuple[str, ...]) -> str:
    """As `encode`; most have one text."""
    if len(texts) == 1:
        text = texts[0]
        return f"l1:s{len(text)}:{text}"
    return encode(texts)


def _mapping(counts: Mapping[str, int]) -> str:
    """As `encode`, in one step: maps of counts mostly have the same few sets of keys."""
    keys = tuple(counts)
    return _template(keys) % tuple(map(counts.__getitem__, sorted_keys(keys)))


@lru_cache(maxsize=1000)
def _template(keys: tuple[str, ...]) -> str:
    text = "".join(encode(key).replace("%", "%%") + "i%d:" for key in sorted_keys(keys))
    return f"m{len(keys)}:{text}"


@lru_cache(maxsize=1000)
def sorted_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of a map in the order in which it is hashed and stored."""
    return tuple(sorted(keys))

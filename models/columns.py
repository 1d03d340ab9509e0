"""Many events of one type as columns, for sources with more of them than there is time to make one by one.

The same identity as `Event.event_id`, spelled a column at a time; tests hold both against each other, and every such
event against its contract.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Any

from models.base import BETWEEN, NULL, Event, hashed_fields
from models.identity import encode


@dataclass(frozen=True)
class Constant:
    """A column that holds one value in every row."""

    value: Any


class Times(list[int]):
    """A column of times in whole µs since 1970 UTC."""


Column = Sequence[Any] | Constant
Columns = Mapping[str, Column]
"""Field -> its values in the order of the rows, as the contract has them but for `Times`. A missing field is null."""


def event_ids(kind: type[Event], columns: Columns, count: int) -> list[str]:
    """The id of each of `count` rows: sha256 as 64 hex digits."""
    head, fields = hashed_fields(kind)
    key = [_spelled("", columns.get(name, _NO_VALUE), NULL) for name in kind.natural_key]
    payload = [_spelled(label, columns[name], "") for name, label in fields if name in columns]
    parts = _joined([head, *key, BETWEEN, *payload])
    rows = zip(*(repeat(part, count) if isinstance(part, str) else part for part in parts), strict=True)
    sha256 = hashlib.sha256
    return [sha256("".join(row).encode("utf-8", "surrogatepass")).hexdigest() for row in rows]


_NO_VALUE = Constant(None)

Spelled = str | list[str]
"""What every row says, or what each does."""


def _spelled(label: str, column: Column, null: str) -> Spelled:
    """A column's values, each behind its label; `null` for a row without a value."""
    if isinstance(column, Constant):
        return null if column.value is None else label + encode(column.value)
    if isinstance(column, Times):
        return [f"{label}t{value}:" for value in column]
    first = next((value for value in column if value is not None), None)
    if isinstance(first, str):
        return [null if value is None else f"{label}s{len(value)}:{value}" for value in column]
    if isinstance(first, dict):
        return [null if value is None else label + _mapping(value) for value in column]
    return [null if value is None else label + encode(value) for value in column]


def _mapping(counts: Mapping[str, int]) -> str:
    """As `encode`, in one step: maps of counts mostly have the same few sets of keys."""
    keys, template = _template(tuple(counts))
    return template % tuple(map(counts.__getitem__, keys))


@lru_cache(maxsize=1000)
def _template(keys: tuple[str, ...]) -> tuple[list[str], str]:
    ordered = sorted(keys)
    text = "".join(encode(key).replace("%", "%%") + "i%d:" for key in ordered)
    return ordered, f"m{len(ordered)}:{text}"


def _joined(parts: Sequence[Spelled]) -> list[Spelled]:
    """The same with neighbours that are the same in every row made one."""
    joined: list[Spelled] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        else:
            joined.append(part)
    return joined

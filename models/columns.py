"""Many events of one type as columns, for sources with more of them than there is time to make one by one.

The same identity as `Event.event_id`, spelled a column at a time; tests hold both against each other, and every such
event against its contract.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    spelled = {name: _spelled(columns[name]) for name, _ in fields if name in columns}
    key = [_keyed(spelled.get(name, NULL)) for name in kind.natural_key]
    payload = [_labelled(label, spelled[name]) for name, label in fields if name in spelled]
    parts = _joined([head, *key, BETWEEN, *payload])
    rows = zip(*([part] * count if isinstance(part, str) else part for part in parts), strict=True)
    sha256 = hashlib.sha256
    return [sha256("".join(row).encode("utf-8", "surrogatepass")).hexdigest() for row in rows]


Spelled = str | list[str | None]
"""What every row says, or what each does; None where a row has no value."""


def _spelled(column: Column) -> Spelled:
    if isinstance(column, Constant):
        return "" if column.value is None else encode(column.value)
    if isinstance(column, Times):
        return [f"t{value}:" for value in column]
    known: dict[Any, str | None] = {None: None}
    if column and isinstance(next((value for value in column if value is not None), None), dict):
        return [None if value is None else encode(value) for value in column]
    return [known[value] if value in known else known.setdefault(value, encode(value)) for value in column]


def _keyed(spelled: Spelled) -> str | list[str]:
    if isinstance(spelled, str):
        return spelled or NULL
    return [NULL if text is None else text for text in spelled]


def _labelled(label: str, spelled: Spelled) -> str | list[str]:
    if isinstance(spelled, str):
        return label + spelled if spelled else ""
    return ["" if text is None else label + text for text in spelled]


def _joined(parts: Sequence[str | list[str]]) -> list[str | list[str]]:
    """The same with neighbours that are the same in every row made one."""
    joined: list[str | list[str]] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        else:
            joined.append(part)
    return joined

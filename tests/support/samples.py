"""Any event there can be: one example of each type with every field filled, and a hypothesis strategy for the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args, get_origin

import pyarrow as pa
from hypothesis import strategies as st

from models import EVENTS, Event
from models.schemas import arrow_schema

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20) | st.sampled_from(
    ["n", "1:", "s1:a", "s2:1:", "|", "i1:", "b1", "unstated", "null", "0", "é", "e\u0301", "\x00", "=1+1"]
)


def required(kind: type[Event]) -> frozenset[str]:
    """The fields that an event of this type cannot do without."""
    return frozenset(name for name, info in kind.model_fields.items() if info.is_required())


def examples() -> list[Event]:
    """One event of each type, with every field filled."""
    return [example(kind) for kind in EVENTS.values()]


def example(kind: type[Event], **changes: Any) -> Event:
    """An event with every field filled, but for the changes."""
    filled = {name: _one(kind, name) for name in kind.model_fields}
    return kind.model_validate(filled | changes)


def _one(kind: type[Event], name: str) -> Any:
    allowed, column = words(kind, name), arrow_schema(kind).field(name).type
    if allowed:
        return allowed[0]
    if pa.types.is_list(column):
        return ("a", "b")
    if pa.types.is_map(column):
        return {"prompt_tokens": 3, "completion_tokens": 2}
    return {
        pa.string(): f"some {name}",
        pa.bool_(): True,
        pa.int64(): 7,
        pa.float64(): 1.5,
        pa.timestamp("us", tz="UTC"): NOON,
    }.get(column, Decimal("0.25"))


def fields_of(kind: type[Event]) -> st.SearchStrategy[dict[str, Any]]:
    """Keyword arguments that make an event of this type."""
    always = {name: _values(kind, name) for name in kind.model_fields if name in required(kind)}
    sometimes = {name: _values(kind, name) for name in kind.model_fields if name not in required(kind)}
    return st.fixed_dictionaries(always, optional=sometimes)


def events() -> st.SearchStrategy[Event]:
    """Any event of any type."""
    return st.sampled_from(list(EVENTS.values())).flatmap(lambda kind: fields_of(kind).map(kind.model_validate))


def words(kind: type[Event], name: str) -> tuple[str, ...]:
    """The words that a field is limited to; none where it is free."""
    pending = [kind.model_fields[name].annotation]
    while pending:
        annotation = pending.pop()
        if get_origin(annotation) is Literal:
            return get_args(annotation)
        pending.extend(get_args(annotation) if get_origin(annotation) is not Annotated else get_args(annotation)[:1])
    return ()


def _values(kind: type[Event], name: str) -> st.SearchStrategy[Any]:
    allowed, column = words(kind, name), arrow_schema(kind).field(name).type
    if allowed:
        return st.sampled_from(allowed)
    if pa.types.is_decimal(column):
        largest = Decimal(10) ** (column.precision - 12) - 2
        return st.decimals(Decimal("1e-12"), largest, allow_nan=False, allow_infinity=False)
    if pa.types.is_list(column):
        return st.lists(TEXTS, max_size=3).map(tuple)
    if pa.types.is_map(column):
        return st.dictionaries(TEXTS, st.integers(-(2**63), 2**63 - 1), max_size=3)
    return {
        pa.string(): TEXTS,
        pa.bool_(): st.booleans(),
        pa.int64(): st.integers(1, 2**63 - 1),
        pa.float64(): st.floats(0, allow_nan=False, allow_infinity=False),
        pa.timestamp("us", tz="UTC"): st.datetimes(timezones=st.just(UTC)),
    }[column]

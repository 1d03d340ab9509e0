"""Events that are told as columns are the events that the contracts make."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import NOON, events

from collectors.column_files import rows_of, schema_of
from collectors.event_files import events_in
from models import EVENTS, Event, TokensReported, column_kinds
from models.columns import KINDS, Column, Constant, Times, column, event_ids
from models.identity import microseconds
from models.schemas import arrow_schema


def columns_of(rows: Sequence[Event]) -> dict[str, Column]:
    """The payload of events of one type, a column a field; one that is the same in every row as a constant."""
    return {name: _column([getattr(row, name) for row in rows]) for name in type(rows[0]).model_fields}


def _column(values: list[Any]) -> Column:
    if all(value == values[0] for value in values):
        return Constant(values[0])
    if all(isinstance(value, datetime) for value in values):
        return Times(map(microseconds, values))
    return values


@given(st.lists(events(), min_size=1, max_size=8))
def test_a_row_has_the_id_of_the_event_that_it_is(rows: list[Event]) -> None:
    for kind in {type(row) for row in rows}:
        some = [row for row in rows if type(row) is kind]
        assert event_ids(kind.event_type, columns_of(some), len(some)) == [row.event_id for row in some]


@given(st.lists(events(), min_size=1, max_size=5))
def test_a_row_reads_back_as_the_event_that_it_is(rows: list[Event]) -> None:
    for kind in {type(row) for row in rows}:
        some = [row for row in rows if type(row) is kind]
        columns = columns_of(some)
        table = pa.Table.from_batches([rows_of(kind.event_type, columns, len(some), NOON)])
        assert events_in(table) == some


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_a_column_that_is_left_out_is_null(kind: type[Event]) -> None:
    times = Times([microseconds(NOON)])
    rows = rows_of(kind.event_type, {"occurred_at": times}, 1, NOON)
    empty = {name for name in kind.model_fields if rows.column(name).null_count}
    assert empty == set(kind.model_fields) - {"occurred_at"}


def test_maps_with_other_keys_in_other_orders_are_spelled_as_the_contract_spells_them() -> None:
    counts = [{"b": 1, "a": -2}, {"a": -2, "b": 1}, {}, {"100%": 3, "é": 0}, None]
    shared: dict[str, Any] = {"subject_kind": "turn", "subject_id": "t", "source": "agent_log", "usage_format": "x"}
    rows = [
        TokensReported(occurred_at=NOON, producer="p/1", source_ref="r", raw_counts=each, **shared)
        for each in counts
        if each is not None
    ]
    columns = columns_of(rows) | {"raw_counts": [each for each in counts if each is not None]}
    assert event_ids("tokens_reported", columns, len(rows)) == [row.event_id for row in rows]


def test_amounts_of_one_value_are_one_amount() -> None:
    ids = [
        event_ids("cost_reported", {"amount": [amount], "occurred_at": Times([0])}, 1)
        for amount in (Decimal("1.5"), Decimal("1.500000000000"))
    ]
    assert ids[0] == ids[1]


def test_what_columns_know_of_the_contracts_is_what_the_contracts_say() -> None:
    assert column_kinds.written() == KINDS.read_bytes(), "run `python -m models.column_kinds`"


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_columns_are_stored_in_the_schema_of_the_contract(kind: type[Event]) -> None:
    assert schema_of(kind.event_type).equals(arrow_schema(kind), check_metadata=True)


def test_what_is_the_same_in_every_row_is_a_constant() -> None:
    assert column(["a", "a"]) == Constant("a")
    assert column([None, None]) == Constant(None)
    assert column(["a", None]) == ["a", None]
    assert column([0, 0]) == [0, 0]


@pytest.mark.parametrize("counts", [[{"b": 2, "a": 1}, {"b": 0, "a": 5}], [{}, {}], [{"a": 1}, {"b": 1}, {}]])
def test_maps_read_back_whether_or_not_all_have_the_same_keys(counts: list[dict[str, int]]) -> None:
    shared: dict[str, Any] = {"subject_kind": "turn", "subject_id": "t", "source": "agent_log", "usage_format": "x"}
    rows = [
        TokensReported(occurred_at=NOON, producer="p/1", source_ref="r", raw_counts=each, **shared) for each in counts
    ]
    columns = columns_of(rows) | {"raw_counts": counts}
    table = pa.Table.from_batches([rows_of("tokens_reported", columns, len(rows), NOON)])
    assert events_in(table) == rows

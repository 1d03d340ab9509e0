"""What makes an event that event."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import create_model
from samples import NOON, TEXTS, events, example, examples, fields_of, words

from models import EVENTS, CostReported, Event, RunFinished, TaskDefined, TokensReported
from models.base import UNHASHED
from models.identity import digest, encode

STAMP: dict[str, Any] = {"occurred_at": NOON, "producer": "test/1", "source_ref": "here"}
COST: dict[str, Any] = STAMP | {
    "subject_kind": "run",
    "subject_id": "r",
    "source": "run_report",
    "cost_basis": "client_estimate",
    "amount": "1.5",
}


def hashed(event: Event) -> dict[str, Any]:
    """What an event's id is made of."""
    left_out = UNHASHED if event.is_time_hashed else UNHASHED | {"occurred_at", "occurred_at_basis"}
    return {"type": event.event_type, **event.model_dump(exclude=set(left_out), exclude_none=True)}


def changed(event: Event, name: str) -> Any:
    """Another value of a field, as near as can be."""
    value = getattr(event, name)
    match value:
        case bool():
            return not value
        case str():
            return next((word for word in words(type(event), name) if word != value), f"{value} ")
        case datetime():
            return value + timedelta(microseconds=1)
        case tuple():
            return (*value, "c")
        case dict():
            return value | {"more": 0}
        case _:
            return value + 1


def with_change(event: Event, name: str) -> Event:
    return event.model_copy(update={name: changed(event, name)})


@given(st.data(), st.sampled_from(list(EVENTS.values())))
def test_the_order_of_fields_changes_no_id(data: st.DataObject, kind: type[Event]) -> None:
    fields = data.draw(fields_of(kind))
    shuffled = data.draw(st.permutations(list(fields.items())))
    assert kind.model_validate(dict(shuffled)).event_id == kind.model_validate(fields).event_id


@given(st.dictionaries(TEXTS, st.integers(-(2**63), 2**63 - 1), min_size=2), st.randoms(use_true_random=False))
def test_the_order_of_a_map_changes_no_id(counts: dict[str, int], chance: random.Random) -> None:
    items = list(counts.items())
    chance.shuffle(items)
    assert (
        example(TokensReported, raw_counts=counts).event_id == example(TokensReported, raw_counts=dict(items)).event_id
    )


@given(events(), events())
def test_two_different_events_never_share_an_id(one: Event, other: Event) -> None:
    assert (one.event_id == other.event_id) == (hashed(one) == hashed(other))


@given(st.data(), st.sampled_from(list(EVENTS.values())))
def test_two_different_events_of_one_type_never_share_an_id(data: st.DataObject, kind: type[Event]) -> None:
    one, other = data.draw(fields_of(kind)), data.draw(fields_of(kind))
    mixed = one | dict(data.draw(st.lists(st.sampled_from(sorted(other.items(), key=str)), max_size=2)))
    first, second = kind.model_validate(one), kind.model_validate(mixed)
    assert (first.event_id == second.event_id) == (hashed(first) == hashed(second))


@given(st.lists(TEXTS | st.none(), min_size=1, max_size=4), st.lists(TEXTS | st.none(), min_size=1, max_size=4))
def test_parts_that_run_together_are_told_apart(one: list[str | None], other: list[str | None]) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)


def test_look_alikes_are_told_apart() -> None:
    values = [
        None,
        "",
        "n",
        "None",
        "0",
        0,
        0.0,
        False,
        Decimal(0),
        "i0:",
        "s1:a",
        "a",
        ("a",),
        ("a", ""),
        ("", "a"),
        (),
    ]
    spelled = [
        encode(value)
        for value in [*values, {}, {"a": 1}, {"a:1": 1}, {"a": 11}, {"a": 1, "b": 1}, datetime(1970, 1, 1, tzinfo=UTC)]
    ]
    assert len(set(spelled)) == len(spelled)
    assert not [pair for pair in combinations(spelled, 2) if pair[0].startswith(pair[1]) or pair[1].startswith(pair[0])]


def test_text_that_moves_over_a_field_boundary_makes_another_event() -> None:
    claims = [
        example(EVENTS["claim_published"], source=source, table_name=table, metric=metric)
        for source, table, metric in [
            ("ab", "c", "d"),
            ("a", "bc", "d"),
            ("a", "b", "cd"),
            ("a", "b", "c"),
            ("as1:b", "c", "d"),
        ]
    ]
    assert len({claim.event_id for claim in claims}) == len(claims)


def test_the_same_text_in_another_field_makes_another_event() -> None:
    ids = {
        RunFinished.model_validate(STAMP | {"run_id": "r", "outcome": "completed", name: "x"}).event_id
        for name in ("outcome_detail", "patch_hash", "artifacts_hash")
    }
    assert len(ids) == 3


@pytest.mark.parametrize("event", examples(), ids=lambda event: event.event_type)
def test_each_hashed_field_counts_and_no_other_does(event: Event) -> None:
    counting = {name for name in type(event).model_fields if with_change(event, name).event_id != event.event_id}
    assert counting == set(hashed(event)) - {"type"}


def test_one_amount_however_it_is_written_is_one_event() -> None:
    amounts = ["1", 1, "1.0", "1.00", Decimal("1.000000000000"), "1.0000000000004", 1.0, "1E0"]
    assert len({CostReported.model_validate(COST | {"amount": amount}).event_id for amount in amounts}) == 1


def test_what_is_finer_than_twelve_places_is_rounded_half_up() -> None:
    amounts = ["0.0000000000005", "-0.0000000000005", "0.0000000000004"]
    stored = [CostReported.model_validate(COST | {"amount": amount}).amount for amount in amounts]
    assert stored == [Decimal("1e-12"), Decimal("-1e-12"), Decimal(0)]


def test_one_moment_in_any_zone_is_one_event() -> None:
    zones = [timezone(timedelta(hours=hours)) for hours in (-11, 0, 5, 14)]
    ended = STAMP | {"run_id": "r", "outcome": "killed"}
    events = [RunFinished.model_validate(ended | {"occurred_at": NOON.astimezone(zone)}) for zone in zones]
    assert {(event.event_id, event.occurred_at) for event in events} == {(events[0].event_id, NOON)}


def test_null_is_neither_nothing_nor_zero() -> None:
    versions: list[dict[str, Any]] = [{}, {"turns": 0}, {"wall_s": 0.0}, {"exit_code": 0}]
    assert len({RunFinished(**STAMP, run_id="r", outcome="completed", **fields).event_id for fields in versions}) == 4
    tags = [None, (), ("a",), ("a", "a")]
    assert len({TaskDefined(**STAMP, dataset="d", task_id="t", tags=value).event_id for value in tags}) == 4


def test_a_field_left_out_and_a_field_of_null_are_one_event() -> None:
    plain = RunFinished(**STAMP, run_id="r", outcome="completed")
    assert RunFinished(**STAMP, run_id="r", outcome="completed", turns=None) == plain
    assert RunFinished(**STAMP, run_id="r", outcome="completed", turns=None).event_id == plain.event_id


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_a_new_optional_field_moves_no_id(kind: type[Event]) -> None:
    newer = create_model(f"Newer{kind.__name__}", __base__=kind, added_later=(str | None, None))
    fields = {name: getattr(example(kind), name) for name in kind.model_fields}
    assert newer.model_validate(fields).event_id == example(kind).event_id
    assert newer.model_validate(fields | {"added_later": "x"}).event_id != example(kind).event_id


def test_a_copy_with_a_change_has_an_id_of_its_own() -> None:
    event = RunFinished(**STAMP, run_id="r", outcome="completed")
    before = event.event_id
    assert event.model_copy().event_id == before
    assert event.model_copy(update={"turns": 3}) == RunFinished(**STAMP, run_id="r", outcome="completed", turns=3)
    assert event.model_copy(update={"turns": 3}).event_id != before

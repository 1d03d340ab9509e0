"""What is no event is refused at the door, and what is one stays as it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError
from samples import example

from models import EVENTS, Event, RunFinished, RunStarted, TokensReported, TurnCompleted


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_an_event_is_frozen(kind: type[Event]) -> None:
    event = example(kind)
    with pytest.raises(ValidationError, match="frozen"):
        event.producer = "somebody else"


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_a_field_that_no_contract_names_is_refused(kind: type[Event]) -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        example(kind, recorded_at="2026-06-01T00:00:00Z")


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_a_time_without_its_zone_is_refused(kind: type[Event]) -> None:
    with pytest.raises(ValidationError, match="a time without its zone"):
        example(kind, occurred_at=datetime(2026, 6, 1))  # noqa: DTZ001


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_has_no_year_in_utc_is_refused(moment: str) -> None:
    with pytest.raises(ValidationError, match="no year"):
        example(RunFinished, occurred_at=moment)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", float("nan"), float("inf")])
@pytest.mark.parametrize(
    ("event_type", "field"),
    [
        ("run_finished", "wall_s"),
        ("run_judged", "score"),
        ("cost_reported", "amount"),
        ("price_observed", "amount"),
        ("throughput_sampled", "prompt_tokens_per_s"),
        ("turn_completed", "duration_ms"),
    ],
)
def test_what_is_no_number_is_refused(event_type: str, field: str, number: Any) -> None:
    with pytest.raises(ValidationError, match="finite number"):
        example(EVENTS[event_type], **{field: number})


@pytest.mark.parametrize(
    ("event_type", "fields"),
    [
        ("run_finished", {"wall_s": -0.1}),
        ("run_finished", {"turns": -1}),
        ("run_finished", {"turns": 1.5}),
        ("run_finished", {"exit_code": 2**63}),
        ("run_finished", {"outcome": "finished"}),
        ("run_finished", {"run_id": ""}),
        ("run_finished", {"run_id": None}),
        ("run_finished", {"run_id": "\ud800"}),
        ("run_started", {"attempt_number": 0}),
        ("run_started", {"attempt_number": 2**63}),
        ("run_started", {"budget_usd": 0}),
        ("run_graded", {"evaluation_number": 0}),
        ("cost_reported", {"amount": "1e26"}),
        ("cost_reported", {"amount": "99999999999999999999999999.9999999999999"}),
        ("cost_reported", {"amount": None}),
        ("cost_reported", {"cost_basis": "metered"}),
        ("price_observed", {"amount": "1000000"}),
        ("tokens_reported", {"raw_counts": {"prompt_tokens": 2**63}}),
        ("tokens_reported", {"raw_counts": {"prompt_tokens": None}}),
        ("tokens_reported", {"raw_counts": {"prompt_tokens": {"cached": 1}}}),
        ("record_set_aside", {"record_offset": -1}),
    ],
)
def test_a_value_outside_its_range_is_refused(event_type: str, fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        example(EVENTS[event_type], **fields)


def test_what_a_caller_does_to_a_map_afterwards_changes_no_event() -> None:
    counts = {"prompt_tokens": 3}
    event = example(TokensReported, raw_counts=counts)
    counts["prompt_tokens"] = 4
    assert event == example(TokensReported, raw_counts={"prompt_tokens": 3})


def test_tool_call_ids_are_a_set() -> None:
    turns = [example(TurnCompleted, tool_call_ids=ids) for ids in (("b", "a"), ("a", "b", "a"))]
    assert turns[0] == turns[1]
    assert turns[0].event_id == turns[1].event_id


def test_a_time_is_kept_in_utc_to_the_microsecond() -> None:
    started = example(RunStarted, occurred_at="2026-06-01T14:00:00.123456+02:00")
    assert started.occurred_at == datetime(2026, 6, 1, 12, 0, 0, 123456, tzinfo=UTC)
    assert started.occurred_at.tzinfo is UTC

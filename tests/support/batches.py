"""Small batches of events, and what a store holds."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from samples import NOON, example

from collectors.event_files import read_events
from collectors.store import LocalStore
from models import Event, RunGraded, RunStarted

JULY = datetime(2026, 7, 1, tzinfo=UTC)


def grade(number: int, **changes: Any) -> RunGraded:
    """A small event; another number is another event."""
    stamp = {"occurred_at": NOON, "producer": "test/1", "source_ref": "grades.json"}
    fields = {"run_id": f"run-{number}", "verifier": "tests", "is_resolved": True, "status": "resolved"}
    return RunGraded.model_validate({**stamp, **fields, **changes})


def batch(number: int) -> list[Event]:
    """Events of two months and two types, which no other number has: three files."""
    return [
        *(grade(number * 100 + each) for each in range(10)),
        *(grade(number * 100 + each, occurred_at=JULY) for each in range(10, 20)),
        example(RunStarted, run_id=f"run-{number}"),
    ]


def event_files(store: LocalStore) -> list[Path]:
    """Every listed file that holds events, relative to the root."""
    return [path.relative_to(store.root) for files in store.files().values() for path in files[1:]]


def stored(store: LocalStore) -> list[Event]:
    """Every stored event, file by file."""
    return [event for path in event_files(store) for event in read_events(store.root / path)]


def ids(events: list[Event]) -> list[str]:
    return sorted(event.event_id for event in events)


def by_id(events: list[Event]) -> list[Event]:
    return sorted(events, key=lambda event: event.event_id)

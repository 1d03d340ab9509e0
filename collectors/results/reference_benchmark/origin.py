"""Where a fact was read and when it happened: the part of an event that every record of this source has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from models.vocabulary import Basis

name = "reference-benchmark"
version = 1


@dataclass(frozen=True)
class When:
    """A time, and how fine the source stated it."""

    at: datetime
    basis: Basis


SNAPSHOT = When(datetime(2026, 11, 30, tzinfo=UTC), "snapshot")
"""The day on which the figures were copied; for what the source gives no time."""


def exactly(moment: datetime | None) -> When:
    return When(moment, "exact") if moment else SNAPSHOT


def on_day(day: date | None) -> When:
    return When(datetime.combine(day, time(), UTC), "day") if day else SNAPSHOT


@dataclass(frozen=True)
class Origin:
    """A file, relative, and the line or the row in it."""

    ref: str
    offset: int | None = None

    def stamp(self, when: When) -> dict[str, Any]:
        """The envelope's fields of an event from here."""
        return {
            "occurred_at": when.at,
            "occurred_at_basis": when.basis,
            "producer": f"{name}/{version}",
            "source_ref": self.ref,
            "source_offset": self.offset,
        }


class FromOrigin:
    """What every record has that keeps its origin."""

    origin: Origin

    @property
    def source_ref(self) -> str:
        return self.origin.ref

    @property
    def source_offset(self) -> int | None:
        return self.origin.offset

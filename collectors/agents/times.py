"""The times that logs print, as whole microseconds since 1970-01-01 UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from models.identity import microseconds


def microseconds_of(text: str | None) -> int | None:
    """An ISO 8601 time with its offset; None where there is none, or it is no such time."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return microseconds(moment) if moment.tzinfo else None


def milliseconds_between(start_us: int | None, end_us: int | None) -> float | None:
    """How long it took; None where an end is missing or lies before the start."""
    if start_us is None or end_us is None or end_us < start_us:
        return None
    return (end_us - start_us) / 1000


def moment_of(at_us: int) -> datetime:
    """The same as a datetime in UTC."""
    return datetime.fromtimestamp(at_us // 1_000_000, UTC).replace(microsecond=at_us % 1_000_000)

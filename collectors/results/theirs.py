"""How foreign JSON is met: in classes of its own shape, strictly, and with what nobody here knows named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from collectors.reading import read_json
from collectors.refusals import KINDS, kind_of, one_line
from models.base import twelve_places
from models.errors import UnreadableRecord

_NONE: Set[str] = frozenset()


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("expected a number")
    return Decimal(value)


def _not_lost(value: Decimal) -> Decimal:
    if value == 0:
        # 0e-999999999 is a zero too, and would be printed with all its places.
        return value if abs(value.adjusted()) < _MANY_PLACES else Decimal(0)
    if twelve_places(value) == 0:
        raise ValueError("expected 0, or a number that is not 0 at the 12 places that amounts are kept with")
    return value


def _moment(value: Any) -> datetime:
    moment = None
    with suppress(ValueError, TypeError):
        moment = datetime.fromisoformat(value)
    if moment is None or moment.tzinfo is None:
        raise ValueError("expected a time with its zone, such as 2026-06-01T10:00:00+00:00")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("expected a time that is in the years 1 to 9999 in UTC too") from None


_MANY_PLACES = 1000
Storable = Annotated[Decimal, Field(gt=1 - 10**26, lt=10**26 - 1), AfterValidator(_not_lost)]
"""What events can hold, as an amount or as a claim. What would be rounded to 0 is refused: a 0 says another thing."""
Number = Annotated[Storable, BeforeValidator(_number)]
"""Any JSON number; a text that looks like one is none."""
Amount = Annotated[Number, Field(ge=0)]
"""A number that cannot be below zero."""
Moment = Annotated[datetime, BeforeValidator(_moment)]


class Theirs(BaseModel):
    """A record in the source's own shape. A field of another name is kept apart in `model_extra`."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)


Shape = TypeVar("Shape", bound=Theirs)
Json = TypeVar("Json", dict[str, Any], list[Any])


class Faults:
    """What one file holds that its reader does not understand: at most one record a place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reasons: dict[int, list[str]] = defaultdict(list)
        self._unknown: dict[str, list[int]] = defaultdict(list)

    def add(self, offset: int, reason: str) -> None:
        self._reasons[offset].append(reason)

    def load(self, kind: type[Json]) -> Json | None:
        """The file's JSON, which must be of this kind at its top; None, and a fault, where it is not."""
        try:
            raw = read_json(self.path)
        except UnreadableRecord as unreadable:
            self.add(unreadable.offset, unreadable.reason)
            return None
        if isinstance(raw, kind):
            return raw
        self.add(0, f"expected {KINDS[kind]} at the top, came {kind_of(raw)}")
        return None

    def parse(
        self, shape: type[Shape], raw: object, at: int = 0, of: str = "", may_lack: Set[str] = _NONE
    ) -> Shape | None:
        """The record at one place; None, and a fault that names `of`, where it has another shape.

        A field that it may lack is left out where only its value is wrong. Unknown fields are noted, the rest is read.
        """
        try:
            record = shape.model_validate(raw)
        except ValidationError as error:
            self.add(at, f"{of}: {one_line(error)}" if of else one_line(error))
            wrong = {str(fault["loc"][0]) if fault["loc"] else "" for fault in error.errors()}
            if not isinstance(raw, dict) or not wrong <= may_lack:
                return None
            record = shape.model_validate({field: value for field, value in raw.items() if field not in wrong})
        for field in record.model_extra or ():
            self._unknown[field].append(at)
        return record

    def records(self) -> list[UnreadableRecord]:
        if self._unknown:
            first = min(offset for offsets in self._unknown.values() for offset in offsets)
            self._reasons[first].append(self._unknown_fields())
        return [UnreadableRecord(self.path, "; ".join(self._reasons[at]), at) for at in sorted(self._reasons)]

    def _unknown_fields(self) -> str:
        named = ", ".join(f"{field!r} ({len(offsets)})" for field, offsets in sorted(self._unknown.items()))
        return f"unknown fields, and in how many records: {named}; the known fields were read"

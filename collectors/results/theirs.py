"""How foreign JSON is met: in classes of its own shape, strictly, and with what nobody here knows named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from collectors.reading import read_json
from models.errors import UnreadableRecord

_NONE: Set[str] = frozenset()
KINDS = {type(None): "null", bool: "a boolean", str: "a text", list: "a list", dict: "an object"}


def kind_of(value: object) -> str:
    """What JSON calls this value; the value itself is never repeated."""
    return KINDS.get(type(value), "a number")


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("expected a number")
    return Decimal(value)


def _moment(value: Any) -> datetime:
    moment = None
    with suppress(ValueError, TypeError):
        moment = datetime.fromisoformat(value)
    if moment is None or moment.tzinfo is None:
        raise ValueError("expected a time with its zone, such as 2026-06-01T10:00:00+00:00")
    return moment


Number = Annotated[Decimal, BeforeValidator(_number), Field(gt=-(10**26), lt=10**26)]
"""Any JSON number; a text that looks like one is none."""
Amount = Annotated[Number, Field(ge=0)]
"""A number that cannot be below zero."""
Moment = Annotated[datetime, BeforeValidator(_moment)]


class Theirs(BaseModel):
    """A record in the source's own shape. A field of another name is kept apart in `model_extra`."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)


Shape = TypeVar("Shape", bound=Theirs)
Json = TypeVar("Json", dict[str, Any], list[Any])


EXPECTED = {
    "model_type": "an object",
    "dict_type": "an object",
    "list_type": "a list",
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "greater_than_equal": "a larger number",
    "greater_than": "a larger number",
    "less_than": "a smaller number",
    "extra_forbidden": "no such field",
}
"""What pydantic's kinds of fault say, in the words that these files are spoken of."""


def one_line(error: ValidationError) -> str:
    """Every fault of one record: the field, what was expected, what kind of value came."""
    return "; ".join(map(_fault, error.errors(include_url=False)))


def _fault(fault: ErrorDetails) -> str:
    field = ".".join(map(str, fault["loc"]))
    if fault["type"] == "missing":
        return f"{field} is missing"
    said = fault["msg"].removeprefix("Value error, expected ").removeprefix("Input should be ")
    expected = EXPECTED.get(fault["type"], said)
    return f"{field + ': ' if field else ''}expected {expected}, came {kind_of(fault['input'])}"


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

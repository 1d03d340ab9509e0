"""The envelope that every event carries, and what makes an event that event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache, cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from models.identity import encode, sha256_hex
from models.vocabulary import Basis

ConflictRule = Literal["conflict", "earliest_occurred_at", "highest_revision", "latest_decides", "cannot_happen"]
"""What counts when two events share a natural key and still differ after a value has beaten a null.

`conflict`: the highest source_revision, then the earliest recorded, counts; the others are listed in data_quality.
`earliest_occurred_at`: the same fact seen twice; its earliest time counts. `highest_revision`: as conflict, but a
higher source_revision is a correction and no conflict. `latest_decides`: the latest occurred_at counts.
`cannot_happen`: the whole payload is the key.
"""

_TWELVE_PLACES = Decimal("1e-12")
_WIDE = Context(prec=60, rounding=ROUND_HALF_UP)


def twelve_places(value: Decimal) -> Decimal:
    """An amount as it is stored: what is finer is rounded half up."""
    return value.quantize(_TWELVE_PLACES, context=_WIDE)


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("a time without its zone; write it with an offset, such as 2026-06-01T10:00:00Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time that UTC has no year for") from None


class DecimalOf:
    """Marks a Decimal field with the Arrow precision that it is stored in, always with 12 places."""

    def __init__(self, precision: int) -> None:
        self.precision = precision


Usd = Annotated[
    Decimal, Field(gt=1 - 10**26, lt=10**26 - 1, allow_inf_nan=False), AfterValidator(twelve_places), DecimalOf(38)
]
"""An amount in DECIMAL(38,12); what is finer is rounded half up."""
UnitPrice = Annotated[
    Decimal, Field(gt=1 - 10**6, lt=10**6 - 1, allow_inf_nan=False), AfterValidator(twelve_places), DecimalOf(18)
]
"""A price of one unit (a token, an hour, a credit) in DECIMAL(18,12)."""
Ratio = Annotated[float, Field(allow_inf_nan=False)]
Seconds = Annotated[float, Field(allow_inf_nan=False, ge=0)]
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
Ordinal = Annotated[int, Field(ge=1, lt=2**63)]
Text = Annotated[str, StringConstraints(min_length=1)]
Utc = Annotated[datetime, AfterValidator(_utc)]


class Event(BaseModel):
    """One immutable fact. Subclasses add flat payload fields; optional ones may be added later, nothing else changes.

    `recorded_at` is not here: the store stamps it when it first has the event.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null", defer_build=True)

    event_type: ClassVar[str]
    schema_version: ClassVar[int] = 1
    natural_key: ClassVar[tuple[str, ...]] = ()
    """The payload fields that name the thing; empty where the whole payload does."""
    conflict_rule: ClassVar[ConflictRule] = "cannot_happen"
    is_time_hashed: ClassVar[bool] = True
    grain: ClassVar[str]

    occurred_at: Utc
    occurred_at_basis: Basis = "exact"
    producer: Text
    """Collector and its version, such as `openhands-index/1`. Not hashed."""
    source_ref: Text
    """Path or URL that the fact was read from, redacted. Not hashed."""
    source_offset: Count | None = None
    """Where in it: a line, a byte or a row number. Not hashed."""
    source_revision: Count | None = None
    """The source's own revision of this fact; a higher one counts."""

    @cached_property
    def event_id(self) -> str:
        """sha256 of type, schema version, natural key and payload. Nulls are left out: optional fields may be added."""
        head, fields = hashed_fields(type(self))
        values = self.__dict__
        spelled: dict[str, str] = {}
        payload: list[str] = []
        for name, label in fields:
            value = values[name]
            if value is not None:
                # Most values are texts; spelling them here saves a fifth of the whole.
                spelled[name] = spelling = f"s{len(value)}:{value}" if type(value) is str else encode(value)
                payload.append(label + spelling)
        key = [spelled.get(name, NULL) for name in self.natural_key]
        return sha256_hex("".join([head, *key, BETWEEN, *payload]))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Another event, as strictly checked as the first, and with an id of its own."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate({**fields, **(update or {})})


UNHASHED = frozenset({"producer", "source_ref", "source_offset"})


NULL = encode(None)
BETWEEN = "|"
"""What stands between the natural key and the payload in what is hashed."""


@cache
def hashed_fields(kind: type[Event]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The spelling of type and version, and the payload's field names in sorted order, each with its spelling."""
    left_out = UNHASHED if kind.is_time_hashed else UNHASHED | {"occurred_at", "occurred_at_basis"}
    head = encode(kind.event_type) + encode(kind.schema_version)
    return head, tuple((name, encode(name)) for name in sorted(set(kind.model_fields) - left_out))


def without_nulls(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something; for building an event out of a record with gaps."""
    return {name: value for name, value in fields.items() if value is not None}

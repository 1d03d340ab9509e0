"""What columns have to know of the event contracts, written by `python -m models.column_kinds` into a file beside."""

from __future__ import annotations

import msgspec
import pyarrow as pa

from models import EVENTS, Event
from models.base import BETWEEN, hashed_fields
from models.columns import KINDS, Kind
from models.schemas import arrow_schema


def kind_of(contract: type[Event]) -> Kind:
    """What columns of a contract's events have to know of it."""
    return Kind(
        event_type=contract.event_type,
        schema_version=contract.schema_version,
        natural_key=contract.natural_key,
        is_time_hashed=contract.is_time_hashed,
        hashed=tuple(name for name, _ in hashed_fields(contract)[1]),
        between=BETWEEN,
        columns={field.name: _spelled(field) for field in arrow_schema(contract)},
    )


def _spelled(field: pa.Field) -> str:
    return str(field.type) if field.nullable else f"{field.type} not null"


def written() -> bytes:
    """The file: every contract by its name. A test compares it with the one that is there."""
    kinds = {name: kind_of(contract) for name, contract in EVENTS.items()}
    return msgspec.json.format(msgspec.json.encode(kinds), indent=1) + b"\n"


if __name__ == "__main__":
    KINDS.write_bytes(written())

"""The Arrow schema of each event type, derived from its contract, so that there is one place to change."""

from __future__ import annotations

import types
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pyarrow as pa

from models.base import DecimalOf, Event

TIMESTAMP = pa.timestamp("us", tz="UTC")

STORED_BESIDE_THE_PAYLOAD = (
    pa.field("event_id", pa.string(), nullable=False),
    pa.field("event_type", pa.string(), nullable=False),
    pa.field("schema_version", pa.int32(), nullable=False),
    pa.field("recorded_at", TIMESTAMP, nullable=False),
)


def _without_null(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        return next(member for member in get_args(annotation) if member is not type(None))
    return annotation


def _decimal(marks: tuple[Any, ...]) -> pa.DataType:
    return next(pa.decimal128(mark.precision, 12) for mark in marks if isinstance(mark, DecimalOf))


def _arrow_type(annotation: Any, marks: tuple[Any, ...]) -> pa.DataType:
    annotation = _without_null(annotation)
    if get_origin(annotation) is Annotated:
        inner, *own_marks = get_args(annotation)
        return _arrow_type(inner, (*own_marks, *marks))
    if get_origin(annotation) is Literal or annotation is str:
        return pa.string()
    if get_origin(annotation) is tuple:
        return pa.list_(pa.string())
    if get_origin(annotation) is dict:
        return pa.map_(pa.string(), pa.int64())
    if annotation is Decimal:
        return _decimal(marks)
    return {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), datetime: TIMESTAMP}[annotation]


def arrow_schema(kind: type[Event]) -> pa.Schema:
    """The columns of one event type: what the store stamps, then the contract's fields in their order."""
    payload = (
        pa.field(name, _arrow_type(info.annotation, tuple(info.metadata))) for name, info in kind.model_fields.items()
    )
    return pa.schema([*STORED_BESIDE_THE_PAYLOAD, *payload])

"""How events, runs and arms get their ids: sha256 over length-prefixed parts, so that no two inputs can look alike."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

Value = str | int | float | bool | Decimal | datetime | Sequence[str] | Mapping[str, int]

ARM_FIELDS = ("harness", "llm", "serving_path", "skill", "effort")
"""The five declared strings that are an arm, in the order in which ids are made of them."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970-01-01 UTC; exact, with no float on the way."""
    since = moment - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _text(value: str) -> str:
    return f"s{len(value)}:{value}"


def _decimal(value: Decimal) -> str:
    plain = format(value, "f")
    short = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return f"d{len(short)}:{short}" if value else "d1:0"


def _mapping(value: Mapping[str, int]) -> str:
    return f"m{len(value)}:{''.join(encode(key) + encode(value[key]) for key in sorted(value))}"


def _sequence(value: Sequence[str]) -> str:
    return f"l{len(value)}:{''.join(map(encode, value))}"


_SPELLINGS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "n",
    bool: lambda value: "b1" if value else "b0",
    int: lambda value: f"i{value}:",
    str: _text,
    float: lambda value: f"f{value + 0.0!r}:",
    Decimal: _decimal,
    datetime: lambda value: f"t{microseconds(value)}:",
    dict: _mapping,
    tuple: _sequence,
    list: _sequence,
}


def encode(value: Value | None) -> str:
    """One value in its one spelling, tagged, and length-prefixed where it could hold anything.

    1.0 and 1.00 are one Decimal, no text equals a number, a mapping goes by sorted key, a list in its order.
    """
    return _SPELLINGS[type(value)](value)


def sha256_hex(text: str) -> str:
    """sha256 of a text's UTF-8 bytes, as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest(*parts: Value | None) -> str:
    """sha256 over the parts, each in its one spelling. None is a part of its own, unlike any text."""
    return sha256_hex("".join(map(encode, parts)))


def imported_run_id(
    source: str,
    dataset: str,
    scope: str,
    arm: tuple[str, str, str, str, str],
    task_id: str,
    attempt_number: int,
) -> str:
    """The id of an attempt that somebody else ran: no time and no path in it, so that two copies of one attempt meet.

    `arm` is its ARM_FIELDS.
    """
    return digest("run", source, dataset, scope, *arm, task_id, attempt_number)[:32]

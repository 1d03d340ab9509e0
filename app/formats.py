"""How a number is written for a person: one rule each, for the terminal and for the pages.

Null is not zero: what is not known is the word `unknown`, never 0 and never blank. Rounding is half up and never shows
a true amount as zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

UNKNOWN = "unknown"
NULL = "null"
"""A null that is neither money nor tokens."""

_EXACT = Context(prec=76, rounding=ROUND_HALF_UP)
_FOUR_PLACES_BELOW = 10
_SMALL = Decimal("0.01")


def money(value: Decimal | int | None, unknown: str = UNKNOWN) -> str:
    """Dollars: two places from $10 on, four below, two significant digits below one cent, `$0.00` for a true zero."""
    if value is None:
        return unknown
    amount = Decimal(value)
    sign = "-" if amount < 0 else ""
    return f"{sign}${_EXACT.quantize(abs(amount), Decimal(1).scaleb(-_places(abs(amount)))):,f}"


def _places(amount: Decimal) -> int:
    if amount == 0 or amount >= _FOUR_PLACES_BELOW:
        return 2
    return 4 if amount >= _SMALL else 1 - amount.adjusted()


def cost(point: Decimal | None, low: Decimal | None = None, high: Decimal | None = None, unknown: str = UNKNOWN) -> str:
    """A cost with what is known of it: the point, else its range, else `at least` its lower bound, else unknown."""
    if point is not None:
        return money(point)
    if low is None:
        return unknown
    return f"at least {money(low)}" if high is None else f"{money(low)} to {money(high)}"


def count(value: int | None, unknown: str = UNKNOWN) -> str:
    """A whole number with thousands separators, exact at any size."""
    return unknown if value is None else f"{value:,d}"


def share(value: float | None, unknown: str = UNKNOWN) -> str:
    """A share of one as per cent, one place: 0.838 is `83.8%`. Only a true 0 and 1 read 0% and 100%."""
    if value is None or not math.isfinite(value):
        return unknown
    if 0 < value < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= value < 1 else f"{_half_up(value * 100, 1)}%"


def score(value: float | None, unknown: str = UNKNOWN) -> str:
    """A judge's score, two places."""
    return unknown if value is None or not math.isfinite(value) else _half_up(value, 2)


def seconds(value: float | None, unknown: str = UNKNOWN) -> str:
    """A duration: `4.2 s`, `3 min 20 s`, `2 h 05 min`."""
    if value is None or not math.isfinite(value):
        return unknown
    whole = round(value)
    if whole < 60:
        return f"{_half_up(value, 1)} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600:,d} h {whole % 3600 // 60:02d} min"


def interval(low: Any, high: Any, form: Callable[[Any], str] = share, unknown: str = UNKNOWN) -> str:
    """Both ends of an interval in one form: `80.3% to 86.8%`."""
    return unknown if low is None or high is None else f"{form(low)} to {form(high)}"


def solved(solves: int | None, attempts: int | None, unknown: str = UNKNOWN) -> str:
    """A rate with its n: `419/500`."""
    return unknown if solves is None or attempts is None else f"{solves}/{attempts}"


def plain(value: Decimal) -> str:
    """Every digit of a decimal and no zero behind the last one: what exports write."""
    digits = format(value, "f")
    short = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return "0" if value == 0 else short


def cell(column: str, value: Any) -> str:
    """One table cell; integers keep every digit. The column's name says what it holds: `_usd` is money."""
    if value is None:
        return UNKNOWN if is_additive(column) or column.endswith("_usd") else NULL
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return money(value) if column.endswith("_usd") else plain(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list | tuple):
        return ", ".join(cell("", item) for item in value)
    return printable(str(value))


def number(value: float) -> str:
    """A double to six places; what is smaller keeps four digits."""
    if not math.isfinite(value):
        return NULL
    if value != 0 and abs(value) < 1e-4:
        return f"{value:.4g}"
    return plain(Decimal(f"{value:.6f}"))


def printable(text: str) -> str:
    """Text that moves no cursor and opens no escape sequence: control characters are spelled out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def is_additive(column: str) -> bool:
    """Whether a column may be summed: amounts and token counts, not ratios of them, and no end of an interval."""
    unit = column.endswith(("_usd", "_tokens"))
    return unit and "_per_" not in column and not column.endswith(("_low_usd", "_high_usd"))


def total(column: str, values: Sequence[Any]) -> str:
    """The sum of what is known, and how much is not: `$0.000040 (1 of 3 unknown)`."""
    known = [value for value in values if value is not None]
    missing = len(values) - len(known)
    summed = _sum(known)
    text = UNKNOWN if not known else cell(column, summed)
    return f"{text} ({missing} of {len(values)} unknown)" if missing else text


def _sum(values: Sequence[Decimal | int]) -> Decimal | int:
    if all(isinstance(value, int) for value in values):
        return sum(int(value) for value in values)
    result = Decimal(0)
    for value in values:
        result = _EXACT.add(result, Decimal(value))
    return result


def _half_up(value: float, places: int) -> str:
    return format(_EXACT.quantize(Decimal(repr(value)), Decimal(1).scaleb(-places)), ",f")

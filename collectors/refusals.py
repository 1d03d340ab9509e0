"""What pydantic refused, in the words that foreign files are spoken of: the field, what was expected, what came."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from pydantic import ValidationError
from pydantic_core import ErrorDetails

KINDS = {type(None): "null", bool: "a boolean", str: "a text", list: "a list", dict: "an object"}
EXPECTED = {
    "model_type": "an object",
    "dict_type": "an object",
    "list_type": "a list",
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "string_unicode": "a text of whole characters",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "date_type": "a date",
    "finite_number": "a number that is not infinite",
    "extra_forbidden": "no such field",
}
BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}
"""Kind of fault -> the bound in its context, and what it demands."""


def kind_of(value: object) -> str:
    """What JSON calls this value; the value itself is never repeated."""
    return KINDS.get(type(value), "a number")


def one_line(error: ValidationError, came: Callable[[object], str] = kind_of) -> str:
    """Every fault of one record. Only a number beyond its bounds is repeated, to six digits: of a text, its number."""
    return "; ".join(_fault(fault, came) for fault in error.errors(include_url=False))


def _fault(fault: ErrorDetails, came: Callable[[object], str]) -> str:
    field, kind, value = ".".join(map(str, fault["loc"])), fault["type"], fault["input"]
    if kind == "missing":
        return f"{field} is missing"
    about = f"{field}: " if field else ""
    if kind in BOUNDS:
        name, demand = BOUNDS[kind]
        return f"{about}expected {demand} {fault.get('ctx', {})[name]}, came {_shown(value, came)}"
    said = fault["msg"].removeprefix("Value error, ")
    if kind == "value_error" and not said.startswith("expected "):
        return f"{about}{said}"
    expected = EXPECTED.get(kind, said.removeprefix("expected ").removeprefix("Input should be "))
    return f"{about}expected {expected}, came {came(value)}"


def _shown(value: object, came: Callable[[object], str]) -> str:
    return f"{Decimal(value):.6g}" if isinstance(value, int | float | Decimal | str) else came(value)

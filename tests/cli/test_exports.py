from __future__ import annotations

import csv
import io
import json
import math
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.exports import csv_lines, json_lines

texts = st.text(st.characters(exclude_categories=["Cs"]))
decimals = st.decimals(allow_nan=False, allow_infinity=False, places=12, min_value=-(10**25), max_value=10**25)
numbers = st.integers(-(2**127), 2**127) | decimals | st.booleans() | st.none()


@given(texts)
def test_c59_no_csv_cell_begins_like_a_formula_and_its_text_is_all_there(text: str) -> None:
    [_, [cell]] = csv.reader(io.StringIO("".join(csv_lines(["a"], [[text]])), newline=""))
    assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert cell in (text, f"'{text}")


@given(st.lists(texts | numbers, min_size=1))
def test_json_is_the_very_values(row: list[str | int | Decimal | bool | None]) -> None:
    names = [f"c{index}" for index in range(len(row))]
    [read] = json.loads("".join(json_lines(names, [row])), parse_float=Decimal)
    assert list(read.values()) == row


@given(st.floats())
def test_json_has_no_nan_and_keeps_every_double(value: float) -> None:
    [read] = json.loads("".join(json_lines(["a"], [[value]])), parse_constant=lambda text: text)
    assert read == {"a": value if math.isfinite(value) else None}


@given(decimals)
def test_csv_numbers_are_bare_and_exact(value: Decimal) -> None:
    [_, [cell]] = csv.reader(csv_lines(["a"], [[value]]))
    assert Decimal(cell) == value
    assert "e" not in cell.lower()


def test_null_and_the_empty_text_are_two_things_in_csv() -> None:
    assert list(csv_lines(["a", "b"], [[None, ""], [float("nan"), "'"]])) == ["a,b\n", ',""\n', ",'\n"]


def test_a_header_cannot_be_a_formula_either() -> None:
    assert list(csv_lines(["=1+1"], [])) == ['"\'=1+1"\n']

"""Cases C59 and C61: what a cell shows, and what the downloads hold."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pages import tables
from streamlit.testing.v1 import AppTest

from app import components

TASKS = pa.table(
    {
        "task": ["a", "=b", "c"],
        "cost_usd": pa.array([Decimal("0.00004"), Decimal(0), None], pa.decimal128(38, 12)),
        "tokens": pa.array([9007199254740993, 10, 10], pa.int64()),
    }
)


def _page(rows: list[dict[str, object]]) -> None:
    from app import components, formats

    columns = [
        components.Column("Task", lambda row: row["task"]),
        components.Column("Cost", lambda row: formats.money(row["cost_usd"]), "number"),
        components.Column("Tokens", lambda row: formats.count(row["tokens"]), "number"),
    ]
    components.table(rows, columns)


def _show(rows: list[dict[str, Any]]) -> AppTest:
    page = AppTest.from_function(_page, args=(rows,)).run()
    assert not page.exception
    return page


def test_a_tiny_cost_a_true_zero_and_an_unknown_one_are_three_things() -> None:
    assert tables(_show(TASKS.to_pylist())) == [
        [
            {"Task": "a", "Cost": "$0.000040", "Tokens": "9,007,199,254,740,993"},
            {"Task": "=b", "Cost": "$0.00", "Tokens": "10"},
            {"Task": "c", "Cost": "unknown", "Tokens": "10"},
        ]
    ]


def test_text_from_the_data_is_text_and_no_markup() -> None:
    name = "<img src=x onerror=alert(1)> **a** \x1b[31m"
    page = _show([{"task": name, "cost_usd": None, "tokens": None}])
    assert tables(page)[0][0]["Task"] == r"<img src=x onerror=alert(1)> **a** \x1b[31m"
    assert "<img" not in page.get("html")[0].proto.body


def test_a_long_table_says_what_it_leaves_to_the_download() -> None:
    page = _show([{"task": "a", "cost_usd": None, "tokens": 1}] * 1000)
    assert page.caption[0].value == "The first 200 of 1,000 rows; the downloads have all of them."
    assert len(tables(page)[0]) == 200


@pytest.mark.parametrize(
    ("rows", "told", "is_whole"), [(25, [], True), (26, ["26 rows; the table scrolls."], False), (0, [], True)]
)
def test_a_table_that_hides_rows_says_so_and_a_short_one_hides_none(rows: int, told: list[str], is_whole: bool) -> None:
    page = _show([{"task": "a", "cost_usd": None, "tokens": 1}] * rows)
    assert [caption.value for caption in page.caption] == told
    assert ("class='m-table'" in page.get("html")[0].proto.body) == is_whole


def test_a_column_in_which_nothing_is_known_is_found() -> None:
    named = {title: components.Column(title, lambda row, title=title: row[title]) for title in ("a", "b")}
    rows = [{"a": "unknown", "b": "unknown"}, {"a": "unknown", "b": "$1"}]
    assert components.unknown_columns(rows, [*named.values()]) == [named["a"]]
    assert components.unknown_columns([], [*named.values()]) == []


def test_the_csv_holds_every_digit_and_no_formula() -> None:
    assert components.csv(TASKS) == 'task,cost_usd,tokens\na,0.00004,9007199254740993\n"\'=b",0,10\nc,,10\n'


def test_the_parquet_holds_the_text_and_the_types_as_they_are() -> None:
    assert pq.read_table(io.BytesIO(components.parquet(TASKS))).equals(TASKS)

"""Cases C59 and C61: what a cell shows, what it sorts by, and what the downloads hold."""

from __future__ import annotations

import io
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
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
        components.Column("Cost", lambda row: row["cost_usd"], formats.money),
        components.Column("At least", lambda row: row["cost_usd"], formats.money, lambda row: row["task"] == "a"),
        components.Column("Tokens", lambda row: row["tokens"], formats.count),
    ]
    components.table(rows, columns, key="tasks")


def _shown(page: AppTest) -> list[list[str]]:
    """What the browser is told to write into each cell."""
    proto = page.dataframe[0].proto
    texts = pa.ipc.open_stream(proto.arrow_data.styler.display_values).read_pandas()
    return texts.to_numpy().tolist()


def test_a_tiny_cost_a_true_zero_and_an_unknown_one_are_three_things() -> None:
    page = AppTest.from_function(_page, args=(TASKS.to_pylist(),)).run()
    assert not page.exception
    assert _shown(page) == [
        ["a", "$0.000040", "at least $0.000040", "9,007,199,254,740,993"],
        ["=b", "$0.00", "$0.00", "10"],
        ["c", "unknown", "unknown", "10"],
    ]
    assert page.dataframe[0].proto.placeholder == "unknown"


def test_a_cell_sorts_by_its_value_and_not_by_its_text() -> None:
    frame = AppTest.from_function(_page, args=(TASKS.to_pylist(),)).run().dataframe[0].value
    assert frame["Cost"].tolist()[:2] == [Decimal("0.000040000000"), Decimal("0E-12")]
    assert frame["Tokens"].tolist() == [9007199254740993, 10, 10]


def test_the_csv_holds_every_digit_and_no_formula() -> None:
    assert components.csv(TASKS) == 'task,cost_usd,tokens\na,0.00004,9007199254740993\n"\'=b",0,10\nc,,10\n'


def test_the_parquet_holds_the_text_and_the_types_as_they_are() -> None:
    assert pq.read_table(io.BytesIO(components.parquet(TASKS))).equals(TASKS)


def test_text_in_a_static_table_is_never_markdown() -> None:
    def page() -> None:
        from app import components

        columns = [components.Column("Text", lambda row: row["text"])]
        components.reasons([{"text": "# [a](http://b) $x$ 1. **c**"}], columns)

    table = AppTest.from_function(page).run().table[0].value
    assert table["Text"].tolist() == [r"\# \[a\]\(http\://b\) \$x\$ 1\. \*\*c\*\*"]

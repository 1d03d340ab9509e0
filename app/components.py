"""Small parts that both pages are made of."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from app import exports, formats
from app.facts import Row
from app.queries import Answer, Build
from app.warehouse.builds import published
from collectors.home import Home

MOST_ROWS = 500
"""What a table shows; its download has every row."""


@dataclass(frozen=True)
class Column:
    """One column of a table: what it sorts by, and how that is written."""

    title: str
    value: Callable[[Row], Any]
    say: Callable[[Any], str] | None = None
    is_bound: Callable[[Row], bool] | None = None
    """Where true, the text says `at least`."""


def numbers(items: Sequence[tuple[str, int | None, str]]) -> None:
    """A row of figures: label, value, what it counts."""
    with st.container(horizontal=True, gap="medium"):
        for label, value, meaning in items:
            st.metric(label, formats.count(value), help=meaning, width="content")


def table(rows: Sequence[Row], columns: Sequence[Column], key: str) -> None:
    """A sortable table. Null is the word `unknown`; what a cell shows never changes what it sorts by."""
    shown = rows[:MOST_ROWS]
    frame = pd.DataFrame({column.title: _series([column.value(row) for row in shown]) for column in columns})
    styler = frame.style
    for column in columns:
        if column.say:
            styler = styler.format(column.say, subset=pd.IndexSlice[:, [column.title]], na_rep=formats.UNKNOWN)
        if column.say and column.is_bound:
            bounds = [index for index, row in enumerate(shown) if column.is_bound(row)]
            styler = styler.format(_at_least(column.say), subset=pd.IndexSlice[bounds, [column.title]])
    if len(rows) > MOST_ROWS:
        st.caption(
            f"The first {formats.count(MOST_ROWS)} of {formats.count(len(rows))} rows; the download has all of them."
        )
    st.dataframe(styler, hide_index=True, placeholder=formats.UNKNOWN, key=key)


def _at_least(say: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: f"at least {say(value)}"


def _series(values: list[Any]) -> pd.Series:
    """Decimals stay decimals and integers integers, with nulls among them."""
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, Decimal) for value in known):
        return pd.Series(values, dtype=pd.ArrowDtype(pa.decimal128(38, 12)))
    if known and all(type(value) is int for value in known):
        return pd.Series(values, dtype="Int64")
    return pd.Series(values)


def reasons(rows: Sequence[Row], columns: Sequence[Column]) -> None:
    """A table of text that wraps, for reasons that must be read to their end."""
    texts = [{column.title: _escaped((column.say or str)(column.value(row))) for column in columns} for row in rows]
    st.table(pd.DataFrame(texts), border="horizontal", hide_index=True)


def _escaped(text: str) -> str:
    """Text as it is: nothing in it is Markdown, a list or a formula."""
    return "".join(f"\\{char}" if char in r"\`*_{}[]()#+-.!|~$<>:^" else char for char in text)


def evidence(answer: Answer, name: str) -> None:
    """The rows to take along, and the SQL that gives them."""
    with st.container(horizontal=True):
        for kind, write, mime in (("CSV", csv, "text/csv"), ("Parquet", parquet, "application/vnd.apache.parquet")):
            file = f"{name}.{kind.lower()}"
            data = partial(write, answer.table)  # written when it is asked for
            st.download_button(kind, data, file, mime, key=file, on_click="ignore", icon=":material/download:")
    # Its content is sent when it is opened: the browser needs seconds to load the highlighter.
    sql = st.expander("The SQL behind it", on_change="rerun", key=f"{name}.sql")
    if sql.open:
        sql.caption("Exactly what ran. `meterhouse sql` takes it as it is.")
        sql.code(answer.sql, language="sql", wrap_lines=True)


def csv(table: pa.Table) -> str:
    """Every digit, and no text that a spreadsheet would run."""
    rows = (tuple(row.values()) for row in table.to_pylist())
    return "".join(exports.csv_lines(table.column_names, rows))


def parquet(table: pa.Table) -> bytes:
    """Everything as it is."""
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()


def footer(build: Build) -> None:
    """Which build this page reads."""
    read = published(Home(build.home), build.id)
    as_of = f", as of {read.as_of:%Y-%m-%d %H:%M} UTC" if read.as_of else ""
    st.caption(f"Build `{read.build_id}`, made {read.created_at:%Y-%m-%d %H:%M} UTC{as_of}.")

"""Small parts that both pages are made of."""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq
import streamlit as st

from app import exports, formats
from app.facts import Row
from app.queries import Answer, Build
from app.warehouse.builds import published
from collectors.home import Home

MOST_ROWS = 200
"""What a table shows; its downloads have every row."""
SHOWN_WHOLE = 25
"""Rows that a table shows without scrolling."""

STYLE = """<style>
.m-table { overflow: auto; font-size: 0.875rem; }
.m-table.m-tall { max-height: 32rem; }
.m-table::-webkit-scrollbar { height: 0.5rem; width: 0.5rem; }
.m-table::-webkit-scrollbar-thumb { background: rgba(128, 128, 128, 0.5); border-radius: 0.25rem; }
.m-table table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.m-table th { position: sticky; top: 0; font-weight: 600; backdrop-filter: blur(1rem); }
.m-table th, .m-table td { padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid rgba(128, 128, 128, 0.25); }
.m-table th, .m-table td { text-align: left; vertical-align: top; white-space: nowrap; }
.m-table .m-number { text-align: right; }
.m-table td.m-prose { white-space: normal; min-width: 15rem; }
.m-table .m-unknown { opacity: 0.6; }
.m-table .m-strong td { font-weight: 600; }
</style>"""


@dataclass(frozen=True)
class Column:
    """One column of a table: what it says of a row, and whether that is a name, a number or prose that wraps."""

    title: str
    say: Callable[[Row], str]
    kind: Literal["name", "number", "prose"] = "name"


def numbers(items: Sequence[tuple[str, int | None, str]]) -> None:
    """A row of figures: label, value, what it counts."""
    with st.container(horizontal=True, gap="medium"):
        for label, value, meaning in items:
            st.metric(label, formats.count(value), help=meaning, width="content")


def table(rows: Sequence[Row], columns: Sequence[Column], is_strong: Callable[[Row], bool] = lambda row: False) -> None:
    """A table as plain HTML: cells are text to be searched and selected, and it loads at once."""
    is_tall = len(rows) > SHOWN_WHOLE
    if is_tall:
        st.caption(_rows_shown(len(rows)))
    head = "".join(_cell("th", column.title, column.kind) for column in columns)
    body = "".join(_row(row, columns, is_strong(row)) for row in rows[:MOST_ROWS])
    kind = "m-table m-tall" if is_tall else "m-table"
    st.html(f"{STYLE}<div class='{kind}' tabindex='0'><table><tr>{head}</tr>{body}</table></div>")


def _rows_shown(held: int) -> str:
    """What a table that does not fit says above itself."""
    if held <= MOST_ROWS:
        return f"{formats.count(held)} rows; the table scrolls."
    return f"The first {formats.count(MOST_ROWS)} of {formats.count(held)} rows; the downloads have all of them."


def unknown_columns(rows: Sequence[Row], columns: Sequence[Column]) -> list[Column]:
    """The columns in which nothing is known of any row: a sentence says that better."""
    return [column for column in columns if rows and all(column.say(row) == formats.UNKNOWN for row in rows)]


def _row(row: Row, columns: Sequence[Column], is_strong: bool) -> str:
    cells = "".join(_cell("td", column.say(row), column.kind) for column in columns)
    return f"<tr class='m-strong'>{cells}</tr>" if is_strong else f"<tr>{cells}</tr>"


def _cell(tag: str, text: str, kind: str) -> str:
    muted = " m-unknown" if text == formats.UNKNOWN else ""
    return f"<{tag} class='m-{kind}{muted}'>{html.escape(formats.printable(text))}</{tag}>"


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

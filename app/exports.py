"""How rows are written for a program: every digit, null as null, and no text that a spreadsheet would run.

csv    text that a spreadsheet would take for a formula gets a `'` in front and is quoted; null is empty, "" is not
json   one array of objects; decimals and integers are numbers with every digit, times ISO 8601, NaN is null
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, BinaryIO

from app.formats import plain
from models.errors import QueryFailed

if TYPE_CHECKING:
    import duckdb

Rows = Iterable[Sequence[Any]]

_ROWS_AT_ONCE = 10_000
_CAST = "cast it, as in `x::varchar as x`, or write csv or json"
_FORMULA_SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_FORMULA_BREAKS = ("\t", "\r", "\n")


def csv_lines(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """The header, then a line per row, each with its newline."""
    yield ",".join(_csv_text(column) for column in columns) + "\n"
    for row in rows:
        yield ",".join(_csv_cell(value) for value in row) + "\n"


def _csv_cell(value: Any) -> str:
    if isinstance(value, str):
        return _csv_text(value)
    written = to_json(value)
    if written == "null":
        return ""
    return written if isinstance(value, bool | int | float | Decimal) else _csv_text(_unquoted(written))


def _unquoted(written: str) -> str:
    return json.loads(written) if written.startswith('"') else written


def _csv_text(text: str) -> str:
    is_formula = text.startswith(_FORMULA_BREAKS) or text.lstrip().startswith(_FORMULA_SIGNS)
    if not is_formula and text and not any(char in text for char in ',"\r\n'):
        return text
    escaped = text.replace('"', '""')
    return f'"\'{escaped}"' if is_formula else f'"{escaped}"'


def json_lines(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """One array, a row to a line."""
    names = [json.dumps(column, ensure_ascii=False) for column in columns]
    before = "["
    for row in rows:
        fields = ", ".join(f"{name}: {to_json(value)}" for name, value in zip(names, row, strict=True))
        yield f"{before}\n  {{{fields}}}"
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def to_json(value: Any) -> str:
    """One value as JSON. The standard library would make a double of a Decimal, and NaN of a NaN."""
    match value:
        case None | bool() | int() | str():
            return json.dumps(value, ensure_ascii=False)
        case Decimal():
            return plain(value)
        case float():
            return repr(value) if math.isfinite(value) else "null"
        case list() | tuple():
            return f"[{', '.join(map(to_json, value))}]"
        case dict():
            return f"{{{', '.join(f'{to_json(str(key))}: {to_json(item)}' for key, item in value.items())}}}"
        case datetime() | date() | time():
            return json.dumps(value.isoformat())
        case bytes():
            return json.dumps(value.hex())
    return json.dumps(str(value), ensure_ascii=False)


def column_names(result: duckdb.DuckDBPyConnection, may_repeat: bool = False) -> list[str]:
    """The columns of a result. Raises QueryFailed where two share a name and the format cannot hold both."""
    names = [column[0] for column in result.description or []]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None and not may_repeat:
        raise QueryFailed(f"expected columns of different names, got {twice} twice; rename one with `as`")
    return names


def fetched(result: duckdb.DuckDBPyConnection) -> Iterator[Sequence[Any]]:
    """The rows of a result, some thousands in memory at a time."""
    while rows := result.fetchmany(_ROWS_AT_ONCE):
        yield from rows


def write_parquet(result: duckdb.DuckDBPyConnection, file: BinaryIO) -> None:
    """A result as one Parquet file. Through Arrow: DuckDB itself would write a HUGEINT as DOUBLE."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    column_names(result)
    table = result.to_arrow_table()
    for column in table.schema:
        if pa.types.is_interval(column.type):
            raise QueryFailed(f"expected columns that parquet can hold, got an interval in {column.name}; {_CAST}")
    try:
        pq.write_table(table, file, compression="zstd")
    except pa.ArrowNotImplementedError as error:
        raise QueryFailed(f"expected columns that parquet can hold: {str(error).splitlines()[0]}; {_CAST}") from error

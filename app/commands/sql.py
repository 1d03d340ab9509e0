"""`meterhouse sql`: the published marts, read only."""

from __future__ import annotations

import errno
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

if TYPE_CHECKING:
    import duckdb


class Format(StrEnum):
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"


_SUFFIXES = {".txt": Format.TABLE, ".json": Format.JSON, ".csv": Format.CSV, ".parquet": Format.PARQUET}
_STANDARD_OUTPUT = Path("-")


def sql(
    query: Annotated[str, typer.Argument(metavar='"SELECT …"', help="One statement that reads.", show_default=False)],
    format: Annotated[
        Format | None, typer.Option(help="How to write the rows; by default as --output ends, else a table.")
    ] = None,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there; - is standard output.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    with_totals: Annotated[
        bool,
        typer.Option("--totals", help="Under a table, the sums of amounts and token counts, and how many are unknown."),
    ] = False,
) -> None:
    """Query the published marts, the tables of schema `marts`. Nothing can be written, and no other file read.

    The table is for people: money to the digits that matter, `unknown` where no cost is known. csv, json and parquet
    hold every digit. csv puts a ' before text that a spreadsheet would run; json has null for unknown and for NaN,
    and decimals as numbers.

    \b
    Exits 0; 1 when nothing is built yet or the disk is full; 2 when the SQL is
    wrong or would write, or FILE is none.

    \b
    Examples:
      meterhouse sql "show tables"
      meterhouse sql "from cost_per_task" --output costs.csv
    """
    from app.warehouse.query import connect, run
    from collectors.home import find_home

    output = None if output == _STANDARD_OUTPUT else output
    chosen = _format(format, output, as_json)
    with connect(find_home()) as connection:
        result = run(connection, query)
        if chosen is Format.TABLE and output is None:
            print(_table(result, with_totals))
        elif output is None:
            _check_is_piped(chosen)
            _write(result, chosen, with_totals, sys.stdout.buffer)
        else:
            _write_file(result, chosen, with_totals, output)


def _format(format: Format | None, output: Path | None, as_json: bool) -> Format:
    from models.errors import UsageError

    if as_json and format:
        raise UsageError("expected --json or --format, got both; leave out one of them")
    asked = Format.JSON if as_json else format
    if asked or output is None:
        return asked or Format.TABLE
    if output.suffix.lower() not in _SUFFIXES:
        raise UsageError(f"expected --output to end in {', '.join(_SUFFIXES)}, got {output}; or say --format")
    return _SUFFIXES[output.suffix.lower()]


def _check_is_piped(chosen: Format) -> None:
    from models.errors import UsageError

    if chosen is Format.PARQUET and sys.stdout.isatty():
        raise UsageError("expected --output FILE or a pipe for parquet, got a terminal")


def _write_file(result: duckdb.DuckDBPyConnection, chosen: Format, with_totals: bool, output: Path) -> None:
    """Under the file's name when it is whole."""
    from collectors import atomic
    from models.errors import MeterhouseError, UsageError

    try:
        atomic.rewrite(_target(output), lambda file: _write(result, chosen, with_totals, file))
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        kind = MeterhouseError if is_full else UsageError
        raise kind(f"expected to write {output}: {error.strerror}") from error


def _target(output: Path) -> Path:
    """The file behind any links. Raises UsageError for what is none: no device may become a file. Raises OSError."""
    from collectors.reading import FILE, kind_of_file
    from models.errors import UsageError

    try:
        kind = kind_of_file(output.stat().st_mode)
    except FileNotFoundError:
        kind = FILE
    if kind != FILE:
        raise UsageError(f"expected a file or a new name for --output, {output} is {kind}; write there with `>`")
    return Path(os.path.realpath(output))


def _write(result: duckdb.DuckDBPyConnection, chosen: Format, with_totals: bool, file: BinaryIO) -> None:
    from app import exports

    match chosen:
        case Format.TABLE:
            file.write(f"{_table(result, with_totals)}\n".encode())
        case Format.PARQUET:
            exports.write_parquet(result, file)
        case Format.CSV | Format.JSON:
            lines = exports.csv_lines if chosen is Format.CSV else exports.json_lines
            for line in lines(exports.column_names(result, may_repeat=chosen is Format.CSV), exports.fetched(result)):
                file.write(line.encode())


def _table(result: duckdb.DuckDBPyConnection, with_totals: bool) -> str:
    from app import exports, formats, terminal

    columns, rows = exports.column_names(result, may_repeat=True), result.fetchall()
    footer = [
        formats.total(column, [row[index] for row in rows]) if formats.is_additive(column) else ""
        for index, column in enumerate(columns)
    ]
    lines = f"({formats.count(len(rows))} {'row' if len(rows) == 1 else 'rows'})"
    return f"{terminal.table(columns, rows, footer if with_totals else ())}\n{lines}"

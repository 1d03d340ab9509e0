"""The published marts, read only: schema `marts` in a DuckDB of one's own, with the rest of the world locked out."""

from __future__ import annotations

import difflib
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

from app.warehouse.publish import quoted
from collectors.home import Home
from models.errors import QueryFailed

_READS = "SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW or SUMMARIZE"


def connect(home: Home, build_id: str | None = None) -> duckdb.DuckDBPyConnection:
    """A connection with one view per mart, which can reach no other file, no network and no Python variable.

    Raises NoWarehouse. It keeps reading its build, whatever is built meanwhile.
    """
    paths = sorted(home.marts(build_id).glob("*.parquet"))
    connection = duckdb.connect()
    connection.execute("set TimeZone='UTC'; create schema marts")
    for path in paths:
        connection.execute(f'create view marts."{path.stem}" as select * from read_parquet([{quoted(str(path))}])')
    connection.execute("set search_path='marts'")
    _lock(connection, paths)
    return connection


def _lock(connection: duckdb.DuckDBPyConnection, paths: list[Path]) -> None:
    connection.execute(f"set allowed_paths=[{', '.join(quoted(str(path)) for path in paths)}]")
    connection.execute("set python_enable_replacements=false; set temp_directory=''")
    connection.execute("set enable_external_access=false; set lock_configuration=true")


def run(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyConnection:
    """Run one statement that reads, and return its result. Raises QueryFailed with one line."""
    try:
        _check(connection, sql)
        return _execute(connection, sql)
    except duckdb.Error as error:
        raise QueryFailed(_explain(connection, error)) from error


def _execute(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyConnection:
    """In a thread of its own: where the main thread waits inside DuckDB, Ctrl-C waits too."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(connection.execute, sql)
        try:
            return running.result()
        except KeyboardInterrupt:
            connection.interrupt()
            raise


def _check(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """EXPLAIN is refused as well: `explain analyze copy …` would write over a mart."""
    kinds = [statement.type.name for statement in connection.extract_statements(sql)]
    if not kinds:
        raise QueryFailed(f"sql: expected one statement ({_READS}), got none")
    for kind in kinds:
        if kind != "SELECT":
            raise QueryFailed(f"sql only reads the published marts: expected {_READS}, got {kind}")
    if len(kinds) > 1:
        raise QueryFailed(f"sql: expected one statement, got {len(kinds)}; run them one by one")


def _explain(connection: duckdb.DuckDBPyConnection, error: duckdb.Error) -> str:
    """DuckDB's message in one line, without its drawing; a mart that is not there gets the nearest name."""
    message = re.sub(r"\s+", " ", re.split(r"\n\s*\n|\nLINE ", str(error))[0])
    if isinstance(error, duckdb.PermissionException):
        return f"sql only reads the published marts: {message}"
    missing = re.search(r"Table with name (\S+) does not exist", message)
    return f"sql: {_suggest(connection, missing[1])}" if missing else f"sql: {message}"


def _suggest(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    marts = [
        mart for (mart,) in connection.execute("select view_name from duckdb_views() where not internal").fetchall()
    ]
    near = difflib.get_close_matches(name.lower(), marts, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(marts)}"
    return f"expected a mart, found none named {name}; {hint}"

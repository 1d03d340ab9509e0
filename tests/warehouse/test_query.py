from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
from tiny import attempt, cost

from app.warehouse.build import Built
from app.warehouse.query import connect, run
from collectors.home import Home
from collectors.store import LocalStore
from models.errors import NoWarehouse, QueryFailed


@pytest.fixture
def marts(home: Home, store: LocalStore, fake_build: Callable[[], Built]) -> Iterator[duckdb.DuckDBPyConnection]:
    store.append([attempt("a"), cost("a", "0.5")])
    fake_build()
    with connect(home) as connection:
        yield connection


@pytest.mark.parametrize(
    "sql",
    [
        "select run_id from attempts",
        "from marts.attempts select run_id",
        "with a as (select run_id from marts.attempts) select * from a",
        "values ('a')",
    ],
)
def test_anything_that_only_reads_runs(marts: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert run(marts, sql).fetchall() == [("a",)]


def test_show_and_describe_tell_the_marts_and_their_columns(marts: duckdb.DuckDBPyConnection) -> None:
    assert run(marts, "show tables").fetchall() == [("attempts",), ("costs",)]
    assert [row[:2] for row in run(marts, "describe costs").fetchall()] == [
        ("run_id", "VARCHAR"),
        ("cost_usd", "DECIMAL(38,12)"),
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "copy (select 1) to '{file}'",
        "copy attempts to '{mart}' (use_tmp_file false)",
        "explain analyze copy (select 1) to '{mart}' (use_tmp_file false)",
        "install httpfs",
        "load httpfs",
        "attach '{file}'",
        "create table t as select 1 as one",
        "insert into attempts values ('b')",
        "drop view marts.attempts",
        "export database '{file}'",
        "set memory_limit = '1GB'",
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/passwd')",
        "select * from read_blob('{database}')",
        "select * from read_parquet('{events}')",
        "select * from glob('/etc/*')",
        "select * from read_parquet('https://example.test/x.parquet')",
    ],
)
def test_what_would_write_or_read_elsewhere_is_refused_in_one_line(
    marts: duckdb.DuckDBPyConnection, home: Home, tmp_path: Path, sql: str
) -> None:
    mart = home.marts() / "attempts.parquet"
    before = mart.read_bytes()
    places = {"file": tmp_path / "out", "mart": mart, "database": mart.parent.parent / "warehouse.duckdb"}
    with pytest.raises(QueryFailed, match=r"^sql only reads the published marts: [^\n]+$"):
        run(marts, sql.format(**places, events=f"{home.events}/**/*.parquet"))
    assert mart.read_bytes() == before
    assert not (tmp_path / "out").exists()


def test_a_python_variable_is_no_table(marts: duckdb.DuckDBPyConnection) -> None:
    secret = marts.sql("select 1 as one").to_arrow_table()
    with pytest.raises(QueryFailed, match="expected a mart, found none named secret; there are attempts, costs"):
        run(marts, "from secret")
    assert secret.num_rows == 1


@pytest.mark.parametrize(
    ("sql", "line"),
    [
        ("from marts.atempts", "sql: expected a mart, found none named atempts; did you mean attempts?"),
        ("select nothing from attempts", 'sql: Binder Error: Referenced column "nothing" not found in FROM clause!'),
        ("selec 1", 'sql: Parser Error: syntax error at or near "selec"'),
        ("", "sql: expected one statement (SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW or SUMMARIZE), got none"),
        ("select 1; select 2", "sql: expected one statement, got 2; run them one by one"),
        ("select 'x'::int", "sql: Conversion Error: Could not convert string 'x' to INT32"),
    ],
)
def test_wrong_sql_is_one_line_and_an_unknown_mart_gets_the_nearest_name(
    marts: duckdb.DuckDBPyConnection, sql: str, line: str
) -> None:
    with pytest.raises(QueryFailed) as caught:
        run(marts, sql)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_before_the_first_build_there_is_one_clear_error(home: Home) -> None:
    with pytest.raises(NoWarehouse, match="run `meterhouse demo`, or `meterhouse collect` and `build`"):
        connect(home)

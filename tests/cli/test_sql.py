from __future__ import annotations

import json
import os
import socket
import subprocess
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands import COMMAND, environment, meterhouse

from collectors.home import Home

C59 = ['=HYPERLINK("http://example.test","x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "plain"]
C61 = """
select * from (values
    ('a', 0.00004::decimal(38, 12), 9007199254740993),
    ('b', 0, 10),
    ('c', null, 10)
) as rows (task, cost_usd, tokens)
"""


def literal(text: str) -> str:
    escaped = text.replace("'", "''").replace("\t", "' || chr(9) || '").replace("\r", "' || chr(13) || '")
    return f"'{escaped}'"


@pytest.fixture
def c59_query() -> str:
    return f"select * from (values {', '.join(f'({literal(text)})' for text in C59)}) as rows (project)"


def test_c59_csv_cells_that_a_spreadsheet_would_run_get_a_quote_in_front(
    published: Home, tmp_path: Path, c59_query: str
) -> None:
    meterhouse(published, "sql", c59_query, "--output", str(tmp_path / "rows.csv"))
    assert (tmp_path / "rows.csv").read_bytes().decode().split("\n") == [
        "project",
        '"\'=HYPERLINK(""http://example.test"",""x"")"',
        '"\'+1+1"',
        '"\'-2+3"',
        '"\'@SUM(A1)"',
        '"\'\t=1"',
        '"\'\r=1"',
        "plain",
        "",
    ]


def test_c59_json_and_parquet_carry_the_text_byte_for_byte(published: Home, tmp_path: Path, c59_query: str) -> None:
    printed = meterhouse(published, "sql", c59_query, "--json").stdout
    assert json.loads(printed) == [{"project": text} for text in C59]
    meterhouse(published, "sql", c59_query, "--output", str(tmp_path / "rows.parquet"))
    assert pq.read_table(tmp_path / "rows.parquet").to_pydict() == {"project": C59}


def test_c61_the_table_shows_small_costs_true_zeros_unknowns_and_every_digit(published: Home) -> None:
    assert meterhouse(published, "sql", C61, "--totals").stdout.splitlines() == [
        "task                    cost_usd            tokens",
        "────  ──────────────────────────  ────────────────",
        "a                      $0.000040  9007199254740993",
        "b                          $0.00                10",
        "c                        unknown                10",
        "────  ──────────────────────────  ────────────────",
        "      $0.000040 (1 of 3 unknown)",
        "(3 rows)",
    ]


def test_c61_the_exports_hold_what_the_screen_shows(published: Home, tmp_path: Path) -> None:
    printed = meterhouse(published, "sql", C61, "--format", "json").stdout
    assert json.loads(printed, parse_float=Decimal) == [
        {"task": "a", "cost_usd": Decimal("0.00004"), "tokens": 9007199254740993},
        {"task": "b", "cost_usd": 0, "tokens": 10},
        {"task": "c", "cost_usd": None, "tokens": 10},
    ]
    assert meterhouse(published, "sql", C61, "--format", "csv").stdout.splitlines() == [
        "task,cost_usd,tokens",
        "a,0.00004,9007199254740993",
        "b,0,10",
        "c,,10",
    ]
    meterhouse(published, "sql", C61, "--output", str(tmp_path / "rows.parquet"))
    assert pq.read_table(tmp_path / "rows.parquet").to_pydict() == {
        "task": ["a", "b", "c"],
        "cost_usd": [Decimal("0.00004"), Decimal(0), None],
        "tokens": [9007199254740993, 10, 10],
    }


@pytest.mark.parametrize(
    ("sql", "line"),
    [
        ("from marts.atempts", "meterhouse: sql: expected a mart, found none named atempts; did you mean attempts?"),
        ("selec 1", 'meterhouse: sql: Parser Error: syntax error at or near "selec"'),
        (
            "copy (select 1) to 'x.csv'",
            "meterhouse: sql only reads the published marts: expected SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW or"
            " SUMMARIZE, got COPY",
        ),
        (
            "from read_csv('/etc/passwd')",
            'meterhouse: sql only reads the published marts: Permission Error: Cannot access file "/etc/passwd" - file'
            " system operations are disabled by configuration",
        ),
    ],
)
def test_wrong_sql_is_one_line_and_exit_2(published: Home, sql: str, line: str) -> None:
    run = meterhouse(published, "sql", sql)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"{line}\n")


def test_two_columns_of_one_name_are_refused_where_the_format_cannot_hold_both(published: Home) -> None:
    run = meterhouse(published, "sql", "select 1 as a, 2 as a", "--json")
    line = "meterhouse: expected columns of different names, got a twice; rename one with `as`\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", line)


def test_a_file_that_cannot_be_written_is_one_line_and_leaves_none(published: Home, tmp_path: Path) -> None:
    target = tmp_path / "no" / "rows.csv"
    run = meterhouse(published, "sql", "select 1 as one", "--output", str(target))
    assert (run.returncode, run.stderr) == (
        2,
        f"meterhouse: expected to write {target}: No such file or directory\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_json_has_null_for_what_is_no_number_and_keeps_lists_and_times(published: Home) -> None:
    query = """select 'nan'::double as nan, '-inf'::double as inf, [1.50, null] as list, true as yes,
        timestamptz '2026-11-30 10:00:00+00' as at_at, 170141183460469231731687303715884105727::hugeint as huge"""
    [row] = json.loads(meterhouse(published, "sql", query, "--json").stdout, parse_float=Decimal)
    assert row == {
        "nan": None,
        "inf": None,
        "list": [Decimal("1.5"), None],
        "yes": True,
        "at_at": "2026-11-30T10:00:00+00:00",
        "huge": 170141183460469231731687303715884105727,
    }


def test_no_rows_are_an_empty_array_and_a_header(published: Home) -> None:
    assert meterhouse(published, "sql", "from costs where false", "--json").stdout == "[]\n"
    assert meterhouse(published, "sql", "from costs where false", "--format", "csv").stdout == "run_id,cost_usd\n"


def test_before_the_first_build_the_line_names_the_command_that_helps(empty: Home) -> None:
    run = meterhouse(empty, "sql", "select 1")
    line = f"meterhouse: no warehouse in {empty.path} yet; run `meterhouse demo`, or `meterhouse collect` and `build`\n"
    assert (run.returncode, run.stdout, run.stderr) == (1, "", line)


def test_through_a_link_the_file_behind_it_is_written_and_the_link_stays(published: Home, tmp_path: Path) -> None:
    behind, link, dangling = tmp_path / "far" / "rows.csv", tmp_path / "link.csv", tmp_path / "dangling.csv"
    behind.parent.mkdir()
    behind.write_text("before")
    link.symlink_to("far/rows.csv")
    dangling.symlink_to("far/new.csv")
    for path in (link, dangling):
        assert meterhouse(published, "sql", "select 1 as one", "--output", str(path)).returncode == 0
    assert {path: path.is_symlink() for path in (link, dangling)} == {link: True, dangling: True}
    texts = {path.name: path.read_text() for path in behind.parent.iterdir()}
    assert texts == {"rows.csv": "one\n1\n", "new.csv": "one\n1\n"}


@pytest.mark.parametrize("kind", ["a pipe", "a socket", "a folder"])
@pytest.mark.parametrize("is_behind_a_link", [False, True])
def test_what_is_no_file_is_neither_replaced_nor_written(
    published: Home, tmp_path: Path, kind: str, is_behind_a_link: bool
) -> None:
    output = tmp_path / "rows.csv"
    node = tmp_path / "node" if is_behind_a_link else output
    with socket.socket(socket.AF_UNIX) as listening:
        make = {"a pipe": os.mkfifo, "a socket": lambda path: listening.bind(str(path)), "a folder": Path.mkdir}
        make[kind](node)
    if is_behind_a_link:
        output.symlink_to(node)
    before = node.lstat()
    run = meterhouse(published, "sql", "select 1 as one", "--output", str(output))
    line = f"expected a file or a new name for --output, {output} is {kind}; write there with `>`"
    assert (run.returncode, run.stderr) == (2, f"meterhouse: {line}\n")
    assert (node.lstat(), sorted(tmp_path.iterdir())) == (before, sorted({node, output}))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--json", "--format", "csv"], "expected --json or --format, got both; leave out one of them"),
        (["--json", "--format", "json"], "expected --json or --format, got both; leave out one of them"),
        (
            ["--output", "rows.wat"],
            "expected --output to end in .txt, .json, .csv, .parquet, got rows.wat; or say --format",
        ),
        (["--output", "rows"], "expected --output to end in .txt, .json, .csv, .parquet, got rows; or say --format"),
    ],
)
def test_options_that_do_not_fit_are_one_line_and_exit_2(published: Home, arguments: list[str], line: str) -> None:
    run = meterhouse(published, "sql", "select 1 as one", *arguments)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"meterhouse: {line}\n")
    assert not Path(arguments[-1]).exists()


def test_the_output_called_minus_is_standard_output(published: Home) -> None:
    run = meterhouse(published, "sql", "select 1 as one", "--output", "-", "--format", "csv")
    assert (run.returncode, run.stdout, run.stderr, Path("-").exists()) == (0, "one\n1\n", "", False)


@pytest.mark.parametrize(
    ("name", "text"),
    [("rows.CSV", "one\n1\n"), ("rows.json", '[\n  {"one": 1}\n]\n'), ("rows.txt", "one\n───\n  1\n(1 row)\n")],
)
def test_the_end_of_the_outputs_name_says_how_it_is_written(
    published: Home, tmp_path: Path, name: str, text: str
) -> None:
    meterhouse(published, "sql", "select 1 as one", "--output", str(tmp_path / name))
    assert (tmp_path / name).read_text() == text


def test_a_type_that_parquet_has_not_is_one_line_and_leaves_no_file(published: Home, tmp_path: Path) -> None:
    run = meterhouse(published, "sql", "select interval 1 day as age", "--output", str(tmp_path / "rows.parquet"))
    line = "expected columns that parquet can hold, got an interval in age; "
    cast = "cast it, as in `x::varchar as x`, or write csv or json"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"meterhouse: {line}{cast}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rows", [1, 100_000])
@pytest.mark.parametrize("arguments", [[], ["--json"], ["--format", "csv"], ["--format", "parquet"]])
def test_a_full_disk_behind_standard_output_is_one_line_and_exit_1(
    published: Home, rows: int, arguments: list[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        command = [COMMAND, "sql", f"from range({rows})", *arguments]
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment(published), check=False)
    line = b"meterhouse: expected to write all of the output: No space left on device\n"
    assert (run.returncode, run.stderr) == (1, line)

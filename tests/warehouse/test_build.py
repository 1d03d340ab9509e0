from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tiny import FIRST_DAY, PROJECT, SECOND_DAY, attempt, cost, fake_dbt

from app.warehouse import dbt_runner
from app.warehouse.build import Built, build
from app.warehouse.builds import read_contracts
from app.warehouse.query import connect
from collectors.home import Home
from collectors.store import LocalStore
from models.errors import BuildFailed, NothingThatEarly


def attempts(home: Home) -> list[tuple]:
    with connect(home) as marts:
        return marts.execute("select run_id, as_of from marts.attempts order by run_id").fetchall()


def edited(tmp_path: Path, name: str, text: str) -> Path:
    """The tiny project with one file changed."""
    project = Path(shutil.copytree(PROJECT, tmp_path / "edited"))
    (project / "models" / "marts" / name).write_text(text)
    return project


def test_a_build_publishes_its_marts_with_their_contracts(home: Home, store: LocalStore) -> None:
    store.append([attempt("a"), cost("a", "0.00004")])
    built = build(home, PROJECT)
    assert (built.status, home.current_build()) == ("built", built.build_id)
    with connect(home) as marts:
        assert marts.execute("from marts.costs").fetchall() == [("a", Decimal("0.000040000000"))]
    contract = read_contracts(home, built.build_id)["attempts"]
    assert (contract["rows"], contract["description"]) == (1, "Attempts that were started. One row per attempt.")
    assert contract["columns"]["run_id"] == {"type": "VARCHAR", "description": "The attempt."}


def test_an_empty_store_builds_empty_marts(home: Home, fake_build: Callable[[], Built]) -> None:
    fake_build()
    assert attempts(home) == []


def test_a_build_with_nothing_new_imports_neither_dbt_nor_duckdb_nor_arrow(
    home: Home, store: LocalStore, fake_build: Callable[[], Built]
) -> None:
    store.append([attempt("a")])
    fake_build()
    script = (
        "import sys; from pathlib import Path; from app.warehouse.build import build; from collectors.home import Home;"
        f"status = build(Home(Path({str(home.path)!r})), Path({str(PROJECT)!r})).status;"
        "print(status, sorted({'dbt', 'duckdb', 'pyarrow'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "already_current []\n"


def test_the_files_are_frozen_before_dbt_runs(home: Home, store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.append([attempt("a")])

    def late(*args: Any) -> None:
        store.append([attempt("late")])
        fake_dbt(*args)

    monkeypatch.setattr(dbt_runner, "run", late)
    built = build(home, PROJECT)
    assert attempts(home) == [("a", "")]
    listed = json.loads((home.builds / built.build_id / "inputs.json").read_text())["files"]["run_started"]
    assert len([name for name in listed if "month=2026-05" in name]) == 1


def test_an_as_of_sees_what_the_store_had_by_then_and_the_day_is_told_to_dbt(home: Home, store: LocalStore) -> None:
    store.append([attempt("a")], recorded_at=FIRST_DAY)
    store.append([attempt("a"), attempt("b")], recorded_at=SECOND_DAY)
    now = build(home, PROJECT)
    build(home, PROJECT, as_of=FIRST_DAY)
    assert attempts(home) == [("a", "2026-06-01")]
    again = build(home, PROJECT)
    assert (again.build_id, again.status) == (now.build_id, "republished")
    assert attempts(home) == [("a", ""), ("b", "")]


def test_an_as_of_before_the_first_event_is_one_clear_error(home: Home, store: LocalStore) -> None:
    with pytest.raises(NothingThatEarly, match="found none in the store; collect first"):
        build(home, PROJECT, as_of=FIRST_DAY)
    store.append([attempt("a")], recorded_at=SECOND_DAY)
    with pytest.raises(NothingThatEarly, match=r"from 2026-06-02T09:00:00\+00:00 on"):
        build(home, PROJECT, as_of=SECOND_DAY - timedelta(microseconds=1))
    assert home.current_build() is None
    assert list(home.builds.iterdir()) == []


def test_a_failing_data_test_is_one_line_and_leaves_current_alone(
    home: Home, store: LocalStore, tmp_path: Path
) -> None:
    store.append([attempt("a"), cost("a", "1")])
    good = build(home, PROJECT)
    twice = "select run_id, '' as as_of from {{ source('events', 'run_started') }} cross join (values (1), (2))"
    with pytest.raises(BuildFailed) as caught:
        build(home, edited(tmp_path, "attempts.sql", twice))
    assert str(caught.value).splitlines() == [
        "build failed: test unique_attempts_run_id: 1 rows break it (models/marts/_marts__models.yml);"
        f" the published marts are untouched, the log is {home.dbt_target / 'dbt.log'}"
    ]
    assert home.current_build() == good.build_id
    assert [path.name for path in home.builds.iterdir()] == [good.build_id]


def test_each_broken_model_is_one_line(home: Home, tmp_path: Path) -> None:
    project = edited(tmp_path, "attempts.sql", "select no_such_column from {{ source('events', 'run_started') }}")
    (project / "models" / "marts" / "costs.sql").write_text("select 1 as run_id, 1 / 'x' as cost_usd")
    with pytest.raises(BuildFailed) as caught:
        build(home, project)
    lines = sorted(str(caught.value).splitlines())
    assert [line[:60] for line in lines] == [
        "build failed: model attempts: Runtime Error in model attempt",
        "build failed: model costs: Runtime Error in model costs (mod",
    ]
    assert 'Referenced column "no_such_column" not found' in lines[0]


def test_a_column_that_parquet_would_round_is_refused(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dbt_runner, "run", fake_dbt)
    with pytest.raises(
        BuildFailed, match=r"costs\.tokens is HUGEINT, which Parquet holds as DOUBLE; cast it to BIGINT"
    ):
        build(home, edited(tmp_path, "costs.sql", "select sum(1::bigint) as tokens"))


def test_a_published_build_that_lost_a_mart_is_built_again(
    home: Home, store: LocalStore, fake_build: Callable[[], Built]
) -> None:
    store.append([attempt("a")])
    (home.builds / fake_build().build_id / "marts" / "attempts.parquet").unlink()
    assert fake_build().status == "built"
    assert attempts(home) == [("a", "")]
    fake_build()
    assert [path.name for path in home.builds.iterdir() if "damaged" not in path.name] == [home.current_build()]


def test_a_reader_keeps_its_build_while_another_is_published(
    home: Home, store: LocalStore, fake_build: Callable[[], Built]
) -> None:
    store.append([attempt("a")])
    fake_build()
    with connect(home) as reader:
        store.append([attempt("b")])
        assert fake_build().status == "built"
        assert reader.execute("select run_id from marts.attempts").fetchall() == [("a",)]
    assert attempts(home) == [("a", ""), ("b", "")]


def test_builds_of_two_processes_at_once_are_one_build(home: Home, store: LocalStore) -> None:
    store.append([attempt("a")])
    script = str(Path(__file__).parent.parent / "support" / "build_tiny.py")
    command = [sys.executable, script, str(home.path), "fake"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate()[0].strip() for process in both)
    assert said == ["already_current", "built"]
    assert [path.name for path in home.builds.iterdir()] == [home.current_build()]


def test_marts_hold_times_in_utc(home: Home, store: LocalStore, fake_build: Callable[[], Built]) -> None:
    store.append([attempt("a")], recorded_at=FIRST_DAY)
    fake_build()
    with connect(home) as marts:
        [(moment, text)] = marts.execute("select recorded_at, recorded_at::varchar from marts.attempts").fetchall()
    assert (moment, text) == (datetime(2026, 6, 1, 9, tzinfo=UTC), "2026-06-01 09:00:00+00")

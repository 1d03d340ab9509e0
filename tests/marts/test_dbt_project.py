"""The dbt project itself: its unit tests hold, and what is written from the contracts is what the contracts say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from collectors.home import Home, resources
from models import EVENTS
from models.dbt_contracts import MACRO, SOURCES, macro_text, sources_text

PROJECT = resources("dbt_project")


def test_the_files_that_the_contracts_write_are_what_they_say() -> None:
    assert (PROJECT / MACRO).read_text() == macro_text()
    assert (PROJECT / SOURCES).read_text() == sources_text()


def test_there_is_one_staging_model_for_each_event_type() -> None:
    models = {path.stem for path in (PROJECT / "models" / "staging").glob("*.sql")}
    assert models == {f"stg_events__{event_type}" for event_type in EVENTS}


def test_only_staging_reads_the_sources_and_the_model_about_reading_itself() -> None:
    reading = {path.stem for path in (PROJECT / "models").rglob("*.sql") if "source('events'" in path.read_text()}
    assert reading == {"int_open_records"}


def test_dbts_unit_tests_hold(demo_home: Home, tmp_path: Path) -> None:
    build = demo_home.builds / str(demo_home.current_build())
    shutil.copy(build / "warehouse.duckdb", tmp_path)
    target = tmp_path / "target"
    target.mkdir()
    shutil.copy(demo_home.dbt_target / "partial_parse.msgpack", target)
    dbt = Path(sys.executable).with_name("dbt")
    places = ["--project-dir", PROJECT, "--profiles-dir", PROJECT, "--target-path", target, "--log-path", target]
    done = subprocess.run(
        [dbt, "--no-use-colors", "test", "--select", "test_type:unit", *places],
        cwd=tmp_path,
        env=os.environ | {"METERHOUSE_DUCKDB_PATH": "warehouse.duckdb", "METERHOUSE_AS_OF": "", "DO_NOT_TRACK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    held = (PROJECT / "models").rglob("*.yml")
    expected = sum(path.read_text().count("\n    model: ") for path in held)
    assert done.returncode == 0, done.stdout
    assert f"PASS={expected} WARN=0 ERROR=0 SKIP=0" in done.stdout

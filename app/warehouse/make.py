"""The work of a build: views over the frozen files, dbt, Parquet. A build has its name when all of it is there."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

import duckdb

from app.warehouse import dbt_runner, publish
from app.warehouse.builds import INPUTS, PARTIAL
from app.warehouse.inputs import Inputs
from collectors import atomic
from collectors.home import Home
from models.errors import NothingThatEarly

DATABASE = "warehouse.duckdb"


def make(home: Home, inputs: Inputs, on_step: dbt_runner.OnStep) -> None:
    """Make a build's folder, under the build lock. Leaves nothing when it raises BuildFailed or NothingThatEarly."""
    folder = home.builds / f"{inputs.build_id}{PARTIAL}{os.getpid()}"
    atomic.make_folder(folder)
    try:
        atomic.replace(folder / INPUTS, inputs.to_json())
        register(inputs, folder / DATABASE)
        dbt_runner.run(inputs.project, home.dbt_target, folder, DATABASE, inputs.as_of, on_step)
        publish.export(folder / DATABASE, home.dbt_target / "manifest.json", folder)
        _move(folder, home.builds / inputs.build_id)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _move(folder: Path, final: Path) -> None:
    """Give a finished build its name. One of that name that is not whole makes room."""
    publish.flush(folder / "marts")
    if final.exists():
        final.rename(final.with_name(f"{final.name}{PARTIAL}damaged-{os.getpid()}"))
    folder.rename(final)
    publish.flush(final.parent)


def register(inputs: Inputs, database: Path) -> None:
    """Create the database with one view per event type over exactly the frozen files. Raises NothingThatEarly."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("set TimeZone='UTC'")
        where = f" where recorded_at <= {_checked(connection, inputs, inputs.as_of)}" if inputs.as_of else ""
        connection.execute("create schema events")
        for kind, names in inputs.files.items():
            connection.execute(f"create view events.{kind} as select * from {_scan(inputs, names)}{where}")


def _scan(inputs: Inputs, names: list[str]) -> str:
    listed = ", ".join(publish.quoted(str(inputs.events / name)) for name in names)
    return f"read_parquet([{listed}], union_by_name = true, hive_partitioning = false)"


def _checked(connection: duckdb.DuckDBPyConnection, inputs: Inputs, as_of: datetime) -> str:
    """The time as SQL. Raises NothingThatEarly where the store had no event yet."""
    each = [f"select min(recorded_at) as earliest from {_scan(inputs, names)}" for names in inputs.files.values()]
    [(first,)] = connection.execute(f"select min(earliest) from ({' union all '.join(each)})").fetchall()
    if first is None:
        raise NothingThatEarly("expected events to look back at, found none in the store; collect first")
    if first > as_of:
        raise NothingThatEarly(
            f"expected a time from {first.isoformat()} on, when this store had its first event, got"
            f" {as_of.isoformat()}; shipped history is asked for by method name"
        )
    return f"timestamptz {publish.quoted(as_of.isoformat())}"

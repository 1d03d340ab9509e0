"""Warehouses for everybody: the shipped data built once, and small worlds made of a few events."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import duckdb
import pytest
from filelock import FileLock
from hypothesis import settings

from app.commands.demo import SHIPPED
from app.warehouse.build import build
from app.warehouse.query import connect
from collectors.collect import collect
from collectors.home import Home, resources
from collectors.results import COLLECTORS
from collectors.store import LocalStore
from models import Event

BuildWorld = Callable[..., duckdb.DuckDBPyConnection]

settings.register_profile("house", deadline=None)  # machines are shared: how long an example takes tells nothing
settings.load_profile("house")


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all workers of this test run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def demo_home(session_folder: Path) -> Home:
    """The shipped data, collected and built once by whichever worker comes first. Read it only."""
    home = Home(session_folder / "demo-home")
    with FileLock(session_folder / "demo-home.lock"):
        if home.current_build() is None:
            for source, folder in SHIPPED.items():
                collect(COLLECTORS[source], resources("datasets") / folder, LocalStore(home.events), home)
            build(home)
    return home


@pytest.fixture(scope="session")
def demo_marts(demo_home: Home) -> Iterator[duckdb.DuckDBPyConnection]:
    """The marts of the shipped data, as `meterhouse sql` sees them."""
    with connect(demo_home) as connection:
        yield connection


@pytest.fixture(scope="session")
def build_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BuildWorld]:
    """`build_world(events, more_events…)`: a fresh home, a batch appended a minute after the other, built; its marts.

    All worlds of one worker share dbt's parsed project.
    """
    folder, number, opened = tmp_path_factory.mktemp("worlds"), count(), []

    def build_one(*batches: Iterable[Event]) -> duckdb.DuckDBPyConnection:
        home = Home(folder / f"world-{next(number)}")
        home.path.mkdir()
        (folder / "dbt").mkdir(exist_ok=True)
        home.dbt_target.symlink_to(folder / "dbt")
        for minutes, batch in enumerate(batches):
            LocalStore(home.events).append(batch, datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=minutes))
        build(home)
        opened.append(connect(home))
        return opened[-1]

    yield build_one
    for connection in opened:
        connection.close()

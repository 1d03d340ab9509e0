"""The app as its users run it, on the shipped data, on an empty warehouse and on none."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock
from pages import OpenPage
from streamlit.testing.v1 import AppTest

import app
from app import queries
from app.queries import Build
from app.warehouse.build import build
from collectors.home import Home
from collectors.store import LocalStore

ROUTER = Path(app.__file__).parent / "main.py"


@pytest.fixture(scope="session")
def demo_build(demo_home: Home) -> Build:
    return queries.current_build(demo_home)


@pytest.fixture(scope="session")
def empty_home(session_folder: Path) -> Home:
    """A warehouse in which nothing was ever collected."""
    home = Home(session_folder / "empty-home")
    with FileLock(session_folder / "empty-home.lock"):
        if home.current_build() is None:
            LocalStore(home.events).append([])
            build(home)
    return home


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    def open_one(home: Home, page: str | None = None, **query: str) -> AppTest:
        monkeypatch.setenv("METERHOUSE_HOME", str(home.path))
        test = AppTest.from_file(str(ROUTER), default_timeout=60)
        if page:
            test.run()
            test.switch_page(page)
            test.query_params.clear()  # as the browser does
        test.query_params.update(query)
        return test.run()

    return open_one

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tiny import PROJECT, fake_dbt

from app.warehouse import dbt_runner
from app.warehouse.build import Built, build
from collectors.home import Home
from collectors.store import LocalStore


@pytest.fixture(scope="session")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """dbt's folder for the tiny project, so that it is parsed from nothing only once."""
    return tmp_path_factory.mktemp("tiny-dbt")


@pytest.fixture
def home(tmp_path: Path, parsed: Path) -> Home:
    """A home of the tiny project, with no event."""
    home = Home(tmp_path / "home")
    home.path.mkdir()
    home.dbt_target.symlink_to(parsed)
    return home


@pytest.fixture
def store(home: Home) -> LocalStore:
    return LocalStore(home.events)


@pytest.fixture
def fake_build(home: Home, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Built]:
    """Build without dbt; the rest is real."""
    monkeypatch.setattr(dbt_runner, "run", fake_dbt)
    return lambda: build(home, PROJECT)

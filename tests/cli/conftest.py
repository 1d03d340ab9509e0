from __future__ import annotations

import signal
from pathlib import Path

import pytest
from tiny import PROJECT, attempt, cost, fake_dbt

from app.warehouse import dbt_runner
from app.warehouse.build import build
from collectors.home import Home
from collectors.store import LocalStore


@pytest.fixture(autouse=True, scope="session")
def _children_hear_ctrl_c() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so do its children: a CI may be started like that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with two attempts, built. Read it only."""
    home = Home(tmp_path_factory.mktemp("cli") / "home")
    LocalStore(home.events).append([attempt("a"), attempt("b"), cost("a", "0.00004")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dbt_runner, "run", fake_dbt)
        build(home, PROJECT)
    return home


@pytest.fixture
def empty(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")

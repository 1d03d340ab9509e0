from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny import PROJECT, attempt, cost

from app.warehouse.build import Built, build
from app.warehouse.query import connect
from collectors.home import Home
from collectors.store import LocalStore

SCRIPT = str(Path(__file__).parent.parent / "support" / "build_tiny.py")
Marts = dict[str, list[tuple]]


def start(home: Home, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, SCRIPT, str(home.path), *arguments], stdout=subprocess.DEVNULL)


def marts(home: Home) -> Marts:
    with connect(home) as connection:
        return {
            mart: connection.execute(f"from marts.{mart} order by all").fetchall() for mart in ("attempts", "costs")
        }


def unfinished(home: Home) -> list[Path]:
    return list(home.builds.glob("*partial*"))


@pytest.fixture
def old(home: Home, store: LocalStore, fake_build: Callable[[], Built]) -> Marts:
    """What is published; a newer event waits."""
    store.append([attempt("a"), cost("a", "1")])
    fake_build()
    old = marts(home)
    store.append([attempt("b")])
    return old


def test_a_build_killed_at_any_step_of_its_io_leaves_the_old_or_the_new_marts_and_the_next_run_the_new(
    home: Home, old: Marts, fake_build: Callable[[], Built], tmp_path: Path
) -> None:
    waiting = Home(Path(shutil.copytree(home.path, tmp_path / "waiting", symlinks=True)))
    fake_build()
    new = marts(home)
    assert start(waiting, "kill", str(tmp_path / "killed")).wait() == 0
    killed = [Home(path) for path in (tmp_path / "killed").iterdir()]
    assert len(killed) > 8
    assert [each for each in map(marts, killed) if each not in (old, new)] == []
    for each in killed:
        build(each, PROJECT)
    assert [(marts(each), unfinished(each)) for each in killed] == [(new, [])] * len(killed)

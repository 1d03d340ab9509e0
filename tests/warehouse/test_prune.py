from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from tiny import attempt

from app.warehouse.build import Built
from app.warehouse.prune import prune
from app.warehouse.query import connect
from collectors.home import Home
from collectors.store import LocalStore

DAY_S = 86_400


def age(path: Path, seconds: float) -> None:
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def three_builds(home: Home, store: LocalStore, fake_build: Callable[[], Built]) -> list[str]:
    ids = []
    for days in (3, 2, 0):
        store.append([attempt(f"r{days}")])
        ids.append(fake_build().build_id)
        age(home.builds / ids[-1] / "inputs.json", days * DAY_S + 1)
    return ids


def test_superseded_builds_go_when_they_are_old_enough(
    home: Home, store: LocalStore, fake_build: Callable[[], Built]
) -> None:
    first, second, third = three_builds(home, store, fake_build)
    gone = prune(home, timedelta(days=2, hours=12))
    assert [(item.path.name, item.kind) for item in gone] == [(first, "superseded build")]
    assert sorted(path.name for path in home.builds.iterdir()) == sorted([second, third])


def test_current_stays_whatever_its_age(home: Home, store: LocalStore, fake_build: Callable[[], Built]) -> None:
    *_, third = three_builds(home, store, fake_build)
    age(home.builds / third / "inputs.json", 1000 * DAY_S)
    prune(home, timedelta(0))
    assert [path.name for path in home.builds.iterdir()] == [third]
    with connect(home) as marts:
        assert len(marts.execute("from marts.attempts").fetchall()) == 3


def test_a_dry_run_names_the_same_and_removes_nothing(
    home: Home, store: LocalStore, fake_build: Callable[[], Built]
) -> None:
    three_builds(home, store, fake_build)
    before = sorted(home.path.rglob("*"))
    named = prune(home, timedelta(0), is_dry_run=True)
    assert sorted(home.path.rglob("*")) == before
    assert prune(home, timedelta(0)) == named


def test_leftovers_go_and_temporary_files_only_when_a_day_old(
    home: Home, store: LocalStore, fake_build: Callable[[], Built]
) -> None:
    store.append([attempt("a")])
    build_id = fake_build().build_id
    (home.builds / "0123456789abcdef.partial-1" / "marts").mkdir(parents=True)
    old, young = home.events / "run_started" / ".tmp-old", home.path / ".tmp-young"
    for path in (old, young):
        path.write_bytes(b"x")
    age(old, DAY_S + 1)
    assert {item.kind for item in prune(home)} == {"unfinished build", "temporary file"}
    assert [path.name for path in home.builds.iterdir()] == [build_id]
    assert (old.exists(), young.exists()) == (False, True)


def test_events_and_progress_are_never_pruned(home: Home, store: LocalStore, fake_build: Callable[[], Built]) -> None:
    three_builds(home, store, fake_build)
    events = sorted(home.events.rglob("*.parquet"))
    prune(home, timedelta(0))
    assert sorted(home.events.rglob("*.parquet")) == events

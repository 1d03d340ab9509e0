"""Killed anywhere, raced by its twin: what is listed is whole, and the same appends again end in the same events."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from batches import batch, event_files, ids, stored

from collectors.atomic import TEMPORARY_PREFIX
from collectors.store import LocalStore

SCRIPT = str(Path(__file__).parent.parent / "support" / "append_batches.py")


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    """With its schema files, which need not be written while it is killed."""
    store = LocalStore(tmp_path / "events")
    store.ensure_schemas()
    return store


def start(store: LocalStore, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, SCRIPT, str(store.root), *map(str, arguments)])


def expected_ids(numbers: range) -> list[str]:
    return ids([event for number in numbers for event in batch(number)])


def temporary(store: LocalStore) -> set[Path]:
    return set(store.root.rglob(f"{TEMPORARY_PREFIX}*"))


def test_killed_at_random_moments_what_is_listed_is_whole_and_the_same_appends_again_complete_it(
    store: LocalStore,
) -> None:
    numbers = range(40)
    assert start(store, "kill", 20261130, *numbers).wait() == 0
    assert store.verify() == []
    found = ids(stored(store))
    assert found
    assert set(found) <= set(expected_ids(numbers))
    for number in numbers:
        store.append(batch(number))
    assert ids(stored(store)) == expected_ids(numbers)
    assert store.verify() == []


def test_killed_at_any_step_of_its_io_what_is_listed_is_whole_and_the_same_append_again_completes_it(
    store: LocalStore, tmp_path: Path
) -> None:
    assert start(store, "steps", tmp_path / "killed", 0).wait() == 0
    killed = [LocalStore(path) for path in (tmp_path / "killed").iterdir()]
    left = set().union(*map(temporary, killed))
    assert len(killed) > 8
    assert left
    assert [damage for each in killed for damage in each.verify()] == []
    assert {len(event_files(each)) for each in killed} == {0, 1, 2, 3}
    for each in killed:
        each.append(batch(0))
    assert [ids(stored(each)) for each in killed] == [expected_ids(range(1))] * len(killed)
    assert set().union(*map(temporary, killed)) == left


def test_two_processes_that_append_the_same_and_other_batches_at_once_store_each_event_once(store: LocalStore) -> None:
    both = [start(store, "all", *numbers) for numbers in (range(20), range(19, 4, -1), range(10, 30))]
    assert [process.wait() for process in both] == [0, 0, 0]
    assert ids(stored(store)) == expected_ids(range(30))
    assert (store.verify(), temporary(store)) == ([], set())

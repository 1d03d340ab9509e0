"""Collected twice, killed anywhere, raced by its twin: the same marts, row for row."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from commands import meterhouse, start

from app.commands.demo import SHIPPED
from app.warehouse.builds import read_contracts
from app.warehouse.inputs import freeze
from collectors.home import Home, resources
from collectors.store import LocalStore

INDEX = resources("datasets") / SHIPPED["openhands-index"]
REFERENCE = resources("datasets") / SHIPPED["reference-benchmark"]
COLLECTS = [["openhands-index", str(INDEX)], ["reference-benchmark", str(REFERENCE)]]


def files_of(home: Home) -> set[str]:
    """The files that hold events. A build adds those that hold a schema."""
    return {path.relative_to(home.events).as_posix() for path in home.events.glob("*/month=2*/*.parquet")}


def marts_of(home: Home) -> dict[str, str]:
    """Mart -> sha256 of its rows as they were published."""
    build_id = home.current_build()
    assert build_id is not None
    return {mart: contract["sha256"] for mart, contract in read_contracts(home, build_id).items()}


def killed(process: subprocess.Popen[str], after_s: float) -> None:
    time.sleep(after_s)
    process.kill()
    process.communicate()


@pytest.fixture
def parsed_home(demo_home: Home, tmp_path: Path) -> Home:
    """A home without events, with dbt's parsed project."""
    home = Home(tmp_path / "home")
    shutil.copytree(demo_home.dbt_target, home.dbt_target)
    return home


def test_the_shipped_data_lands_in_fewer_than_80_files(demo_home: Home) -> None:
    assert len([path for path in demo_home.events.rglob("*") if path.is_file()]) < 80


def test_collecting_again_without_its_memory_finds_the_same_events_and_writes_no_file(
    demo_home: Home, parsed_home: Home
) -> None:
    shutil.copytree(demo_home.events, parsed_home.events)
    for arguments in COLLECTS:
        assert meterhouse(parsed_home, "collect", *arguments).returncode == 0
    assert files_of(parsed_home) == files_of(demo_home)


def test_a_collect_that_found_half_before_leaves_every_mart_equal(
    demo_home: Home, parsed_home: Home, tmp_path: Path
) -> None:
    half = tmp_path / "published" / INDEX.name
    # With the oldest submission: a task is as old as its first sighting by this store.
    for folder in sorted((INDEX / "results").iterdir())[1::2]:
        shutil.copytree(folder, half / "results" / folder.name)
    for arguments in [["openhands-index", str(half)], *COLLECTS]:
        assert meterhouse(parsed_home, "collect", *arguments).returncode == 0
    assert files_of(parsed_home) > files_of(demo_home)
    assert meterhouse(parsed_home, "build").stderr == ""
    assert marts_of(parsed_home) == marts_of(demo_home)


def test_killed_collects_and_builds_end_in_the_same_marts(demo_home: Home, parsed_home: Home) -> None:
    for seconds in (1.0, random.uniform(1, 4), random.uniform(2, 8)):
        killed(start(parsed_home, "collect", *COLLECTS[0]), seconds)
        killed(start(parsed_home, "collect", *COLLECTS[1]), seconds / 2)
    for arguments in COLLECTS:
        assert meterhouse(parsed_home, "collect", *arguments).returncode == 0
    assert files_of(parsed_home) == files_of(demo_home)
    for seconds in (random.uniform(1, 8), random.uniform(5, 20)):
        killed(start(parsed_home, "build"), seconds)
    assert meterhouse(parsed_home, "build").returncode == 0
    assert marts_of(parsed_home) == marts_of(demo_home)
    assert LocalStore(parsed_home.events).verify() == []


def test_two_collects_at_once_with_a_build_between_lose_and_double_nothing(demo_home: Home, parsed_home: Home) -> None:
    both = [start(parsed_home, "collect", *COLLECTS[0]) for _ in range(2)]
    while len(files_of(parsed_home)) < 4:
        time.sleep(0.05)
    between = start(parsed_home, "build")
    assert [(process.communicate()[1], process.returncode) for process in [*both, between]] == [("", 0)] * 3
    assert parsed_home.current_build() is not None
    assert meterhouse(parsed_home, "collect", *COLLECTS[1]).returncode == 0
    project = resources("dbt_project")
    assert freeze(parsed_home, project).build_id == freeze(demo_home, project).build_id

"""One value that an event's contract refuses costs its own row, and is told of that row; all beside it lands."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from batches import stored
from goldens import FOLDER

from collectors import Collector
from collectors.collect import SetAside, collect
from collectors.home import Home
from collectors.results import COLLECTORS
from collectors.store import LocalStore

OPUS = "published/results/claude-opus-4-8"
OPUS_ROWS = f"{OPUS}/instance_results/swe-bench.json"
ROWS = "published/per-instance/by-instance.json"
HALF = "x\ud800"
LARGE = 10**26 - 1
TOO_LARGE = "expected less than 99999999999999999999999999, came 1.00000e+26"
LOST = "expected 0, or a number that is not 0 at the 12 places that amounts are kept with, came a number"
NO_TEXT = "expected a text of whole characters, came a text"


@dataclass(frozen=True)
class Case:
    """Something wrong in one place, and what is said of it; the places are those whose events may be missing."""

    source: str
    file: str
    damage: Callable[[Any], Any]
    told: list[tuple[int, str]]
    gone: frozenset[int | None] = frozenset()


CASES = {
    "an id with half a character": Case(
        "openhands-index",
        OPUS_ROWS,
        lambda rows: {**rows, HALF: {"resolved": True, "cost": 1}},
        [(2, f"RunStarted: task_id: {NO_TEXT}")],
    ),
    "a cost that no column holds": Case(
        "openhands-index",
        OPUS_ROWS,
        lambda rows: {**rows, "t": {"resolved": True, "cost": LARGE}},
        [(2, f"t: cost: {TOO_LARGE}")],
    ),
    "a cost that would be kept as 0": Case(
        "openhands-index",
        OPUS_ROWS,
        lambda rows: {**rows, "t": {"resolved": True, "cost": 1e-20}},
        [(2, f"t: cost: {LOST}")],
    ),
    "a time that UTC has no year for": Case(
        "openhands-index",
        f"{OPUS}/scores.json",
        lambda scores: [{**scores[0], "submission_time": "0001-01-01T00:00:00+14:00"}, *scores[1:]],
        [(0, "submission_time: expected a time that is in the years 1 to 9999 in UTC too, came a text")],
        frozenset({0}),
    ),
    "an LLM with half a character": Case(
        "swe-bench",
        ROWS,
        lambda rows: {**rows, HALF: {"t01": {"resolved": True}}},
        [(5, f"RunStarted: llm: {NO_TEXT}"), (0, f"RunStarted: llm: {NO_TEXT}")],
    ),
    "a cost that no column holds, of swe-bench": Case(
        "swe-bench",
        ROWS,
        lambda rows: {**rows, "m": {"t01": {"resolved": True, "cost": LARGE}}},
        [(5, f"m t01: cost: {TOO_LARGE}")],
    ),
}


def events_of(module: Collector, root: Path, home: Home) -> tuple[dict[str, tuple[str, int | None]], list[SetAside]]:
    """Where each event that landed was read, by its id; and what was set aside."""
    done = collect(module, root, LocalStore(home.events), home)
    events = [event for event in stored(LocalStore(home.events)) if event.event_type != "record_set_aside"]
    return {event.event_id: (event.source_ref, event.source_offset) for event in events}, done.set_aside


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_only_the_row_of_a_refused_value_is_lost(case: Case, tmp_path: Path) -> None:
    module = COLLECTORS[case.source]
    root = shutil.copytree(FOLDER / case.source / "published", tmp_path / "published")
    whole, _ = events_of(module, root, Home(tmp_path / "whole"))
    path = tmp_path / case.file
    path.write_text(json.dumps(case.damage(json.loads(path.read_text()))))
    rest, told = events_of(module, root, Home(tmp_path / "rest"))
    at = path.relative_to(tmp_path).as_posix()
    assert told == [SetAside(at, place, reason) for place, reason in case.told]
    assert {whole[event] for event in whole.keys() - rest.keys()} <= {(at, place) for place in case.gone}


@pytest.mark.parametrize("source", COLLECTORS)
def test_a_folder_whose_name_is_no_utf8_costs_nothing(source: str, tmp_path: Path) -> None:
    golden = FOLDER / source / ("published" if source != "reference-benchmark" else "e2")
    root = shutil.copytree(golden, tmp_path / golden.name)
    for path in [path for path in root.rglob("*") if path.is_dir() and any(file.is_file() for file in path.iterdir())]:
        if path.name != "instance_results":
            path.rename(path.with_name(path.name + os.fsdecode(b"\xff")))
    module = COLLECTORS[source]
    whole, _ = events_of(module, golden, Home(tmp_path / "whole"))
    came, told = events_of(module, root, Home(tmp_path / "home"))
    assert (len(came), told) == (len(whole), [])
    again = collect(module, root, LocalStore(tmp_path / "home/events"), Home(tmp_path / "home"))
    assert (again.units_read, again.events) == (0, 0)


def test_a_row_of_a_csv_that_a_contract_refuses_is_told_by_its_line(tmp_path: Path) -> None:
    module = COLLECTORS["reference-benchmark"]
    root = shutil.copytree(FOLDER / "reference-benchmark/csv", tmp_path / "csv")
    whole, _ = events_of(module, root, Home(tmp_path / "whole"))
    lines = (root / "rates.csv").read_text().splitlines(keepends=True)
    price = lines[0].rstrip().split(",").index("value")
    cells = lines[1].split(",")
    lines[1] = ",".join([*cells[:price], "1000000", *cells[price + 1 :]])
    (root / "rates.csv").write_text("".join(lines))
    rest, told = events_of(module, root, Home(tmp_path / "rest"))
    assert told == [SetAside("csv/rates.csv", 2, "PriceObserved: amount: expected less than 999999, came 1.00000e+6")]
    assert {whole[event] for event in whole.keys() - rest.keys()} == {("csv/rates.csv", 2)}

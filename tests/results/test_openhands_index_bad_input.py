"""The OpenHands Index, damaged: what is set aside by file, place and reason, and that everything else lands."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from goldens import FOLDER, edit, only, read_all

from collectors.collect import collect
from collectors.home import Home
from collectors.results import openhands_index
from collectors.store import LocalStore
from models import RunStarted

GOLDEN = FOLDER / "openhands-index"
OPUS = "results/claude-opus-4-8"
ROWS = f"{OPUS}/instance_results/swe-bench.json"
LOST = "expected 0, or a number that is not 0 at the 12 places that amounts are kept with, came a number"
CODEX = "alternative_agents/acp-codex/GPT-5.4"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the golden tree, to be damaged."""
    return shutil.copytree(GOLDEN / "published", tmp_path / "published")


def missing(root: Path) -> Counter[tuple[str, str]]:
    """What of the golden events a damaged tree no longer says: how many of which type, from which file."""
    still = {event.event_id for event in read_all(openhands_index, root)[0]}
    whole = read_all(openhands_index, GOLDEN / "published")[0]
    gone = [event for event in whole if event.event_id not in still]
    return Counter((event.event_type, event.source_ref.removeprefix("published/")) for event in gone)


def row_of(attempts: int, costs: int) -> Counter[tuple[str, str]]:
    """The events of so many attempts of the damaged file."""
    counts = {"run_started": attempts, "run_finished": attempts, "run_graded": attempts, "cost_reported": costs}
    return Counter({(kind, ROWS): count for kind, count in counts.items() if count})


def test_a_truncated_file_is_set_aside_and_everything_else_lands(tree: Path) -> None:
    (tree / ROWS).write_text('{"astropy__astropy-12907": {"cost": 0.2745')
    _, faults = read_all(openhands_index, tree)
    assert faults == [(ROWS, 1, "not JSON: ends too early (line 1, column 43)")]
    assert missing(tree) == row_of(attempts=2, costs=2) + Counter({("task_defined", ROWS): 1})


def codex_files(reason: str) -> list[tuple[str, int, str]]:
    return [(f"{CODEX}/instance_results/swe-bench.json", 0, reason), (f"{CODEX}/scores.json", 0, reason)]


def test_an_arm_without_metadata_is_set_aside_file_by_file(tree: Path) -> None:
    (tree / CODEX / "metadata.json").unlink()
    _, faults = read_all(openhands_index, tree)
    assert faults == codex_files("no metadata.json beside it, so its LLM is unknown; nothing of it was read")
    assert {ref.startswith(CODEX) for _, ref in missing(tree)} == {True}


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ('{"model": ', "not JSON: ends too early (line 1, column 11)"),
        ("[]", "expected an object at the top, came a list"),
        ('{"agent_version": "v1"}', "model is missing"),
        ('{"model": 5}', "model: expected a text, came a number"),
    ],
)
def test_files_whose_metadata_names_no_llm_are_set_aside(tree: Path, metadata: str, reason: str) -> None:
    (tree / CODEX / "metadata.json").write_text(metadata)
    _, faults = read_all(openhands_index, tree)
    assert faults == codex_files(f"metadata.json beside it: {reason}")


def test_metadata_put_right_leaves_facts_of_every_file_that_was_set_aside(tree: Path) -> None:
    """So that no record stays open for ever: it closes once its file is read anew."""
    metadata = tree / CODEX / "metadata.json"
    whole = metadata.read_text()
    metadata.write_text("{")
    _, faults = read_all(openhands_index, tree)
    metadata.write_text(whole)
    events, _ = read_all(openhands_index, tree)
    assert {f"published/{path}" for path, _, _ in faults} <= {event.source_ref for event in events}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"resolved": "yes", "cost": 1.0}, "resolved: expected true or false, came a text"),
        ({"resolved": 1, "cost": 1.0}, "resolved: expected true or false, came a number"),
        ({"cost": 1.0}, "resolved is missing"),
        ([True, 1.0], "expected an object, came a list"),
        (None, "expected an object, came null"),
    ],
)
def test_a_row_of_another_shape_is_set_aside_and_the_other_rows_land(tree: Path, row: object, reason: str) -> None:
    edit(tree / ROWS, lambda rows: {**rows, "astropy__astropy-13236": row})
    _, faults = read_all(openhands_index, tree)
    assert faults == [(ROWS, 1, f"astropy__astropy-13236: {reason}")]
    assert missing(tree) == row_of(attempts=1, costs=1) + Counter({("task_defined", ROWS): 1})


@pytest.mark.parametrize(
    ("cost", "reason"),
    [
        (-0.5, "expected at least 0, came -0.5"),
        ("0.99", "expected a number, came a text"),
        (True, "expected a number, came a boolean"),
        (1e26, "expected less than 99999999999999999999999999, came 1e+26"),
        (10**26 - 1, "expected less than 99999999999999999999999999, came 1.00000e+26"),
        (4e-13, LOST),
        (1e-20, LOST),
    ],
)
def test_a_cost_that_is_no_amount_is_set_aside_and_the_attempt_lands(tree: Path, cost: object, reason: str) -> None:
    edit(tree / ROWS, lambda rows: {**rows, "astropy__astropy-13236": {"resolved": False, "cost": cost}})
    _, faults = read_all(openhands_index, tree)
    assert faults == [(ROWS, 1, f"astropy__astropy-13236: cost: {reason}")]
    assert missing(tree) == row_of(attempts=0, costs=1)


def test_an_unknown_field_is_named_once_a_file_and_what_is_known_lands(tree: Path) -> None:
    edit(tree / ROWS, lambda rows: {task: {**row, "tokens": 5, "retries": 1} for task, row in rows.items()})
    _, faults = read_all(openhands_index, tree)
    assert faults == [
        (ROWS, 0, "unknown fields, and in how many records: 'retries' (2), 'tokens' (2); the known fields were read")
    ]
    assert missing(tree) == Counter()


def test_an_unknown_field_of_the_metadata_is_told_of_a_file_beside_it(tree: Path) -> None:
    edit(tree / CODEX / "metadata.json", lambda metadata: {**metadata, "colour": "red"})
    _, faults = read_all(openhands_index, tree)
    reason = "unknown fields, and in how many records: 'colour' (1); the known fields were read"
    assert faults == codex_files(f"metadata.json beside it: {reason}")[:1]
    assert missing(tree) == Counter()


def test_faults_in_one_place_are_one_record(tree: Path) -> None:
    edit(tree / ROWS, lambda rows: {"t": {"resolved": True, "cost": -1, "tokens": 5}})
    _, faults = read_all(openhands_index, tree)
    assert [(path, offset) for path, offset, _ in faults] == [(ROWS, 0)]


def test_rows_of_an_unknown_benchmark_and_unknown_files_are_set_aside(tree: Path) -> None:
    shutil.copy(tree / ROWS, tree / OPUS / "instance_results/gaia.json")
    shutil.copy(tree / ROWS, tree / OPUS / "leaderboard.json")
    _, faults = read_all(openhands_index, tree)
    assert faults == [
        (
            f"{OPUS}/instance_results/gaia.json",
            0,
            "unknown benchmark 'gaia'; rows are read of swe-bench, swe-bench-multimodal",
        ),
        (f"{OPUS}/leaderboard.json", 0, "unknown file; an arm has metadata.json, scores.json and instance_results/"),
    ]
    assert missing(tree) == Counter()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": "79"}, "score: expected a number, came a text"),
        ({"benchmark": None}, "benchmark: expected a text, came null"),
        (
            {"submission_time": "2026-06-01T06:03:37"},
            "submission_time: expected a time with its zone, such as 2026-06-01T10:00:00+00:00, came a text",
        ),
        ({"benchmark": "gaia"}, "a second entry for 'gaia'; the first was read"),
    ],
)
def test_a_bad_entry_of_the_scores_is_set_aside_and_the_rows_land(tree: Path, change: dict, reason: str) -> None:
    path = tree / OPUS / "scores.json"
    edit(path, lambda scores: [scores[0], {**scores[1], **change}, scores[2]])
    events, faults = read_all(openhands_index, tree)
    assert faults == [(f"{OPUS}/scores.json", 1, reason)]
    assert len(only(RunStarted, events)) == 11


def test_a_folder_in_neither_place_is_set_aside(tree: Path) -> None:
    (tree / "results").rename(tree / "outcomes")
    _, faults = read_all(openhands_index, tree)
    assert {(path.split("/")[0], reason) for path, _, reason in faults} == {
        (
            "outcomes",
            f"expected {openhands_index.expects}",
        )
    }


def test_what_is_set_aside_lands_beside_the_facts(tree: Path, tmp_path: Path) -> None:
    edit(tree / ROWS, lambda rows: {**rows, "astropy__astropy-13236": {"resolved": False, "cost": -1}})
    home = Home(tmp_path / "home")
    done = collect(openhands_index, tree, LocalStore(home.events), home)
    again = collect(openhands_index, tree, LocalStore(home.events), home)
    assert [(aside.path, aside.offset) for aside in done.set_aside] == [(f"published/{ROWS}", 1)]
    assert (again.units_read, again.new_files) == (0, 0)

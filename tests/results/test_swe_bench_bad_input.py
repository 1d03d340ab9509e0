"""SWE-bench results, damaged: what is set aside by file, place and reason, and that everything else lands."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest
from goldens import FOLDER, edit, only, read_all

from collectors.results import swe_bench
from models import CostReported, Event, RunGraded, RunStarted

GOLDEN = FOLDER / "swe-bench"
REPORT = "report/gpt-5.4.run1.json"
ROWS = "per-instance/by-instance.json"
DECLARED = "dataset: swe-bench-verified\ndate: 2026-06-01\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the golden tree, to be damaged."""
    return shutil.copytree(GOLDEN / "published", tmp_path / "published")


def states(events: list[Event]) -> dict[str, tuple[str, bool | None]]:
    """Task -> its state and whether it counts as solved; of an arm that is alone."""
    task_of = {run.run_id: run.task_id for run in only(RunStarted, events)}
    return {task_of[grade.run_id]: (grade.status, grade.is_resolved) for grade in only(RunGraded, events)}


def costs(events: list[Event]) -> list[tuple[str, Decimal]]:
    return [(cost.subject_kind, cost.amount) for cost in only(CostReported, events)]


def test_without_arm_yaml_a_file_is_set_aside_and_the_reason_says_what_to_write(tree: Path) -> None:
    (tree / "report/arm.yaml").unlink()
    events, faults = read_all(swe_bench, tree)
    reason = (
        "no arm.yaml beside it says which dataset it is of and when it was run; "
        "write one with the lines `dataset: swe-bench-verified` and `date: 2026-06-01`"
    )
    assert faults == [(REPORT, 0, reason)]
    assert {run.source_ref for run in only(RunStarted, events)} == {f"published/{ROWS}"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dataset: [", "not YAML: expected the node content, but found '<stream end>' (line 1)"),
        ("dataset: a\ndataset: b\n", "not YAML: the key 'dataset' is there twice (line 1)"),
        ("", "expected an object, came null"),
        ("date: 2026-06-01\n", "dataset is missing"),
        (f"{DECLARED}colour: red\n", "colour: expected no such field, came a text"),
        (f"{DECLARED}llm: 5\n", "llm: expected a text, came a number"),
        (
            "dataset: x\ndate: 2026-02-31\n",
            "not YAML: a value that looks like timestamp and is none: day is out of range for month (line 2)",
        ),
        ("dataset: !!bool maybe\n", "not YAML: a value that looks like bool and is none: 'maybe' (line 1)"),
        ("[" * 5000, "not YAML that anybody meant: nested too deep"),
        (
            "dataset: d\n",
            "expected either `date`, the day of the run, or `snapshot_date`, the day of the copy, came an object",
        ),
        (
            f"{DECLARED}cost_basis: free\n",
            "cost_basis: expected 'invoiced', 'provider_reported', 'list_price', 'hardware', 'credits' or "
            "'client_estimate', came a text",
        ),
    ],
)
def test_a_bad_arm_yaml_sets_the_files_beside_it_aside(tree: Path, text: str, reason: str) -> None:
    (tree / "report/arm.yaml").write_text(text)
    _, faults = read_all(swe_bench, tree)
    assert faults == [(REPORT, 0, f"arm.yaml beside it: {reason}")]


@pytest.mark.parametrize("text", ["dataset: x\ndate: 2026-02-31\n", "[" * 5000, "\udcff", "dataset: ''\n", "\0"])
def test_an_arm_yaml_put_right_leaves_facts_of_every_file_that_was_set_aside(tree: Path, text: str) -> None:
    """So that no record stays open for ever: it closes once its file is read anew."""
    declared = tree / "report/arm.yaml"
    whole = declared.read_bytes()
    declared.write_bytes(text.encode("utf-8", "surrogateescape"))
    _, faults = read_all(swe_bench, tree)
    declared.write_bytes(whole)
    events, after = read_all(swe_bench, tree)
    assert ([path for path, _, _ in faults], after) == ([REPORT], [])
    assert f"published/{REPORT}" in {event.source_ref for event in events}


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [
        ('{"gpt-5.4": {', 1, "not JSON: ends too early (line 1, column 14)"),
        ("[]", 0, "expected an object at the top, came a list"),
        ("{}", 0, "expected an evaluation report, or {model: {instance_id: {resolved, cost, api_calls}}}"),
        (
            '{"t01": {"model_patch": ""}}',
            0,
            "expected an evaluation report, or {model: {instance_id: {resolved, cost, api_calls}}}",
        ),
        ('{"total_instances": 1}', 0, "submitted_instances is missing"),
        ('{"m": {"t01": {"resolved": "no"}}}', 0, "m t01: resolved: expected true or false, came a text"),
        ('{"m": {"t01": {"resolved": true, "cost": -1}}}', 0, "m t01: cost: expected at least 0, came -1"),
        (
            '{"m": {"t01": {"resolved": true, "cost": 1e-13}}}',
            0,
            "m t01: cost: expected 0, or a number that is not 0 at",
        ),
        (
            '{"m": {"t01": {"resolved": true, "api_calls": 1.5}}}',
            0,
            "m t01: api_calls: expected a whole number, came a number",
        ),
        ('{"m": {"t99": {"resolved": true}}}', 0, "m t99: none of the tasks in arm.yaml"),
        (
            '{"m": {"t01": {"resolved": true, "steps": 4}}}',
            0,
            "unknown fields, and in how many records: 'steps' (1); the known fields were read",
        ),
    ],
)
def test_bad_input_is_set_aside_by_file_place_and_reason(tree: Path, text: str, offset: int, reason: str) -> None:
    (tree / ROWS).write_text(text)
    events, faults = read_all(swe_bench, tree)
    assert [(path, at) for path, at, _ in faults] == [(ROWS, offset)]
    assert faults[0][2].startswith(reason)
    assert len(states([event for event in events if event.source_ref.endswith(REPORT)])) == 10


def test_a_cost_that_is_no_amount_is_set_aside_and_the_attempt_lands(tree: Path) -> None:
    edit(tree / ROWS, lambda rows: {"m": {"t01": {"resolved": True, "cost": "1", "api_calls": 3}}})
    events, _ = read_all(swe_bench, tree / "per-instance")
    assert (states(events)["t01"], costs(events)) == (("resolved", True), [])


def test_a_bad_run_cost_is_set_aside_and_the_attempts_land(tree: Path) -> None:
    edit(tree / REPORT, lambda report: {**report, "run_cost_usd": -1})
    events, faults = read_all(swe_bench, tree / "report")
    assert faults == [(Path(REPORT).name, 0, "run_cost_usd: expected at least 0, came -1")]
    assert (len(states(events)), costs(events)) == (10, [])
    assert {run.batch_id for run in only(RunStarted, events)} == {None}


def test_an_llm_declared_for_a_file_of_several_is_a_contradiction(tree: Path) -> None:
    (tree / "per-instance/arm.yaml").write_text(f"{DECLARED}llm: gpt-5.4\n")
    _, faults = read_all(swe_bench, tree / "per-instance")
    assert faults == [(Path(ROWS).name, 0, "arm.yaml names one LLM, the file has 2")]


def test_a_report_whose_name_is_no_llm_is_set_aside(tree: Path) -> None:
    (tree / REPORT).rename(tree / "report/results.json")
    _, faults = read_all(swe_bench, tree / "report")
    assert faults == [("results.json", 0, "names no LLM: expected <model>.<run_id>.json, or `llm` in arm.yaml")]

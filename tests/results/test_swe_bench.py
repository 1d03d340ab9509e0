"""SWE-bench results: five states kept apart, true zeros told from missing costs, and what is set aside."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from goldens import FOLDER, edit, golden, only, read_all, written

from collectors.results import swe_bench
from models import ClaimPublished, CostReported, Event, RunFinished, RunGraded, RunStarted, TaskDefined

GOLDEN = FOLDER / "swe-bench"
REPORT = "report/gpt-5.4.run1.json"
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


def test_what_was_read_is_what_was_written_down() -> None:
    events, faults = read_all(swe_bench, GOLDEN / "published")
    assert ([written(event) for event in events], faults) == (golden(GOLDEN / "events.jsonl", events), [])


def test_c19_five_states_of_a_report_are_kept_apart() -> None:
    events, faults = read_all(swe_bench, GOLDEN / "published/report")
    assert states(events) == {
        **dict.fromkeys(("t01", "t02", "t03", "t04"), ("resolved", True)),
        **dict.fromkeys(("t05", "t06"), ("unresolved", False)),
        **dict.fromkeys(("t07", "t08"), ("empty_patch", False)),
        "t09": ("verifier_error", None),
        "t10": ("not_submitted", False),
    }
    assert faults == []


def test_c19_the_cost_of_the_whole_is_stated_once_about_the_batch_of_all_ten() -> None:
    events, _ = read_all(swe_bench, GOLDEN / "published/report")
    (stated,) = only(CostReported, events)
    batches = Counter(run.batch_id for run in only(RunStarted, events))
    assert (stated.subject_kind, stated.run_id, stated.amount, stated.cost_basis) == (
        "batch",
        None,
        Decimal(18),
        "client_estimate",
    )
    assert batches == {stated.subject_id: 10}


def test_c19_the_printed_counts_are_claims() -> None:
    claims = only(ClaimPublished, read_all(swe_bench, GOLDEN / "published/report")[0])
    assert {claim.metric: claim.value_text for claim in claims} == {
        "total_instances": "10",
        "submitted_instances": "9",
        "completed_instances": "6",
        "resolved_instances": "4",
        "unresolved_instances": "2",
        "empty_patch_instances": "2",
        "error_instances": "1",
        "run_cost_usd": "18.0",
    }


def test_c19_the_headline_is_4_of_10_and_a_solve_costs_four_and_a_half(
    build_world: Callable[..., duckdb.DuckDBPyConnection],
) -> None:
    events, _ = read_all(swe_bench, GOLDEN / "published/report")
    columns = "solved, attempts, graded, solve_rate, round(solve_rate_graded_only, 4), spend_usd, cost_per_solved_usd"
    query = f"select {columns} from marts.cost_per_task where is_headline"
    assert build_world(events).execute(query).fetchall() == [(4, 10, 9, 0.4, 0.4444, Decimal(18), Decimal("4.5"))]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"resolved_instances": 5}, "resolved_instances is 5, resolved_ids has 4"),
        ({"error_ids": ["t01"]}, "t01 is in resolved_ids and in error_ids"),
        ({"resolved_ids": ["t01", "t01", "t02", "t03"]}, "resolved_ids names a task twice"),
        ({"submitted_ids": [f"s{n}" for n in range(9)]}, "9 submitted are not 4 resolved, 2 unresolved, 2 empty_patch"),
        (
            {"submitted_instances": 8, "submitted_ids": None},
            "8 submitted are not 4 resolved, 2 unresolved, 2 empty_patch",
        ),
        (
            {"completed_instances": 9, "completed_ids": None},
            "9 completed are not 4 resolved, 2 unresolved, 2 empty_patch",
        ),
        ({"incomplete_ids": []}, "total_instances is 10, 9 are named (arm.yaml may list `tasks`)"),
        ({"incomplete_ids": ["t01"]}, "t01 is in resolved_ids and in incomplete_ids"),
        ({"schema_version": 3}, "unknown schema_version, expected one of (1, 2)"),
    ],
)
def test_c19_a_report_that_contradicts_itself_is_set_aside_and_its_counts_stay_claims(
    tree: Path, change: dict[str, Any], reason: str
) -> None:
    edit(tree / REPORT, lambda report: {**report, **change})
    events, faults = read_all(swe_bench, tree / "report")
    ((path, offset, why),) = faults
    assert (path, offset) == (Path(REPORT).name, 0)
    assert why.startswith(reason)
    assert why.endswith("; its counts are kept as claims, its attempts are not")
    assert {event.event_type for event in events} == {"claim_published"}


def test_c19_counts_without_ids_are_claims_only(tree: Path) -> None:
    edit(tree / REPORT, lambda report: {key: value for key, value in report.items() if not key.endswith("_ids")})
    events, faults = read_all(swe_bench, tree / "report")
    reason = "names no task: counts without lists of ids; its counts are kept as claims, its attempts are not"
    assert faults == [(Path(REPORT).name, 0, reason)]
    assert {event.event_type for event in events} == {"claim_published"}


def test_c19_an_error_in_a_test_report_counts_as_completed_and_is_no_contradiction(tree: Path) -> None:
    edit(
        tree / REPORT,
        lambda report: {
            **report,
            "completed_instances": 7,
            "completed_ids": [*report["completed_ids"], "t09"],
        },
    )
    events, faults = read_all(swe_bench, tree / "report")
    assert (states(events)["t09"], faults) == (("verifier_error", None), [])


def test_c19_the_declared_tasks_name_what_an_older_report_does_not(tree: Path) -> None:
    edit(tree / REPORT, lambda report: {key: value for key, value in report.items() if key != "incomplete_ids"})
    tasks = ", ".join(f"t{n:02}" for n in range(1, 11))
    (tree / "report/arm.yaml").write_text(f"{DECLARED}tasks: [{tasks}]\n")
    events, faults = read_all(swe_bench, tree / "report")
    assert (states(events)["t10"], len(states(events)), faults) == (("not_submitted", False), 10, [])


def test_a_true_zero_is_a_cost_and_a_zero_beside_calls_is_not_reported() -> None:
    events, _ = read_all(swe_bench, GOLDEN / "published/per-instance")
    task_of = {run.run_id: (run.llm, run.task_id) for run in only(RunStarted, events)}
    stated = {task_of[cost.run_id]: cost.amount for cost in only(CostReported, events)}
    kept = {task_of[claim.run_id]: claim.value_text for claim in only(ClaimPublished, events)}
    turns = {task_of[end.run_id]: end.turns for end in only(RunFinished, events) if end.turns is not None}
    assert stated == {
        ("gpt-5.4", "t01"): Decimal("0.349914"),
        ("gpt-5.4", "t03"): Decimal(0),
        ("claude-opus-4-8", "t01"): Decimal("1.25"),
    }
    assert kept == {("gpt-5.4", "t02"): "0.0"}
    assert turns == {("gpt-5.4", "t01"): 31, ("gpt-5.4", "t02"): 12, ("gpt-5.4", "t03"): 0}


def test_a_declared_task_that_a_model_has_no_row_of_was_not_submitted() -> None:
    events, _ = read_all(swe_bench, GOLDEN / "published/per-instance")
    verdicts = {run.run_id: run.llm for run in only(RunStarted, events)}
    counted = Counter((verdicts[grade.run_id], grade.status) for grade in only(RunGraded, events))
    assert counted == {
        ("gpt-5.4", "resolved"): 1,
        ("gpt-5.4", "unresolved"): 2,
        ("gpt-5.4", "ungraded"): 1,
        ("gpt-5.4", "not_submitted"): 1,
        ("claude-opus-4-8", "resolved"): 1,
        ("claude-opus-4-8", "not_submitted"): 4,
    }


def test_a_task_is_defined_once_at_the_earliest_time_seen() -> None:
    tasks = only(TaskDefined, read_all(swe_bench, GOLDEN / "published")[0])
    assert Counter(task.task_id for task in tasks) == {f"t{n:02}": 1 for n in range(1, 11)}
    assert {task.occurred_at for task in tasks} == {datetime(2026, 6, 1, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("date: 2026-06-01", (datetime(2026, 6, 1, tzinfo=UTC), "day")),
        ("snapshot_date: 2026-06-02", (datetime(2026, 6, 2, tzinfo=UTC), "snapshot")),
    ],
)
def test_the_time_is_the_declared_day(tree: Path, line: str, time: tuple[datetime, str]) -> None:
    (tree / "report/arm.yaml").write_text(f"dataset: d\n{line}\n")
    events, _ = read_all(swe_bench, tree / "report")
    assert {(event.occurred_at, event.occurred_at_basis) for event in events} == {time}


def test_the_file_names_the_llm_unless_arm_yaml_does(tree: Path) -> None:
    by_name = only(RunStarted, read_all(swe_bench, tree / "report")[0])
    (tree / "report/arm.yaml").write_text(f"{DECLARED}llm: GPT 5.4\nharness: h\nserving_path: p\nskill: s\neffort: e\n")
    declared = only(RunStarted, read_all(swe_bench, tree / "report")[0])
    arms = {(run.harness, run.llm, run.serving_path, run.skill, run.effort) for run in (*by_name, *declared)}
    assert arms == {
        ("mini-swe-agent", "gpt-5.4", "unstated", "unstated", "unstated"),
        ("h", "GPT 5.4", "p", "s", "e"),
    }


def test_two_files_about_one_attempt_meet_and_a_repeat_does_not(tree: Path) -> None:
    (tree / "per-instance/arm.yaml").write_text((tree / "report/arm.yaml").read_text())
    events, _ = read_all(swe_bench, tree)
    runs = Counter(run.run_id for run in only(RunStarted, events) if run.llm == "gpt-5.4")
    assert Counter(runs.values()) == {1: 6, 2: 4}
    repeat = f"{(tree / 'report/arm.yaml').read_text()}attempt_number: 2\n"
    (tree / "per-instance/arm.yaml").write_text(repeat)
    again = Counter(run.run_id for run in only(RunStarted, read_all(swe_bench, tree)[0]) if run.llm == "gpt-5.4")
    assert Counter(again.values()) == {1: 14}


def test_one_file_can_be_collected_and_the_logs_of_an_evaluation_are_not_results(tree: Path) -> None:
    logs = tree / "report/logs/run_evaluation/run1"
    logs.mkdir(parents=True)
    (logs / "report.json").write_text('{"t01": {"resolved": true}}')
    whole, faults = read_all(swe_bench, tree / "report")
    alone, _ = read_all(swe_bench, tree / REPORT)
    assert {event.event_id for event in alone} == {event.event_id for event in whole}
    assert faults == []

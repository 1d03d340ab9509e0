"""The OpenHands Index: what a row, a score and an arm's folder become, and what is set aside."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from goldens import FOLDER, edit, golden, only, read_all, written

from collectors.home import resources
from collectors.results import openhands_index
from models import ClaimPublished, CostReported, Event, RunGraded, RunStarted, TaskDefined
from models.errors import UnreadableRecord
from models.identity import imported_run_id

GOLDEN = FOLDER / "openhands-index"
OPUS = "results/claude-opus-4-8"
ROWS = f"{OPUS}/instance_results/swe-bench.json"
CODEX = "alternative_agents/acp-codex/GPT-5.4"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the golden tree, to be damaged."""
    return shutil.copytree(GOLDEN / "published", tmp_path / "published")


def test_what_was_read_is_what_was_written_down() -> None:
    events, faults = read_all(openhands_index, GOLDEN / "published")
    assert ([written(event) for event in events], faults) == (golden(GOLDEN / "events.jsonl", events), [])


def test_the_order_of_the_folders_changes_no_event() -> None:
    root = GOLDEN / "published"
    read = [record for unit in openhands_index.units(root) for record in openhands_index.read(root, unit)]
    understood = [record for record in read if not isinstance(record, UnreadableRecord)]
    one, other = openhands_index.decide(understood), openhands_index.decide(reversed(understood))
    assert sorted(map(repr, one)) == sorted(map(repr, other))


def test_a_task_is_defined_once_at_the_earliest_time_it_was_attempted() -> None:
    tasks = only(TaskDefined, read_all(openhands_index, GOLDEN / "published")[0])
    shared = [task for task in tasks if task.task_id == "astropy__astropy-12907"]
    assert [(task.dataset, task.declared_verifier, task.occurred_at, task.occurred_at_basis) for task in shared] == [
        ("swe-bench-verified", "swe-bench", datetime(2026, 3, 26, 21, 42, 42, tzinfo=UTC), "batch")
    ]


def test_the_harness_is_told_by_the_folder_and_under_acp_the_version_is_the_drivers() -> None:
    started = only(RunStarted, read_all(openhands_index, GOLDEN / "published")[0])
    told = {
        (run.harness, run.llm, run.harness_version, run.harness_wrapper, run.harness_wrapper_version) for run in started
    }
    assert told == {
        ("openhands", "claude-opus-4-8", "v1.24.0", None, None),
        ("openhands", "GLM-5", "v1.11.5", None, None),
        ("openhands-subagents", "claude-opus-4-6", "v1.15.0", None, None),
        ("claude-code", "claude-sonnet-4-5", None, "openhands over acp", "v1.15.0"),
        ("codex", "GPT-5.4", None, "openhands over acp (codex-acp v0.11.1)", "v1.16.1"),
    }


def test_an_unknown_agent_folder_is_a_harness_of_its_own_name(tree: Path) -> None:
    (tree / "alternative_agents/acp-codex").rename(tree / "alternative_agents/acp-newcomer")
    started = only(RunStarted, read_all(openhands_index, tree)[0])
    newcomer = next(run for run in started if run.llm == "GPT-5.4")
    assert (newcomer.harness, newcomer.harness_version, newcomer.harness_wrapper) == (
        "acp-newcomer",
        None,
        "openhands over acp (codex-acp v0.11.1)",
    )


def test_the_run_id_has_no_time_and_no_path_in_it(tree: Path) -> None:
    arm = tree / "results/claude-opus-4-8"
    edit(arm / "scores.json", lambda scores: [])
    arm.rename(arm.with_name("renamed"))
    moved = {run.run_id for run in only(RunStarted, read_all(openhands_index, tree)[0])}
    identity = ("openhands", "claude-opus-4-8", "unstated", "unstated", "unstated")
    expected = imported_run_id(
        "openhands-index", "swe-bench-verified", "swe-bench", identity, "astropy__astropy-12907", 1
    )
    assert moved == {run.run_id for run in only(RunStarted, read_all(openhands_index, GOLDEN / "published")[0])}
    assert expected in moved


def test_c16_a_cost_of_0_or_null_is_not_reported_and_the_printed_0_is_kept_as_a_claim(tree: Path) -> None:
    rows = {"a": 0.25, "b": None, "c": 0.0, "d": 0}
    edit(tree / ROWS, lambda _: {task: {"resolved": True, "cost": cost} for task, cost in rows.items()})
    events, faults = read_all(openhands_index, tree)
    mine = [event for event in events if event.source_ref == f"published/{ROWS}"]
    task_of = {run.run_id: run.task_id for run in only(RunStarted, mine)}
    claims = only(ClaimPublished, mine)
    assert [(task_of[cost.run_id], cost.amount) for cost in only(CostReported, mine)] == [("a", Decimal("0.25"))]
    assert [(claim.task_id, claim.scope, claim.metric, claim.value_text, claim.value) for claim in claims] == [
        ("c", "run", "cost", "0.0", 0),
        ("d", "run", "cost", "0", 0),
    ]
    assert {claim.note for claim in claims} == {
        "every row of this source is work done, so its 0 means that the cost was not reported"
    }
    assert faults == []


def test_no_verdict_is_ungraded_and_not_failed() -> None:
    graded = only(RunGraded, read_all(openhands_index, GOLDEN / "published")[0])
    assert Counter((grade.is_resolved, grade.status, grade.status_reason) for grade in graded) == {
        (True, "resolved", None): 5,
        (False, "unresolved", None): 5,
        (None, "ungraded", "the source states no verdict"): 1,
    }


def test_a_number_is_claimed_as_it_was_printed_and_a_cost_is_kept_to_12_places(tree: Path) -> None:
    (tree / ROWS).write_text('{"t": {"resolved": true, "cost": 0.34991400000000006}}')
    scores = '[{"benchmark": "swe-bench", "metric": "accuracy", "score": 76.80, "cost_per_instance": 1}]'
    (tree / OPUS / "scores.json").write_text(scores)
    events, _ = read_all(openhands_index, tree)
    claims = [claim for claim in only(ClaimPublished, events) if claim.source_arm == OPUS]
    costs = [cost.amount for cost in only(CostReported, events) if cost.source_ref == f"published/{ROWS}"]
    assert [(claim.table_name, claim.metric, claim.value_text, claim.unit) for claim in claims] == [
        ("scores.json swe-bench", "accuracy", "76.80", "percent"),
        ("scores.json swe-bench", "cost_per_instance", "1", "USD"),
    ]
    assert costs == [Decimal("0.349914000000")]


def test_a_batch_without_a_submission_time_has_the_date_of_the_snapshot(tree: Path) -> None:
    (tree / OPUS / "scores.json").unlink()
    started = only(RunStarted, read_all(openhands_index, tree)[0])
    when = {(run.occurred_at, run.occurred_at_basis) for run in started if run.llm == "claude-opus-4-8"}
    versions = {run.harness_version for run in started if run.llm == "claude-opus-4-8"}
    assert (when, versions) == ({(datetime(2026, 6, 30, tzinfo=UTC), "snapshot")}, {"v1.18.1"})


def test_a_folder_without_rows_is_no_arm_and_its_claims_name_none(tree: Path) -> None:
    entry = '[{"benchmark": "swe-bench", "metric": "accuracy", "score": 70.0}]'
    (tree / "results/Minimax-2.7/scores.json").write_text(entry)
    events, faults = read_all(openhands_index, tree)
    claims = [claim for claim in only(ClaimPublished, events) if claim.source_arm == "results/Minimax-2.7"]
    assert [(claim.harness, claim.llm, claim.effort, claim.value_text) for claim in claims] == [
        (None, None, None, "70.0")
    ]
    assert "Minimax-2.7" not in {run.llm for run in only(RunStarted, events)}
    assert faults == []


def test_one_arm_of_a_tree_is_the_same_arm_as_in_the_whole_tree(tree: Path) -> None:
    whole = {event.event_id for event in read_all(openhands_index, tree)[0]}
    part = {event.event_id for event in read_all(openhands_index, tree / CODEX)[0]}
    assert part
    assert part <= whole


@pytest.fixture(scope="module")
def shipped() -> list[Event]:
    events, faults = read_all(openhands_index, resources("datasets") / "published" / "openhands-index")
    assert faults == []
    return events


def test_the_shipped_data_is_43_arms_on_500_tasks(shipped: list[Event]) -> None:
    verified = [run for run in only(RunStarted, shipped) if run.dataset == "swe-bench-verified"]
    tasks = [task for task in only(TaskDefined, shipped) if task.dataset == "swe-bench-verified"]
    assert len({(run.harness, run.llm) for run in verified}) == 43
    assert (len(verified), len({run.run_id for run in verified}), len(tasks)) == (21_500, 21_500, 500)
    assert {len({task.task_id for task in tasks} & {run.task_id for run in verified})} == {500}


def test_the_cost_of_28_shipped_arms_is_known_of_13_in_part_and_of_2_not_at_all(shipped: list[Event]) -> None:
    priced = {cost.run_id for cost in only(CostReported, shipped)}
    known: dict[tuple[str, str], int] = defaultdict(int)
    for run in only(RunStarted, shipped):
        if run.dataset == "swe-bench-verified":
            known[run.harness, run.llm] += run.run_id in priced
    shares = Counter("all" if count == 500 else "some" if count else "none" for count in known.values())
    assert (shares, known["openhands", "GLM-5"]) == ({"all": 28, "some": 13, "none": 2}, 405)


def test_the_shipped_multimodal_rows_are_103_tasks_of_67_to_103_an_arm(shipped: list[Event]) -> None:
    runs = [run for run in only(RunStarted, shipped) if run.dataset == "swe-bench-multimodal"]
    per_arm = Counter((run.harness, run.llm) for run in runs)
    assert (len(runs), len({run.task_id for run in runs})) == (3_771, 103)
    assert (len(per_arm), min(per_arm.values()), max(per_arm.values())) == (43, 67, 103)

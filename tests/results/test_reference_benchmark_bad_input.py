"""What is wrong with a file of the reference benchmark is named in one line, and the rest lands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batches import stored

from collectors.collect import Collected, SetAside, collect
from collectors.home import Home, resources
from collectors.results import reference_benchmark
from collectors.store import LocalStore
from models import RunJudged
from models.errors import NothingToCollect, SourceNotFound, UnreadableRecord

GOLDEN = Path(__file__).parents[1] / "golden" / "reference-benchmark"
LOST = "expected 0, or a number that is not 0 at the 12 places that amounts are kept with"
TREE = Path("benchmarks") / "swe-benchmark-data"
TASK = TREE / "glm-5.2/pi/swe3/mcp-gateway-registry/replace-keycloak-db-password-with-rds-iam"
SUMMARY = TREE / "qwen3-coder-30b/pi/swe3/mcp-gateway-registry/run-summary.json"


@pytest.fixture
def csvs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOLDEN / "csv", tmp_path / "csv"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOLDEN / "e2", tmp_path / "e2"))


def faults_and_runs(root: Path) -> tuple[list[tuple[str, int, str]], int]:
    """What was set aside, and how many runs landed."""
    records = [record for unit in reference_benchmark.units(root) for record in reference_benchmark.read(root, unit)]
    faults = [record for record in records if isinstance(record, UnreadableRecord)]
    understood = [record for record in records if not isinstance(record, UnreadableRecord)]
    runs = {
        vars(event)["run_id"] for event in reference_benchmark.decide(understood) if event.event_type == "run_started"
    }
    return [(Path(fault.path).name, fault.offset, fault.reason) for fault in faults], len(runs)


def edit(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


def edit_json(path: Path, **changes: Any) -> None:
    edit(path, lambda text: json.dumps({**json.loads(text), **changes}))


def edit_cell(path: Path, line: int, column: str, value: str) -> None:
    def change(text: str) -> str:
        lines = text.splitlines()
        cells = lines[line - 1].split(",")
        cells[lines[0].split(",").index(column)] = value
        lines[line - 1] = ",".join(cells)
        return "\n".join(lines)

    edit(path, change)


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("num_turns", "many", "num_turns: expected a whole number, came another text"),
        ("num_turns", "-1", "num_turns: expected a whole number, came another text"),
        ("num_turns", "6.0", "num_turns: expected a whole number, came another text"),
        ("latency_seconds", "NaN", "latency_seconds: expected a number, came another text"),
        ("total_cost_usd", "-0.5", "total_cost_usd: expected at least 0, came -0.5"),
        ("total_cost_usd", "0.0000000000001", f"total_cost_usd: {LOST}, came a number"),
        ("total_cost_usd", "9" * 26, f"total_cost_usd: expected less than {'9' * 26}, came 1.00000e+26"),
        ("input_tokens", "\u0661\u0662", "input_tokens: expected a whole number, came another text"),
        ("latency_seconds", "\uff11.5", "latency_seconds: expected a number, came another text"),
        ("run_date", "\u0662026-08-05", "run_date: expected a date such as 2026-08-05, came another text"),
        ("is_error", "False", "is_error: expected true or false, came another text"),
        ("run_date", "5 August", "run_date: expected a date such as 2026-08-05, came another text"),
        ("task", "", "task: expected a text, came nothing"),
        ("scope", "", "scope: expected a text, came nothing"),
    ],
)
def test_cell_of_another_type_sets_its_row_aside(csvs: Path, column: str, value: str, reason: str) -> None:
    edit_cell(csvs / "attempts.csv", 4, column, value)
    assert faults_and_runs(csvs) == ([("attempts.csv", 4, reason)], 10)


@pytest.mark.parametrize(("score", "shown"), [("-5", "-5"), ("100.5", "100.5"), ("1000000", "1.00000e+6")])
def test_score_that_its_scale_does_not_have_is_told_kept_as_out_of_range_and_nothing_else_is_lost(
    csvs: Path, score: str, shown: str
) -> None:
    edit_cell(csvs / "attempts.csv", 2, "score_lld", score)
    reason = f"lld: expected 0 to 100, came {shown}; kept as out_of_range, in no mean"
    assert faults_and_runs(csvs) == ([("attempts.csv", 2, reason)], 11)
    [unit] = [unit for unit in reference_benchmark.units(csvs) if unit.files[0].name == "attempts.csv"]
    records = [r for r in reference_benchmark.read(csvs, unit) if not isinstance(r, UnreadableRecord)]
    judged = [event for event in reference_benchmark.decide(records) if isinstance(event, RunJudged)]
    stated = {event.artifact: (event.score, event.status) for event in judged if event.source_offset == 2}
    assert stated == {
        "github_issue": (79, "parsed"),
        "lld": (float(score), "out_of_range"),
        "review": (68, "parsed"),
        "testing": (66, "parsed"),
        "implementation": (53, "parsed"),
    }


def test_unknown_column_is_named_once_and_the_known_ones_are_read(csvs: Path) -> None:
    edit(csvs / "attempts.csv", lambda text: text.replace("\n", ",x\n").replace("repair,x", "repair,mood", 1))
    reason = "unknown column 'mood'; the known columns were read"
    assert faults_and_runs(csvs) == ([("attempts.csv", 1, reason)], 11)


def test_row_with_a_cell_too_few_is_set_aside(csvs: Path) -> None:
    edit(csvs / "attempts.csv", lambda text: f"{text}mcp-gateway-registry,glm-5.2\n")
    assert faults_and_runs(csvs) == ([("attempts.csv", 13, "expected 39 cells, found 2")], 11)


def test_second_row_for_one_arm_and_task_is_set_aside(csvs: Path) -> None:
    edit(csvs / "attempts.csv", lambda text: text + text.splitlines()[1] + "\n")
    assert faults_and_runs(csvs) == ([("attempts.csv", 13, "the same thing as line 2 a second time")], 11)


def test_quote_that_never_ends_costs_the_rest_of_its_file_only(csvs: Path) -> None:
    edit(csvs / "attempts.csv", lambda text: text + '"open\n')
    faults, runs = faults_and_runs(csvs)
    assert (faults, runs) == ([("attempts.csv", 13, "not CSV from here on: unexpected end of data")], 11)


@pytest.mark.parametrize("name", ["throughput.csv", "rates.csv", "published_tables.csv", "arm_rollups.csv"])
def test_each_csv_sets_a_bad_row_aside_and_reads_the_others(csvs: Path, name: str) -> None:
    before = events_by_file(csvs)
    column = {
        "throughput.csv": "concurrency",
        "rates.csv": "value",
        "published_tables.csv": "mean_score",
        "arm_rollups.csv": "num_tasks",
    }[name]
    edit_cell(csvs / name, 2, column, "?")
    faults, _ = faults_and_runs(csvs)
    assert [(fault[0], fault[1]) for fault in faults] == [(name, 2)]
    after = events_by_file(csvs)
    assert {file for file in before if before[file] != after[file]} == {name}
    assert 0 < after[name] < before[name]


def events_by_file(root: Path) -> dict[str, int]:
    counted: dict[str, int] = {}
    for unit in reference_benchmark.units(root):
        records = [r for r in reference_benchmark.read(root, unit) if not isinstance(r, UnreadableRecord)]
        counted[unit.files[0].name] = len(reference_benchmark.decide(records))
    return counted


def test_rate_of_another_unit_is_set_aside(csvs: Path) -> None:
    edit_cell(csvs / "rates.csv", 7, "unit", "usd_per_1k_tokens")
    faults, _ = faults_and_runs(csvs)
    assert faults == [
        (
            "rates.csv",
            7,
            "expected usd_per_1m_tokens and one of input, output, cache_read, cache_write_5m, came other ones",
        )
    ]


def test_csv_without_a_needed_column_is_unreadable_and_the_others_land(csvs: Path, tmp_path: Path) -> None:
    edit(csvs / "attempts.csv", lambda text: text.replace("model_slug", "model", 1))
    home = Home(tmp_path / "home")
    collected = collect(reference_benchmark, csvs, LocalStore(home.events), home)
    assert [(fault.path, fault.offset, fault.reason) for fault in collected.set_aside] == [
        ("csv/attempts.csv", 1, "expected the column 'model_slug', found none")
    ]
    assert collected.events > 50


def collected_with_table(csvs: Path, home: Home, hosting: str) -> Collected:
    shutil.copy(resources("datasets") / "published/reference-benchmark/serving_paths.csv", csvs)
    edit_cell(csvs / "serving_paths.csv", 5, "hosting", hosting)
    return collect(reference_benchmark, csvs, LocalStore(home.events), home)


def test_fault_in_the_declared_table_stops_what_needs_it(csvs: Path, tmp_path: Path) -> None:
    collected = collected_with_table(csvs, Home(tmp_path / "home"), "cloud")
    reason = (
        "serving_paths.csv beside it: line 5: hosting: expected 'api', 'plan', 'own_gpu' or 'unstated', "
        "came another text; nothing of it was read"
    )
    assert collected.set_aside == [
        SetAside(f"csv/{name}", 0, reason) for name in ("arm_rollups.csv", "attempts.csv", "published_tables.csv")
    ]
    assert collected.events == 10 + 8 + 3


def test_declared_table_put_right_leaves_facts_of_every_file_that_was_set_aside(csvs: Path, tmp_path: Path) -> None:
    """So that no record stays open for ever: it closes once its file is read anew."""
    home = Home(tmp_path / "home")
    before = collected_with_table(csvs, home, "cloud")
    after = collected_with_table(csvs, home, "api")
    refs = {event.source_ref for event in stored(LocalStore(home.events)) if event.event_type != "record_set_aside"}
    assert ({fault.path for fault in before.set_aside} - refs, after.set_aside) == (set(), [])


@pytest.mark.parametrize("name", ["attempts.csv", "rates.csv", "serving_paths.csv"])
def test_folder_named_like_a_file_is_told_to_be_none(csvs: Path, name: str) -> None:
    (csvs / name).unlink(missing_ok=True)
    (csvs / name).mkdir()
    home = Home(csvs.parent / "home")
    collected = collect(reference_benchmark, csvs, LocalStore(home.events), home)
    told = "does not open: it is a folder, expected a file"
    readers = ("arm_rollups.csv", "attempts.csv", "published_tables.csv")
    expected = {
        "attempts.csv": [SetAside("csv/attempts.csv", 0, told)],
        "rates.csv": [SetAside("csv/rates.csv", 0, told)],
        "serving_paths.csv": [
            SetAside(f"csv/{each}", 0, f"serving_paths.csv beside it: {told}; nothing of it was read")
            for each in readers
        ],
    }
    assert collected.set_aside == expected[name]


def test_metrics_cut_short_set_their_folder_aside(tree: Path) -> None:
    path = tree / TASK / "metrics.json"
    edit(path, lambda text: text[:500])
    faults, runs = faults_and_runs(tree)
    assert [fault[0] for fault in faults] == ["metrics.json", "eval.json"]
    assert faults[0][2].startswith("not JSON: ")
    assert faults[1][2] == "whose attempt this is stands in metrics.json, which could not be read"
    assert runs == 7


def test_evaluation_cut_short_leaves_the_metrics(tree: Path) -> None:
    edit(tree / TASK / "eval.json", lambda text: text[:100])
    faults, runs = faults_and_runs(tree)
    assert ([fault[0] for fault in faults], runs) == (["eval.json"], 8)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"num_turns": "42"}, "num_turns: expected a whole number, came a text"),
        ({"num_turns": True}, "num_turns: expected a whole number, came a boolean"),
        ({"latency_seconds": "fast"}, "latency_seconds: expected a number, came a text"),
        ({"run_started_at": "2026-08-06T06:50:37"}, "run_started_at: expected a time with its zone"),
        ({"task": None}, "task: expected a text, came null"),
        ({"tags": "aws"}, "tags: expected a list, came a text"),
    ],
)
def test_metrics_of_another_type_are_set_aside(tree: Path, changes: dict[str, Any], reason: str) -> None:
    edit_json(tree / TASK / "metrics.json", **changes)
    faults, runs = faults_and_runs(tree)
    assert faults[0][2].startswith(reason)
    assert ([fault[0] for fault in faults], runs) == (["metrics.json", "eval.json"], 7)


def test_unknown_fields_are_named_at_any_depth_and_the_rest_is_read(tree: Path) -> None:
    path = tree / TASK / "eval.json"
    judge = json.loads(path.read_text(encoding="utf-8"))["judge"]
    edit_json(path, judge={**judge, "mood": "good"}, weather="fine")
    faults, runs = faults_and_runs(tree)
    assert [fault[0] for fault in faults] == ["eval.json"]
    assert "'weather'" in faults[0][2]
    assert "'judge.mood'" in faults[0][2]
    assert runs == 8


def test_artifact_that_nobody_knows_sets_the_evaluation_aside(tree: Path) -> None:
    edit(tree / TASK / "eval.json", lambda text: text.replace('"lld"', '"poem"', 1))
    faults, runs = faults_and_runs(tree)
    assert (faults[0][0], runs) == ("eval.json", 8)
    assert "poem" in faults[0][2]


def test_bad_row_of_a_roll_up_is_named_by_its_number(tree: Path) -> None:
    summary = json.loads((tree / SUMMARY).read_text(encoding="utf-8"))
    tasks = summary["tasks"]
    tasks[1] = {**tasks[1], "output_tokens": None, "num_turns": "many"}
    tasks[3] = {"complexity": "high"}
    edit_json(tree / SUMMARY, tasks=[*tasks, tasks[0], "nothing"])
    faults, runs = faults_and_runs(tree)
    assert faults == [
        ("run-summary.json", 2, "num_turns: expected a whole number, came a text"),
        ("run-summary.json", 4, "task is missing"),
        ("run-summary.json", 6, "the same task as row 1 a second time"),
        ("run-summary.json", 7, faults[-1][2]),
    ]
    assert runs == 8 - 2


@pytest.mark.parametrize("content", ["", "[]", "null", "{}", '{"task": 1, "task": 2}', '{"task": NaN}', "\udcff"])
def test_what_is_no_record_is_set_aside_in_one_line(tree: Path, content: str) -> None:
    (tree / SUMMARY).write_bytes(content.encode("utf-8", "surrogateescape"))
    faults, runs = faults_and_runs(tree)
    assert ([fault[0] for fault in faults], runs) == (["run-summary.json"], 3)
    assert "\n" not in faults[0][2]


def test_other_files_in_the_tree_are_set_aside_by_name(tree: Path) -> None:
    (tree / TASK / "extra.json").write_text("{}", encoding="utf-8")
    (tree / TASK / "pi-stream.jsonl").write_text("{}", encoding="utf-8")
    (tree / TASK / "lld.md").write_text("prose", encoding="utf-8")
    assert faults_and_runs(tree) == ([("extra.json", 0, "not a file that this collector knows")], 8)


def test_files_of_other_sources_beside_the_tree_are_left_alone(tree: Path) -> None:
    other = tree / "somewhere" / "else"
    other.mkdir(parents=True)
    (other / "scores.json").write_text("[]", encoding="utf-8")
    assert faults_and_runs(tree) == ([], 8)


def test_what_the_source_leaves_out_is_set_aside(tree: Path) -> None:
    (tree / TREE / "do-not-include").mkdir()
    shutil.move(tree / TREE / "glm-5.2", tree / TREE / "do-not-include" / "glm-5.2")
    faults, runs = faults_and_runs(tree)
    reason = "is under do-not-include: the source leaves it out"
    assert (faults, runs) == ([("metrics.json", 0, reason), ("eval.json", 0, reason)], 7)


def test_folder_too_deep_is_set_aside_and_the_rest_lands(tree: Path, tmp_path: Path) -> None:
    shutil.copytree(tree / TASK, tree / TREE / "one/two/three/four/five/six")
    home = Home(tmp_path / "home")
    collected = collect(reference_benchmark, tree, LocalStore(home.events), home)
    assert [fault.reason for fault in collected.set_aside] == ["expected 3 to 5 folders down to a task, found 6"]
    assert collected.units_read == 5


def test_empty_folder_and_no_folder_are_one_line_each(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    store = LocalStore(home.events)
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingToCollect, match=r"expected attempts\.csv and the CSVs beside it, or a results tree"):
        collect(reference_benchmark, tmp_path / "empty", store, home)
    with pytest.raises(SourceNotFound):
        collect(reference_benchmark, tmp_path / "gone", store, home)

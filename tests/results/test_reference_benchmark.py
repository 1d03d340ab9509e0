"""The reference benchmark in all its layouts and as CSVs: the same facts, once."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from collectors.collect import collect
from collectors.home import Home, resources
from collectors.results import COLLECTORS, reference_benchmark
from collectors.store import LocalStore
from models import (
    ClaimPublished,
    CostReported,
    Event,
    PriceObserved,
    RunFinished,
    RunJudged,
    RunStarted,
    ThroughputSampled,
    TokensReported,
)
from models.errors import UnreadableRecord

GOLDEN = Path(__file__).parents[1] / "golden" / "reference-benchmark"
TREE = Path("benchmarks") / "swe-benchmark-data"
SHIPPED = resources("datasets") / "published" / "reference-benchmark"
TIMES = {"occurred_at", "occurred_at_basis", "producer", "source_ref", "source_offset"}


def events_of(root: Path) -> list[Event]:
    """Every event under a root, of which everything must be understood."""
    units = sorted(reference_benchmark.units(root), key=lambda unit: unit.key)
    read = [record for unit in units for record in reference_benchmark.read(root, unit)]
    records = [record for record in read if not isinstance(record, UnreadableRecord)]
    assert len(records) == len(read)
    return reference_benchmark.decide(records)


def only(kind: type[Any], events: list[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def written(event: Event) -> dict[str, Any]:
    return {"event_type": event.event_type, **event.model_dump(mode="json", exclude_none=True)}


@pytest.fixture(scope="module")
def shipped() -> list[Event]:
    return events_of(SHIPPED)


@pytest.mark.parametrize(
    ("name", "root"),
    [
        (
            "e0-with-metrics",
            GOLDEN / "e0" / TREE / "mcp-gateway-registry/ssrf-hardening-outbound-url-validation/kimi-k2-7-code",
        ),
        ("e0-judge-only", GOLDEN / "e0" / TREE / "mcp-gateway-registry/remove-faiss/claude-opus-4-8"),
        ("e1", GOLDEN / "e1"),
        ("e2", GOLDEN / "e2"),
        ("csv", GOLDEN / "csv"),
    ],
)
def test_what_was_read_is_what_was_written_down(name: str, root: Path) -> None:
    """METERHOUSE_GOLDEN=write writes the other half of each pair anew; read the difference before committing it."""
    path = GOLDEN / f"{name}.events.jsonl"
    came = [written(event) for event in events_of(root)]
    if os.environ.get("METERHOUSE_GOLDEN") == "write":
        path.write_text("".join(f"{json.dumps(event)}\n" for event in came), encoding="utf-8")
    assert came == [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_shipped_csvs_give_every_attempt_score_price_and_level(shipped: list[Event]) -> None:
    distinct = {event.event_id: event.event_type for event in shipped}
    assert Counter(distinct.values()) == {
        "task_defined": 26,
        "run_started": 173,
        "run_finished": 173,
        "tokens_reported": 173,
        "cost_reported": 112,
        "run_judged": 865,
        "price_observed": 93,
        "throughput_sampled": 71,
        "claim_published": 1699,
    }


def test_each_shipped_arm_is_declared(shipped: list[Event]) -> None:
    arms = {(run.dataset, run.harness, run.llm, run.serving_path) for run in only(RunStarted, shipped)}
    assert len(arms) == 25
    assert {run.seller for run in only(RunStarted, shipped)} == {"bedrock", "kiro", "own-gpu"}
    assert Counter((run.declared_cost_basis, run.hosting) for run in only(RunStarted, shipped)) == {
        ("client_estimate", "api"): 8 * 5 + 2 * 21,
        ("credits", "plan"): 25,
        ("hardware", "own_gpu"): 9 * 5 + 21,
    }


def test_runner_machine_is_not_taken_for_the_server(shipped: list[Event]) -> None:
    machines = {(run.hosting, run.instance_type) for run in only(RunStarted, shipped)}
    own = {"p5en.48xlarge", "g6e.12xlarge", "g6e.4xlarge", "p6-b300.48xlarge"}
    assert machines == {("api", None), ("plan", None), *(("own_gpu", machine) for machine in own)}


SUMMED = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def arm_sums(events: list[Event]) -> dict[tuple[str, ...], Counter[str]]:
    arm_of = {run.run_id: arm_key(run) for run in only(RunStarted, events)}
    sums: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for tokens in only(TokensReported, events):
        sums[arm_of[tokens.subject_id]].update(tokens.raw_counts)
    return sums


def arm_key(event: Any) -> tuple[str, ...]:
    return event.dataset, event.harness, event.llm, event.serving_path, event.skill, event.effort


def test_raw_counts_add_up_to_every_newest_print(shipped: list[Event]) -> None:
    sums = arm_sums(shipped)
    compared = 0
    for claim in only(ClaimPublished, shipped):
        is_newest = claim.scope == "arm" and claim.table_name != "run-summary" and claim.era is None
        if is_newest and claim.metric in SUMMED and claim.harness and arm_key(claim) in sums:
            compared += 1
            assert sums[arm_key(claim)][claim.metric] == claim.value, claim
    assert compared == 4 * (13 + 4 + 5 + 1)


def test_older_prints_say_so(shipped: list[Event]) -> None:
    eras = Counter(claim.era for claim in only(ClaimPublished, shipped) if claim.scope == "arm")
    assert eras == {
        None: 94 + (16 + 12 + 5 + 16) * 10,
        "before token repair #157": 16 * 10,
        "before token fix #136": 26 * 8,
    }


def test_credits_are_dollars_by_the_sources_rate_exactly(shipped: list[Event]) -> None:
    credits = [cost for cost in only(CostReported, shipped) if cost.currency == "KIRO_CREDIT"]
    dollars = [
        claim.value
        for claim in only(ClaimPublished, shipped)
        if claim.metric == "total_cost_usd" and claim.harness == "kiro-cli"
    ]
    assert [cost.amount * Decimal("0.04") for cost in credits] == dollars
    assert len(credits) == 25
    assert {cost.cost_basis for cost in credits} == {"credits"}


def test_zeros_that_mean_not_reported_are_claims_and_no_counts(shipped: list[Event]) -> None:
    runs = {run.run_id: run for run in only(RunStarted, shipped)}
    kiro = {run_id for run_id, run in runs.items() if run.harness == "kiro-cli"}
    assert {str(tokens.raw_counts) for tokens in only(TokensReported, shipped) if tokens.subject_id in kiro} == {"{}"}
    assert {ended.turns for ended in only(RunFinished, shipped) if ended.run_id in kiro} == {None}
    own = {run_id for run_id, run in runs.items() if run.hosting == "own_gpu" and run.client_price == "own"}
    assert [cost for cost in only(CostReported, shipped) if cost.subject_id in own] == []
    zeros = [claim for claim in only(ClaimPublished, shipped) if claim.note == "a 0 where nothing was reported"]
    assert Counter(claim.metric for claim in zeros) == {
        "input_tokens": 25,
        "output_tokens": 25,
        "num_turns": 25,
        "total_cost_usd": 10,
    }
    assert {claim.value for claim in zeros} == {Decimal(0)}


def test_a_price_of_another_llm_is_kept_and_marked(shipped: list[Event]) -> None:
    foreign = {run.run_id for run in only(RunStarted, shipped) if run.client_price == "foreign"}
    stated = [cost for cost in only(CostReported, shipped) if cost.subject_id in foreign]
    assert {(cost.cost_basis, cost.currency) for cost in stated} == {("client_estimate", "USD")}
    assert round(sum((cost.amount for cost in stated), Decimal()), 2) == Decimal("441.23")


def test_failed_attempts_are_no_artifact_and_keep_their_cost_and_counts(shipped: list[Event]) -> None:
    totals = [judged for judged in only(RunJudged, shipped) if judged.criterion is None]
    failed = {judged.run_id for judged in totals if judged.status == "no_artifact"}
    assert {judged.status for judged in totals} == {"parsed", "no_artifact"}
    assert {judged.score for judged in totals if judged.run_id in failed} == {0.0}
    assert len(failed) == 4
    assert failed <= {tokens.subject_id for tokens in only(TokensReported, shipped)}


def test_prices_are_per_unit_and_none_is_made_of_a_rate_that_nobody_offered(shipped: list[Event]) -> None:
    prices = only(PriceObserved, shipped)
    by_book = Counter((price.book, price.seller, price.meter, price.unit) for price in prices)
    assert by_book == {
        ("reference-benchmark", "aws", "instance_hour", "hour"): 10,
        ("reference-benchmark", "kiro", "credit", "credit"): 1,
        **{("reference-benchmark", "bedrock", meter, "token"): 14 for meter in ("input_uncached", "output")},
        **{("reference-benchmark", "bedrock", meter, "token"): 13 for meter in ("cache_read", "cache_write_5m")},
        **{("reference-benchmark:implied", "unstated", meter, "token"): 8 for meter in ("input_uncached", "output")},
        ("reference-benchmark:implied", "unstated", "cache_read", "token"): 7,
        ("reference-benchmark:implied", "unstated", "cache_write_5m", "token"): 5,
    }
    haiku = next(p for p in prices if p.llm == "claude-haiku-4-5" and p.endpoint_tag == "regional-profile")
    assert (haiku.amount, haiku.meter) == (Decimal("0.0000011"), "input_uncached")
    keys = [tuple(getattr(price, field) for field in PriceObserved.natural_key) for price in prices]
    assert len(set(keys)) == len(keys)


def test_percentiles_of_a_sweep_are_upper_bounds_and_its_window_has_the_drain(shipped: list[Event]) -> None:
    levels = only(ThroughputSampled, shipped)
    assert {(level.is_ttft_upper_bound, level.is_drain_included, level.sample_kind) for level in levels} == {
        (True, True, "level")
    }
    last = next(level for level in levels if level.llm == "kimi-k3" and level.concurrency == 20)
    assert (last.output_tokens_per_s, last.prompt_tokens_per_s, last.usd_per_hour) == (
        452.43,
        32726.64,
        Decimal("112.32"),
    )


def disagreements(events: list[Event]) -> list[tuple[Any, ...]]:
    """Fields in which two events of one natural key state two things. A time's fineness is no disagreement."""
    said: dict[tuple[Any, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for event in events:
        if event.natural_key:
            key = (event.event_type, *(getattr(event, field) for field in event.natural_key))
            for field, value in event.model_dump(exclude=TIMES, exclude_none=True).items():
                said[key][field].add(repr(value))
    return [(key, field, values) for key, fields in said.items() for field, values in fields.items() if len(values) > 1]


def test_folders_and_csvs_of_one_attempt_are_one_attempt(shipped: list[Event]) -> None:
    folders = events_of(GOLDEN / "e2")
    in_csv = {run.run_id for run in only(RunStarted, shipped)}
    in_folders = {run.run_id: (run.harness, run.llm, run.skill) for run in only(RunStarted, folders)}
    assert Counter(arm for run_id, arm in in_folders.items() if run_id in in_csv) == {
        ("pi", "qwen3-coder-30b", "swe3"): 5,
        ("pi", "glm-5.2", "swe3"): 1,
        ("kiro-cli", "claude-opus-5", "swe3"): 1,
    }
    assert [arm for run_id, arm in in_folders.items() if run_id not in in_csv] == [
        ("claude-code", "claude-opus-5", "swe2")
    ]
    assert disagreements([*shipped, *folders]) == []


def test_a_roll_up_and_its_csv_print_the_same_claims(shipped: list[Event]) -> None:
    summary = events_of(GOLDEN / "e2" / TREE / "qwen3-coder-30b")
    claims = only(ClaimPublished, summary)
    known = {claim.event_id for claim in only(ClaimPublished, shipped)}
    assert {claim.metric for claim in claims if claim.event_id not in known} == {"generation_tokens_per_sec"}
    assert len([claim for claim in claims if claim.event_id in known]) == 4 + 5 * 4


def test_folders_on_top_of_csvs_bring_criteria_and_exact_times(shipped: list[Event]) -> None:
    folder = events_of(GOLDEN / "e2" / TREE / "glm-5.2")
    run_id = only(RunStarted, folder)[0].run_id
    in_csv = [judged for judged in only(RunJudged, shipped) if judged.run_id == run_id]
    in_folder = {judged.event_id: judged for judged in only(RunJudged, folder)}.values()
    key = RunJudged.natural_key
    assert len(in_folder) == 25
    assert {tuple(getattr(judged, field) for field in key) for judged in in_csv} <= {
        tuple(getattr(judged, field) for field in key) for judged in in_folder
    }
    assert {judged.occurred_at_basis for judged in in_csv} == {"day"}
    assert {judged.occurred_at_basis for judged in in_folder} == {"exact"}


def test_one_folder_is_one_run_whatever_its_files_call_the_model() -> None:
    folder = GOLDEN / "e0" / TREE / "mcp-gateway-registry/ssrf-hardening-outbound-url-validation/kimi-k2-7-code"
    events = events_of(folder)
    assert {run.llm for run in only(RunStarted, events)} == {"kimi-k2.7-code"}
    assert {judged.run_id for judged in only(RunJudged, events)} == {only(RunStarted, events)[0].run_id}


def test_earliest_weeks_have_no_judge_no_harness_and_four_artifacts() -> None:
    events = events_of(GOLDEN / "e0")
    assert len({run.run_id for run in only(RunStarted, events)}) == 40
    assert {(run.harness, run.serving_path, run.skill, run.seller) for run in only(RunStarted, events)} == {
        ("unstated",) * 4
    }
    assert {(judged.judge, judged.rubric_hash) for judged in only(RunJudged, events)} == {
        ("unstated", "four-artifacts")
    }
    assert only(CostReported, events) == []


def test_shipped_folder_is_collected_whole_into_few_files(tmp_path: Path) -> None:
    home = Home(tmp_path)
    collected = collect(reference_benchmark, SHIPPED, LocalStore(home.events), home)
    assert (collected.set_aside, collected.units_read, collected.events) == ([], 5, 3385)
    assert collected.new_files == 22
    assert LocalStore(home.events).verify() == []
    again = collect(reference_benchmark, SHIPPED, LocalStore(home.events), home)
    assert (again.units_read, again.new_files) == (0, 0)


def test_superseded_rows_beside_the_others_are_set_aside_and_never_mixed(tmp_path: Path) -> None:
    folder = tmp_path / "copied"
    shutil.copytree(GOLDEN / "csv", folder)
    shutil.copytree(GOLDEN / "superseded", folder, dirs_exist_ok=True)
    home = Home(tmp_path / "home")
    collected = collect(reference_benchmark, folder, LocalStore(home.events), home)
    assert [(fault.path, fault.reason) for fault in collected.set_aside] == [
        (f"copied/{name}", "not a file that this collector knows")
        for name in ("arm_rollups_superseded.csv", "attempts_superseded.csv")
    ]
    assert collected.events - 2 == len({event.event_id for event in events_of(GOLDEN / "csv")})


def test_any_folder_above_will_do() -> None:
    below = events_of(GOLDEN / "e2" / TREE)
    assert [event.event_id for event in events_of(GOLDEN / "e2")] == [event.event_id for event in below]


def test_it_can_be_chosen_by_name() -> None:
    assert COLLECTORS["reference-benchmark"].version == reference_benchmark.version

"""The reference benchmark's declared conventions, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from collectors.results.reference_benchmark.arms import Arm, find_arm, read_arms, shipped_arms, slug
from collectors.results.reference_benchmark.attempts import Attempt, Report, attempt_events, outcome
from collectors.results.reference_benchmark.judged import (
    FAILED,
    FOUR_ARTIFACTS,
    NO_TOTAL,
    Evaluation,
    Score,
    evaluation_events,
)
from collectors.results.reference_benchmark.layout import Place, place
from collectors.results.reference_benchmark.metrics_json import attempt_in
from collectors.results.reference_benchmark.origin import SNAPSHOT, Origin
from collectors.results.reference_benchmark.printed_csv import era
from collectors.results.reference_benchmark.shapes import Metrics
from models import ClaimPublished, CostReported, RunJudged, TokensReported
from models.vocabulary import Outcome

ORIGIN = Origin("tree/metrics.json")
SCOPE = "mcp-gateway-registry"


@pytest.mark.parametrize(
    ("model", "harness", "folder"),
    [
        ("us.anthropic.claude-opus-5[1m]", "pi", "claude-opus-5"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude", "claude-haiku-4-5"),
        ("global.anthropic.claude-sonnet-5", None, "claude-sonnet-5"),
        ("claude-haiku-4.5", "kiro", "claude-haiku-4-5"),
        ("moonshotai.kimi-k2.5", None, "moonshotai.kimi-k2.5"),
        ("kimi-k2.7-code", None, "kimi-k2.7-code"),
        ("claude-opus-4-6-v1", "omp", "claude-opus-4-6-v1"),
    ],
)
def test_wire_name_becomes_the_sources_folder_name(model: str, harness: str | None, folder: str) -> None:
    assert slug(model, harness) == folder


def test_arm_that_is_not_declared_has_no_path_and_its_own_words() -> None:
    arm = find_arm(shipped_arms(), SCOPE, "claude", "kimi-k2.7-code", "swe3")
    assert arm == Arm("kimi-k2.7-code", "claude-code", "swe3")
    assert (arm.hosting, arm.usage_format, arm.resolved) == ("unstated", "reference.undeclared", {})
    assert arm.fields == {
        "harness": "claude-code",
        "llm": "kimi-k2.7-code",
        "serving_path": "unstated",
        "skill": "swe3",
        "effort": "unstated",
    }


def test_one_llm_under_two_folder_names_is_one_llm_on_two_paths() -> None:
    arms = [find_arm(shipped_arms(), f"{SCOPE}-v2", "omp", name, "swe3") for name in ("kimi-k3", "kimi-k3-bedrock")]
    assert [(arm.fields["llm"], arm.fields["serving_path"]) for arm in arms] == [
        ("kimi-k3", "own-vllm"),
        ("kimi-k3", "bedrock-openai-endpoint"),
    ]


@pytest.mark.parametrize(
    ("names", "is_task_second", "where"),
    [
        (("scope", "task", "model"), True, Place("scope", "model")),
        (("model", "scope", "task"), False, Place("scope", "model")),
        (("model", "pi", "scope", "task"), False, Place("scope", "model", "pi")),
        (("model", "claude-code-swe3", "scope", "task"), False, Place("scope", "model", "claude-code", "swe3")),
        (("model", "kiro-cli", "swe2", "scope", "task"), False, Place("scope", "model", "kiro-cli", "swe2")),
        (("scope", "task"), False, None),
        (("more", "model", "pi", "swe3", "scope", "task"), False, None),
    ],
)
def test_folder_names_of_every_era(names: tuple[str, ...], is_task_second: bool, where: Place | None) -> None:
    assert place(names, is_task_second) == where


@pytest.mark.parametrize(
    ("is_error", "result_subtype", "ended"),
    [
        (False, "success", "completed"),
        (False, None, "completed"),
        (None, "success", "completed"),
        (None, None, "unstated"),
        (True, None, "agent_error"),
        (True, "success", "agent_error"),
        (True, "length", "agent_error"),
        (False, "length", "agent_error"),
        (True, "error_during_execution", "agent_error"),
        (True, "exit_137", "agent_error"),
        (True, "error_max_turns", "budget_turns"),
    ],
)
def test_outcome_is_what_was_stated(is_error: bool | None, result_subtype: str | None, ended: Outcome) -> None:
    assert outcome(is_error, result_subtype) == ended


@pytest.mark.parametrize(
    ("table", "older"),
    [
        ("harness-pi-swe3 (newest read)", None),
        ("harness-kiro-cli-swe3", None),
        ("harness-omp-swe3 (after token repair #157)", None),
        ("harness-omp-swe3 (before token repair #157)", "before token repair #157"),
    ],
)
def test_a_print_of_before_has_an_era(table: str, older: str | None) -> None:
    assert era(table) == older


def judged(scores: Mapping[str, Score], is_failed: bool | None = None) -> list[tuple[object, ...]]:
    evaluation = Evaluation(ORIGIN, Arm("llm"), SCOPE, "task", SNAPSHOT, None, scores, is_failed)
    return [
        (event.rubric_hash, event.artifact, event.criterion, event.score, event.status, event.status_reason)
        for event in evaluation_events(evaluation)
        if isinstance(event, RunJudged)
    ]


def points(total: int | None) -> Score:
    return Score(None if total is None else Decimal(total))


def test_rubric_is_told_by_the_artifacts_that_were_scored() -> None:
    four = dict.fromkeys(FOUR_ARTIFACTS, points(80))
    assert {row[0] for row in judged(four)} == {"four-artifacts"}
    assert {row[0] for row in judged({**four, "implementation": points(0)})} == {"five-artifacts"}


def test_missing_total_is_unparsed_and_one_outside_its_scale_is_kept() -> None:
    assert judged({"github_issue": points(101), "lld": points(None), "review": points(-1)}) == [
        ("four-artifacts", "github_issue", None, 101.0, "out_of_range", "not within 0 and 100"),
        ("four-artifacts", "lld", None, None, "unparsed", NO_TOTAL),
        ("four-artifacts", "review", None, -1.0, "out_of_range", "not within 0 and 100"),
        ("four-artifacts", "testing", None, None, "unparsed", NO_TOTAL),
    ]


def test_nothing_scored_is_nothing_judged() -> None:
    assert judged({}, is_failed=True) == []


def test_zero_for_one_artifact_is_a_score_and_zero_for_all_is_no_artifact() -> None:
    some = dict.fromkeys(("github_issue", "lld", "review"), points(10))
    assert judged({**some, "testing": points(0)})[-1] == ("four-artifacts", "testing", None, 0.0, "parsed", None)
    none = dict.fromkeys(FOUR_ARTIFACTS, points(0))
    assert {(row[4], row[5]) for row in judged(none)} == {("no_artifact", FAILED)}


def test_criteria_are_detail_of_their_artifact() -> None:
    lld = Score(Decimal(45), {"completeness": Decimal(20), "correctness": Decimal(26)})
    assert [row[1:5] for row in judged({"lld": lld}) if row[1] == "lld"] == [
        ("lld", None, 45.0, "parsed"),
        ("lld", "completeness", 20.0, "parsed"),
        ("lld", "correctness", 26.0, "out_of_range"),
    ]


def attempt(arm: Arm, **report: object) -> Attempt:
    return Attempt(ORIGIN, arm, SCOPE, "task", SNAPSHOT, report=Report("metrics.json", SNAPSHOT, **report))  # pyright: ignore[reportArgumentType]


def arm_of(harness: str, model_slug: str) -> Arm:
    return find_arm(shipped_arms(), SCOPE, harness, model_slug, "swe3")


def costs(arm: Arm, **report: object) -> list[tuple[str, str, Decimal]]:
    events = attempt_events(attempt(arm, **report))
    return [(event.cost_basis, event.currency, event.amount) for event in events if isinstance(event, CostReported)]


def claims(arm: Arm, **report: object) -> dict[str, str]:
    events = attempt_events(attempt(arm, **report))
    return {event.metric: event.value_text for event in events if isinstance(event, ClaimPublished)}


def test_credits_count_before_dollars_and_dollars_are_turned_back_exactly() -> None:
    kiro = arm_of("kiro", "claude-opus-5")
    assert costs(kiro, kiro_credits=Decimal("45.7"), cost_usd=Decimal("1.83")) == [
        ("credits", "KIRO_CREDIT", Decimal("45.7"))
    ]
    assert costs(kiro, cost_usd=Decimal("0.1848")) == [("credits", "KIRO_CREDIT", Decimal("4.62"))]
    assert costs(kiro, cost_usd=Decimal(0)) == []


def test_cost_of_zero_is_not_reported_whoever_served() -> None:
    for arm in (arm_of("pi", "glm-5.2"), arm_of("pi", "claude-opus-5"), arm_of("kiro", "claude-opus-5"), Arm("x")):
        assert costs(arm, cost_usd=Decimal("0.0")) == []
        assert claims(arm, cost_usd=Decimal("0.0")) == {"total_cost_usd": "0.0"}


def test_cost_of_an_undeclared_arm_is_a_claim_only() -> None:
    arm = find_arm(shipped_arms(), "Hello-World", None, "claude-opus-4-8", None)
    assert costs(arm, cost_usd=Decimal("0.93")) == []
    assert claims(arm, cost_usd=Decimal("0.93")) == {"total_cost_usd": "0.93"}


def test_stated_cost_of_a_declared_arm_is_the_clients_estimate_to_its_last_digit() -> None:
    stated = Decimal("5.645375749999999")
    assert costs(arm_of("pi", "claude-opus-5"), cost_usd=stated) == [
        ("client_estimate", "USD", Decimal("5.645375750000"))
    ]
    assert claims(arm_of("pi", "claude-opus-5"), cost_usd=stated) == {}


def tokens(arm: Arm, **report: object) -> list[tuple[dict[str, int], str, int | None]]:
    events = attempt_events(attempt(arm, **report))
    return [
        (event.raw_counts, event.completeness, event.source_revision)
        for event in events
        if isinstance(event, TokensReported)
    ]


def test_counts_that_were_not_stated_are_not_there() -> None:
    counts = {"input_tokens": 5, "output_tokens": 7, "cache_write_tokens": 0}
    assert tokens(arm_of("pi", "claude-opus-5"), counts=counts) == [(counts, "complete", None)]
    assert tokens(arm_of("pi", "claude-opus-5")) == []


def test_zeros_of_a_cache_that_nobody_reported_stay_raw_and_the_convention_knows_better() -> None:
    counts = {"input_tokens": 5, "output_tokens": 7, "cache_read_tokens": 0, "cache_write_tokens": 0}
    assert tokens(arm_of("claude", "glm-5.2"), counts=counts) == [(counts, "complete", None)]


def test_a_recount_of_the_sources_is_its_next_revision() -> None:
    counts = {"input_tokens": 5}
    assert tokens(arm_of("pi", "glm-5.2"), counts=counts, repair="exact_from_stream") == [(counts, "complete", 1)]


def test_run_of_sub_agents_under_claude_code_used_at_least_what_its_main_agent_did() -> None:
    swarm = find_arm(shipped_arms(), SCOPE, "claude", "claude-opus-5", "swe2")
    assert tokens(swarm, counts={"input_tokens": 5}) == [({"input_tokens": 5}, "lower_bound", None)]


def test_a_recount_stands_at_the_top_level_only_and_wins() -> None:
    block = {"input_tokens": 17, "output_tokens": 982, "cache_read_tokens": 126626, "cache_write_tokens": 70962}
    top = {"input_tokens": 356, "output_tokens": 27158, "cache_read_tokens": 4070487, "cache_creation_tokens": 198708}
    raw = {"task": "t", "model": "m", "metrics": block, **top, "num_turns": 57}
    stale = attempt_in(Metrics.model_validate(raw), ORIGIN, Arm("m"), SCOPE).report
    repair = {"method": "exact_from_stream", "issue": 157}
    repaired = attempt_in(
        Metrics.model_validate({**raw, "token_accounting_repair": repair}), ORIGIN, Arm("m"), SCOPE
    ).report
    assert stale
    assert repaired
    assert stale.counts == block
    assert repaired.counts == {
        "input_tokens": 356,
        "output_tokens": 27158,
        "cache_read_tokens": 4070487,
        "cache_write_tokens": 198708,
    }
    assert (stale.turns, repaired.turns, repaired.repair) == (57, 57, "exact_from_stream")


def test_table_beside_the_csvs_declares_their_arms(tmp_path: Path) -> None:
    table = tmp_path / "serving_paths.csv"
    table.write_text(
        "scope,harness,model_slug,llm,serving_path,seller,hosting,usage_format,instance_type,client_price\n"
        "mine,pi,m,big-llm,direct,somebody,api,reference.fresh-input-plus-cache,,own\n",
        encoding="utf-8",
    )
    arm = find_arm(read_arms(table), "mine", "pi", "m", None)
    assert (arm.fields["llm"], arm.hosting) == ("big-llm", "api")

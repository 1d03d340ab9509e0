"""One attempt: what it was, how it ended, what it used and cost, and what the source derived from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from collectors.results.reference_benchmark.arms import BASES, Arm
from collectors.results.reference_benchmark.claims import claim
from collectors.results.reference_benchmark.origin import FromOrigin, Origin, When, name
from models import CostReported, Event, RunFinished, RunStarted, TaskDefined, TokensReported
from models.base import without_nulls
from models.vocabulary import UNSTATED, Outcome

CREDITS_PER_USD = 25
"""The source wrote dollars as credits × 0.04."""

NOT_REPORTED = "a 0 where nothing was reported"
FROM_CREDITS = "credits × 0.04, the source's rate"
NOT_DECLARED = "stated for an arm whose serving path is not declared"
SUB_AGENTS = "the counts are the main agent's; its sub-agents' are not among them"


@dataclass(frozen=True)
class Report:
    """What was stated about an attempt once it was over."""

    table: str
    """The kind of file that printed the derived numbers."""
    ended: When
    is_error: bool | None = None
    result_subtype: str | None = None
    wall_s: Decimal | None = None
    turns: int | None = None
    agent_invocations: int | None = None
    artifacts_produced: int | None = None
    artifacts_expected: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """Under the names that `attempts.csv` has for them; only what was stated."""
    cost_usd: Decimal | None = None
    kiro_credits: Decimal | None = None
    repair: str | None = None
    """How the source recounted these tokens; None where it did not."""
    derived: Mapping[str, Decimal | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Attempt(FromOrigin):
    origin: Origin
    arm: Arm
    scope: str
    task: str
    began: When
    repo: str | None = None
    ref: str | None = None
    complexity: str | None = None
    tags: tuple[str, ...] | None = None
    wire_name: str | None = None
    region: str | None = None
    instance_type: str | None = None
    """Only where it is the server's; the source mostly wrote the machine that the agent ran on."""
    precision: str | None = None
    tensor_parallel_size: int | None = None
    context_window_tokens: int | None = None
    report: Report | None = None

    @property
    def run_id(self) -> str:
        return self.arm.run_id(self.scope, self.task)


def attempt_events(attempt: Attempt) -> list[Event]:
    began = [_task(attempt), _started(attempt)]
    return [*began, *_ending(attempt, attempt.report)] if attempt.report else began


def _about(attempt: Attempt) -> dict[str, Any]:
    return {"dataset": attempt.scope, "dataset_version": UNSTATED, "split": UNSTATED, "task_id": attempt.task}


def _task(attempt: Attempt) -> TaskDefined:
    return TaskDefined(
        **attempt.origin.stamp(attempt.began),
        **_about(attempt),
        repo=attempt.repo,
        ref=attempt.ref,
        complexity=attempt.complexity,
        tags=attempt.tags,
    )


def _started(attempt: Attempt) -> RunStarted:
    arm = attempt.arm
    return RunStarted(
        **attempt.origin.stamp(attempt.began),
        **_about(attempt),
        **arm.fields,
        run_id=attempt.run_id,
        kind="attempt",
        source=name,
        attempt_number=1,
        declared_cost_basis=BASES.get(arm.hosting),
        client_price=arm.declared.client_price if arm.declared else None,
        seller=arm.declared.seller if arm.declared else UNSTATED,
        hosting=arm.hosting,
        region=attempt.region,
        llm_wire_name=attempt.wire_name,
        instance_type=arm.declared.instance_type if arm.declared else attempt.instance_type,
        precision=attempt.precision,
        tensor_parallel_size=attempt.tensor_parallel_size,
        context_window_tokens=attempt.context_window_tokens,
    )


def _ending(attempt: Attempt, report: Report) -> Iterator[Event]:
    zeros = _unreported_zeros(attempt.arm, report)
    yield _finished(attempt, report, zeros)
    if report.counts:
        yield _tokens(attempt, report, zeros)
    cost = _stated_cost(attempt.arm, report)
    if cost:
        yield CostReported(**_subject(attempt, report), **cost)
    yield from _printed(attempt, report, zeros)


def _unreported_zeros(arm: Arm, report: Report) -> dict[str, Decimal | int]:
    """The numbers that are 0 because nobody counted. Every attempt is work done, so a cost of 0 always is one."""
    stated = {**report.counts, "num_turns": report.turns}
    zeros = {metric: value for metric, value in stated.items() if value == 0 and metric in arm.unreported_if_zero}
    return without_nulls({**zeros, "total_cost_usd": report.cost_usd if report.cost_usd == 0 else None})


def outcome(is_error: bool | None, result_subtype: str | None) -> Outcome:
    if result_subtype == "error_max_turns":
        return "budget_turns"
    if is_error or result_subtype not in (None, "success"):
        return "agent_error"
    return "unstated" if is_error is None and result_subtype is None else "completed"


def _finished(attempt: Attempt, report: Report, zeros: Mapping[str, Decimal | int]) -> RunFinished:
    return RunFinished(
        **attempt.origin.stamp(report.ended),
        run_id=attempt.run_id,
        outcome=outcome(report.is_error, report.result_subtype),
        outcome_detail=report.result_subtype,
        wall_s=None if report.wall_s is None else float(report.wall_s),
        turns=None if "num_turns" in zeros else report.turns,
        agent_invocations=report.agent_invocations,
        artifacts_produced=report.artifacts_produced,
        artifacts_expected=report.artifacts_expected,
    )


def _subject(attempt: Attempt, report: Report) -> dict[str, Any]:
    """What a count or an amount is about. A recount of the source's is its next revision."""
    return {
        **attempt.origin.stamp(report.ended),
        "subject_kind": "run",
        "subject_id": attempt.run_id,
        "run_id": attempt.run_id,
        "source": "run_report",
        "source_revision": 1 if report.repair else None,
    }


def _tokens(attempt: Attempt, report: Report, zeros: Mapping[str, Decimal | int]) -> TokensReported:
    is_short = attempt.arm.has_uncounted_sub_agents
    return TokensReported(
        **_subject(attempt, report),
        usage_format=attempt.arm.usage_format,
        raw_counts={counted: value for counted, value in report.counts.items() if counted not in zeros},
        completeness="lower_bound" if is_short else "complete",
        incomplete_reason=SUB_AGENTS if is_short else None,
    )


def _stated_cost(arm: Arm, report: Report) -> dict[str, Any] | None:
    """The amount as stated. What is stated for an arm that nobody declared has no standing."""
    if arm.hosting == "plan":
        by_rate = None if report.cost_usd is None else report.cost_usd * CREDITS_PER_USD
        spent = by_rate if report.kiro_credits is None else report.kiro_credits
        return {"cost_basis": "credits", "currency": "KIRO_CREDIT", "amount": spent} if spent else None
    if arm.declared and report.cost_usd:
        return {"cost_basis": "client_estimate", "amount": report.cost_usd}
    return None


def _printed(attempt: Attempt, report: Report, zeros: Mapping[str, Decimal | int]) -> Iterator[Event]:
    numbers = {**report.derived, **zeros}
    notes = dict.fromkeys(zeros, NOT_REPORTED)
    if report.repair and "total_tokens" in numbers:
        notes["total_tokens"] = f"token_accounting_repair: {report.repair}"
    if report.cost_usd and attempt.arm.hosting in ("plan", UNSTATED):
        numbers["total_cost_usd"] = report.cost_usd
        notes["total_cost_usd"] = FROM_CREDITS if attempt.arm.hosting == "plan" else NOT_DECLARED
    about = {**_about(attempt), **attempt.arm.resolved, "scope": "run", "run_id": attempt.run_id}
    for metric, value in numbers.items():
        yield claim(
            attempt.origin,
            report.ended,
            metric,
            value,
            **about,
            table_name=report.table,
            source_arm=attempt.arm.words,
            note=notes.get(metric),
        )

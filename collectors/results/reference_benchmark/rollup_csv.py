"""attempts.csv and arm_rollups.csv: the source's run-summary.json files, one row an attempt and one row an arm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from collectors.results.reference_benchmark.arms import COUNTS, Arm, Arms, find_arm
from collectors.results.reference_benchmark.attempts import Attempt, Report
from collectors.results.reference_benchmark.claims import claim
from collectors.results.reference_benchmark.csv_file import Amount, Day, Flag, Number, Row, Whole, read_rows
from collectors.results.reference_benchmark.judged import FIVE_ARTIFACTS, Evaluation, Score
from collectors.results.reference_benchmark.origin import FromOrigin, Origin, When, on_day
from models import Event
from models.base import without_nulls
from models.errors import UnreadableRecord
from models.vocabulary import UNSTATED

SUMMARY = "run-summary"
"""The table that both forms of a roll-up are read from, so that its two copies print the same claims."""
DERIVED = ("total_tokens", "prefix_cache_hit_rate", "task_score")
ROLLED_UP = ("num_tasks", "num_scored", "mean_task_score_excl_failed", "mean_cost_usd_excl_failed")


class AttemptRow(Row):
    scope: str
    model_slug: str
    harness: str
    skill: str | None
    provider: str | None
    instance_type: str | None
    tensor_parallel_size: Whole | None
    precision: str | None
    context_window: Whole | None
    ref: str | None
    run_date: Day | None
    task: str
    complexity: str | None
    artifacts_produced: Whole | None
    artifacts_expected: Whole | None
    num_turns: Whole | None
    input_tokens: Whole | None
    output_tokens: Whole | None
    cache_read_tokens: Whole | None
    cache_write_tokens: Whole | None
    total_tokens: Whole | None
    latency_seconds: Amount | None
    total_cost_usd: Amount | None
    result_subtype: str | None
    is_error: Flag | None
    failed: Flag | None
    task_score: Number | None
    score_github_issue: Number | None
    score_lld: Number | None
    score_review: Number | None
    score_testing: Number | None
    score_implementation: Number | None
    agent_invocations: Whole | None
    prefix_cache_hit_rate: Number | None
    judge_model: str | None
    source_path: str | None
    source_commit: str | None
    wire_model: str | None
    token_accounting_repair: str | None

    def attempt(self, origin: Origin, arm: Arm) -> Attempt:
        when = on_day(self.run_date)
        return Attempt(
            origin,
            arm,
            self.scope,
            self.task,
            began=when,
            ref=self.ref,
            complexity=self.complexity,
            wire_name=self.wire_model,
            precision=self.precision,
            tensor_parallel_size=self.tensor_parallel_size,
            context_window_tokens=self.context_window,
            report=self._report(when),
        )

    def _report(self, when: When) -> Report:
        return Report(
            SUMMARY,
            ended=when,
            is_error=self.is_error,
            result_subtype=self.result_subtype,
            wall_s=self.latency_seconds,
            turns=self.num_turns,
            agent_invocations=self.agent_invocations,
            artifacts_produced=self.artifacts_produced,
            artifacts_expected=self.artifacts_expected,
            counts=without_nulls({counted: getattr(self, counted) for counted in COUNTS}),
            cost_usd=self.total_cost_usd,
            repair=self.token_accounting_repair,
            derived=without_nulls({metric: getattr(self, metric) for metric in DERIVED}),
        )

    def evaluation(self, origin: Origin, arm: Arm) -> Evaluation:
        totals = without_nulls({artifact: getattr(self, f"score_{artifact}") for artifact in FIVE_ARTIFACTS})
        scores = {artifact: Score(total) for artifact, total in totals.items()}
        when = on_day(self.run_date)
        return Evaluation(origin, arm, self.scope, self.task, when, self.judge_model, scores, self.failed)


def read_attempts(path: Path, ref: str, arms: Arms) -> Iterator[Attempt | Evaluation | UnreadableRecord]:
    def arm_of(row: AttemptRow) -> Arm:
        return find_arm(arms, row.scope, row.harness, row.model_slug, row.skill)

    for line in read_rows(path, AttemptRow, lambda row: arm_of(row).run_id(row.scope, row.task)):
        if isinstance(line, UnreadableRecord):
            yield line
        else:
            number, row = line
            origin, arm = Origin(ref, number), arm_of(row)
            yield row.attempt(origin, arm)
            yield row.evaluation(origin, arm)


class RollupRow(Row):
    scope: str
    model_slug: str
    harness: str
    skill: str | None
    provider: str | None
    num_tasks: Whole | None
    num_scored: Whole | None
    mean_task_score_excl_failed: Number | None
    mean_cost_usd_excl_failed: Number | None
    run_date: Day | None
    source_path: str | None
    source_commit: str | None


@dataclass(frozen=True)
class Rollup(FromOrigin):
    """What the source summed up over the tasks of one arm."""

    origin: Origin
    arm: Arm
    scope: str
    run_date: date | None
    numbers: Mapping[str, Decimal | int | None]


def rollup_events(rollup: Rollup) -> list[Event]:
    return [
        claim(
            rollup.origin,
            on_day(rollup.run_date),
            metric,
            value,
            **rollup.arm.resolved,
            table_name=SUMMARY,
            scope="arm",
            dataset=rollup.scope,
            dataset_version=UNSTATED,
            split=UNSTATED,
            source_arm=rollup.arm.words,
        )
        for metric, value in without_nulls(rollup.numbers).items()
    ]


def read_rollups(path: Path, ref: str, arms: Arms) -> Iterator[Rollup | UnreadableRecord]:
    for line in read_rows(path, RollupRow, lambda row: (row.scope, row.model_slug, row.harness, row.skill)):
        if isinstance(line, UnreadableRecord):
            yield line
        else:
            number, row = line
            arm = find_arm(arms, row.scope, row.harness, row.model_slug, row.skill)
            numbers = {metric: getattr(row, metric) for metric in ROLLED_UP}
            yield Rollup(Origin(ref, number), arm, row.scope, row.run_date, numbers)

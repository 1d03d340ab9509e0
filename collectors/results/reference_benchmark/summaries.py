"""run-summary.json: what the source rolled up for one arm, and a row for each of its tasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collectors.reading import relative_ref
from collectors.results.reference_benchmark.arms import COUNTS, Arm, Arms, find_arm, slug
from collectors.results.reference_benchmark.attempts import Attempt, Report
from collectors.results.reference_benchmark.folders import scores_in
from collectors.results.reference_benchmark.judged import Evaluation
from collectors.results.reference_benchmark.layout import LEFT_OUT, Place, below_tree, place
from collectors.results.reference_benchmark.origin import SNAPSHOT, Origin, When, on_day
from collectors.results.reference_benchmark.rollup_csv import DERIVED, ROLLED_UP, SUMMARY, Rollup
from collectors.results.reference_benchmark.shapes import Judge, Serving, Summary, SummaryTask, parse, repair_method
from collectors.results.theirs import Faults
from models.base import without_nulls
from models.errors import UnreadableRecord

ALSO_DERIVED = (*DERIVED, "generation_tokens_per_sec")


@dataclass(frozen=True)
class Whole:
    """The roll-up around its rows."""

    ref: str
    summary: Summary
    arm: Arm
    scope: str


def read_summary(root: Path, path: Path, arms: Arms) -> Iterator[Attempt | Evaluation | Rollup | UnreadableRecord]:
    names = below_tree(root, path.parent)
    if LEFT_OUT in names:
        yield UnreadableRecord(path, f"is under {LEFT_OUT}: the source leaves it out")
        return
    faults = Faults(path)
    raw = faults.load(dict)
    summary = None if raw is None else parse(faults, Summary, raw)
    if summary:
        whole = _whole(root, path, names, summary, arms)
        numbers = {metric: getattr(summary, metric) for metric in ROLLED_UP}
        yield Rollup(Origin(whole.ref), whole.arm, whole.scope, summary.run_date, numbers)
        for row, task in _tasks(faults, summary):
            yield from _records(whole, row, task)
    yield from faults.records()


def _whole(root: Path, path: Path, names: tuple[str, ...], summary: Summary, arms: Arms) -> Whole:
    by_folder = place((*names, "task"), is_task_second=False)
    if by_folder is None and summary.scope is None:
        raise UnreadableRecord(path, f"states no scope, and its {len(names)} folders are not 2 to 4")
    by_folder = by_folder or Place(summary.scope or "", summary.model)
    scope = summary.scope or by_folder.scope
    harness = summary.agent or by_folder.harness
    model_slug = summary.model_slug or slug(summary.model, harness) or by_folder.model
    arm = find_arm(arms, scope, harness, model_slug, summary.skill or by_folder.skill)
    return Whole(relative_ref(root, path), summary, arm, scope)


def _tasks(faults: Faults, summary: Summary) -> Iterator[tuple[int, SummaryTask]]:
    """Each row with its number, from 1. Of two rows for one task the first is read."""
    first: dict[str, int] = {}
    for row, raw in enumerate(summary.tasks, 1):
        task = parse(faults, SummaryTask, raw, row)
        if task and first.setdefault(task.task, row) != row:
            faults.add(row, f"the same task as row {first[task.task]} a second time")
        elif task:
            yield row, task


def _records(whole: Whole, row: int, task: SummaryTask) -> Iterator[Attempt | Evaluation]:
    origin, summary = Origin(whole.ref, row), whole.summary
    serving = summary.serving or Serving()
    when = on_day(summary.run_date)
    yield Attempt(
        origin,
        whole.arm,
        whole.scope,
        task.task,
        began=when,
        ref=task.ref or summary.ref,
        complexity=task.complexity,
        wire_name=summary.model,
        precision=serving.precision,
        tensor_parallel_size=serving.tensor_parallel_size,
        context_window_tokens=serving.context_window,
        report=_report(task, when),
    )
    judge = summary.judge or Judge()
    yield Evaluation(
        origin,
        whole.arm,
        whole.scope,
        task.task,
        when=_judged_when(when, judge),
        judge=judge.model,
        scores=scores_in(task.eval_scores),
        is_failed=task.failed,
    )


def _judged_when(when: When, judge: Judge) -> When:
    """The roll-up has one evaluation time for all its tasks: that of a batch."""
    return When(judge.evaluated_at, "batch") if when is SNAPSHOT and judge.evaluated_at else when


def _report(task: SummaryTask, when: When) -> Report:
    return Report(
        SUMMARY,
        ended=when,
        is_error=task.is_error,
        result_subtype=task.result_subtype,
        wall_s=task.latency_seconds,
        turns=task.num_turns,
        agent_invocations=task.agent_invocations,
        artifacts_produced=task.artifacts_produced,
        artifacts_expected=task.artifacts_expected,
        counts=without_nulls({counted: getattr(task, counted) for counted in COUNTS}),
        cost_usd=task.total_cost_usd,
        repair=repair_method(task.token_accounting_repair),
        derived=without_nulls({metric: getattr(task, metric) for metric in ALSO_DERIVED}),
    )

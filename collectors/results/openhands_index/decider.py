"""Records of the OpenHands Index in, events out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from collectors.results.openhands_index.records import Attempt, Printed, Record, name, version
from models import ClaimPublished, CostReported, Event, RunFinished, RunGraded, RunStarted, TaskDefined
from models.identity import imported_run_id
from models.vocabulary import ClaimScope

COST_PRINTED_AS_ZERO = "every row of this source is work done, so its 0 means that the cost was not reported"


def decide(records: Iterable[Record]) -> list[Event]:
    """The facts of any number of arms; a task is defined once, at the earliest time that it was attempted."""
    attempts: list[Attempt] = []
    events: list[Event] = []
    for record in records:
        if isinstance(record, Attempt):
            attempts.append(record)
            events += _attempt(record)
        else:
            events += _printed(record)
    return [*_tasks(attempts), *events]


def _stamp(record: Record) -> dict[str, Any]:
    at, basis = record.submission.time
    return {
        "occurred_at": at,
        "occurred_at_basis": basis,
        "producer": f"{name}/{version}",
        "source_ref": record.source_ref,
        "source_offset": record.source_offset,
    }


def _tasks(attempts: list[Attempt]) -> list[TaskDefined]:
    first: dict[tuple[str, str], Attempt] = {}
    for attempt in attempts:
        task = attempt.submission.benchmark, attempt.instance_id
        if task not in first or _order(attempt) < _order(first[task]):
            first[task] = attempt
    return [
        TaskDefined(**_stamp(attempt), **attempt.submission.dataset, task_id=task_id, declared_verifier=benchmark)
        for (benchmark, task_id), attempt in first.items()
    ]


def _order(attempt: Attempt) -> tuple[datetime, str, int]:
    return attempt.submission.time[0], attempt.source_ref, attempt.source_offset


def _attempt(attempt: Attempt) -> list[Event]:
    submission, stamp = attempt.submission, _stamp(attempt)
    arm, dataset = submission.arm.fields, submission.dataset
    scope, task_id = submission.benchmark, attempt.instance_id
    run_id = imported_run_id(name, dataset["dataset"], scope, submission.arm.identity, task_id, attempt_number=1)
    started = RunStarted(
        **stamp,
        **arm,
        **dataset,
        **submission.versions,
        task_id=task_id,
        run_id=run_id,
        kind="attempt",
        source=name,
        attempt_number=1,
        declared_cost_basis="client_estimate",
        client_price="own",
    )
    finished = RunFinished(**stamp, run_id=run_id, outcome="unstated")
    return [started, finished, _grade(attempt, run_id, stamp), *_cost(attempt, run_id, stamp)]


def _grade(attempt: Attempt, run_id: str, stamp: dict[str, Any]) -> RunGraded:
    about = {**stamp, "run_id": run_id, "verifier": attempt.submission.benchmark}
    is_resolved = attempt.row.resolved
    if is_resolved is None:
        return RunGraded(**about, status="ungraded", status_reason="the source states no verdict")
    return RunGraded(**about, is_resolved=is_resolved, status="resolved" if is_resolved else "unresolved")


def _cost(attempt: Attempt, run_id: str, stamp: dict[str, Any]) -> Sequence[Event]:
    cost = attempt.row.cost
    if cost is None:
        return []
    if cost == 0:
        return [_zero(attempt, cost, run_id)]
    about: dict[str, Any] = {"subject_kind": "run", "subject_id": run_id, "run_id": run_id}
    return [CostReported(**stamp, **about, source="run_report", cost_basis="client_estimate", amount=cost)]


def _zero(attempt: Attempt, cost: Decimal, run_id: str) -> ClaimPublished:
    table = f"instance_results {attempt.submission.benchmark}"
    claim = _claim(attempt, "run", table, "cost", "USD", cost)
    return claim.model_copy(update={"task_id": attempt.instance_id, "run_id": run_id, "note": COST_PRINTED_AS_ZERO})


def _printed(printed: Printed) -> list[Event]:
    score, table = printed.score, f"scores.json {printed.score.benchmark}"
    parts = f"{table} component_scores"
    numbers = [
        (table, score.metric, "percent", score.score),
        (table, "cost_per_instance", "USD", score.cost_per_instance),
        (table, "average_runtime", "s", score.average_runtime),
        *((parts, part, _unit(part), value) for part, value in score.component_scores.items()),
    ]
    return [
        _claim(printed, "arm", where, metric, unit, value)
        for where, metric, unit, value in numbers
        if value is not None
    ]


def _unit(part: str) -> str:
    return "percent" if part.endswith("accuracy") else "tasks"


def _claim(record: Record, scope: ClaimScope, table: str, metric: str, unit: str, value: Decimal) -> ClaimPublished:
    """A folder without rows is no arm, so a claim about it names none."""
    arm = record.submission.arm
    return ClaimPublished(
        **_stamp(record),
        **(arm.fields if arm.has_rows else {}),
        **record.submission.dataset,
        source=name,
        table_name=table,
        scope=scope,
        source_arm=arm.source_arm,
        metric=metric,
        value_text=format(value, "f"),
        value=value,
        unit=unit,
    )

"""Records of SWE-bench result files in, events out."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from collectors.results.swe_bench.records import Attempt, Printed, Record, Report, name, version
from models import ClaimPublished, CostReported, Event, RunFinished, RunGraded, RunStarted, TaskDefined
from models.identity import imported_run_id
from models.vocabulary import UNSTATED, ClaimScope, GradeStatus, SubjectKind

VERIFIER = "swe-bench"
IS_RESOLVED: dict[GradeStatus, bool | None] = {
    "resolved": True,
    "unresolved": False,
    "empty_patch": False,
    "not_submitted": False,
    "verifier_error": None,
    "ungraded": None,
}
REASONS: dict[GradeStatus, str] = {
    "empty_patch": "the agent handed in an empty patch",
    "not_submitted": "the agent handed in nothing",
    "verifier_error": "the evaluation ended in an error",
    "ungraded": "the source states no verdict",
}
COUNTS = [field for field in Report.model_fields if field.endswith("_instances") and field != "unstopped_instances"]
COST_PRINTED_AS_ZERO = "0 where LLM calls were made, or their number is not stated: the cost was not reported"


def decide(records: Iterable[Record]) -> list[Event]:
    """The facts of any number of attempts and reports; a task is defined once, at the earliest time seen."""
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
    at, basis = record.batch.declared.time
    return {
        "occurred_at": at,
        "occurred_at_basis": basis,
        "producer": f"{name}/{version}",
        "source_ref": record.source_ref,
        "source_offset": record.source_offset,
    }


def _tasks(attempts: list[Attempt]) -> list[TaskDefined]:
    seen = [
        TaskDefined(**_stamp(attempt), **attempt.batch.dataset, task_id=attempt.task_id, declared_verifier=VERIFIER)
        for attempt in attempts
    ]
    latest_first = sorted(
        seen, key=lambda task: (task.occurred_at, task.source_ref, task.source_offset or 0), reverse=True
    )
    return list({task.event_id: task for task in latest_first}.values())


def _attempt(attempt: Attempt) -> list[Event]:
    batch, declared, stamp = attempt.batch, attempt.batch.declared, _stamp(attempt)
    run_id = imported_run_id(name, declared.dataset, UNSTATED, batch.identity, attempt.task_id, declared.attempt_number)
    started = RunStarted(
        **stamp,
        **batch.arm,
        **batch.dataset,
        task_id=attempt.task_id,
        run_id=run_id,
        kind="attempt",
        source=name,
        attempt_number=declared.attempt_number,
        batch_id=batch.batch_id,
        declared_cost_basis=declared.cost_basis,
        client_price="own" if declared.cost_basis == "client_estimate" else None,
    )
    finished = RunFinished(**stamp, run_id=run_id, outcome="unstated", turns=attempt.api_calls)
    graded = RunGraded(
        **stamp,
        run_id=run_id,
        verifier=VERIFIER,
        verifier_version=declared.verifier_version,
        is_resolved=IS_RESOLVED[attempt.status],
        status=attempt.status,
        status_reason=REASONS.get(attempt.status),
    )
    return [started, finished, graded, *_cost(attempt, run_id)]


def _cost(attempt: Attempt, run_id: str) -> list[Event]:
    """0 is a true zero only where no LLM was called."""
    cost = attempt.cost
    if cost is None:
        return []
    if cost == 0 and attempt.api_calls != 0:
        claim = _claim(attempt, "run", "per-instance results", "cost", cost, "USD")
        about = {"task_id": attempt.task_id, "run_id": run_id, "note": COST_PRINTED_AS_ZERO}
        return [claim.model_copy(update=about)]
    return [_stated(attempt, "run", run_id, cost)]


def _stated(record: Record, subject: SubjectKind, subject_id: str, amount: Decimal) -> CostReported:
    return CostReported(
        **_stamp(record),
        subject_kind=subject,
        subject_id=subject_id,
        run_id=subject_id if subject == "run" else None,
        source="run_report",
        cost_basis=record.batch.declared.cost_basis,
        amount=amount,
    )


def _printed(printed: Printed) -> list[Event]:
    """Every count is a claim. The amount for the whole is a cost too, where the attempts it paid for are known."""
    table = f"evaluation report {printed.run_id}".rstrip()
    events: list[Event] = [
        _claim(printed, "arm", table, metric, Decimal(count), "tasks")
        for metric, count in ((metric, getattr(printed.report, metric)) for metric in COUNTS)
        if count is not None
    ]
    amount, batch_id = printed.report.run_cost_usd, printed.batch.batch_id
    if amount is not None:
        events.append(_claim(printed, "arm", table, "run_cost_usd", amount, "USD"))
    if amount is not None and batch_id and printed.has_attempts:
        events.append(_stated(printed, "batch", batch_id, amount))
    return events


def _claim(record: Record, scope: ClaimScope, table: str, metric: str, value: Decimal, unit: str) -> ClaimPublished:
    return ClaimPublished(
        **_stamp(record),
        **record.batch.arm,
        **record.batch.dataset,
        source=name,
        table_name=table,
        scope=scope,
        source_arm=record.batch.model,
        metric=metric,
        value_text=format(value, "f"),
        value=value,
        unit=unit,
    )

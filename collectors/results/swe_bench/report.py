"""Which of five states each task of an evaluation report is in, and whether the report agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from collectors.results.swe_bench.records import Report
from models.vocabulary import GradeStatus

LISTS = ("submitted", "completed", "resolved", "unresolved", "empty_patch", "error", "incomplete")
STATES: dict[str, GradeStatus] = {
    "resolved": "resolved",
    "unresolved": "unresolved",
    "empty_patch": "empty_patch",
    "error": "verifier_error",
}
"""The lists that tell what became of a submitted task. An error is the verifier's, and no verdict."""


def names_tasks(report: Report) -> bool:
    """Whether it has any list of ids; counts alone are claims."""
    return any(getattr(report, f"{which}_ids") is not None for which in LISTS)


def states(report: Report, tasks: Sequence[str] | None) -> dict[str, GradeStatus]:
    """Each task's state, in the order of the ids. `tasks` are declared; else the incomplete ones were not submitted."""
    found: dict[str, GradeStatus] = {task: status for which, status in STATES.items() for task in _ids(report, which)}
    for task in tasks if tasks is not None else _ids(report, "incomplete"):
        found.setdefault(task, "not_submitted")
    return dict(sorted(found.items()))


def contradictions(report: Report, tasks: Sequence[str] | None) -> list[str]:
    """Where its counts, its lists and the declared tasks do not agree; empty where they do."""
    return [*_counts(report), *_overlaps(report), *_sums(report), *_totals(report, tasks)]


def _ids(report: Report, which: str) -> list[str]:
    return getattr(report, f"{which}_ids") or []


def _counts(report: Report) -> Iterator[str]:
    for which in LISTS:
        count, ids = getattr(report, f"{which}_instances"), _ids(report, which)
        if len(set(ids)) < len(ids):
            yield f"{which}_ids names a task twice"
        if count is not None and count != len(ids) and (ids or which in STATES):
            yield f"{which}_instances is {count}, {which}_ids has {len(ids)}"


def _overlaps(report: Report) -> Iterator[str]:
    for one, other in combinations((*STATES, "incomplete"), 2):
        both = set(_ids(report, one)) & set(_ids(report, other))
        if both:
            yield f"{min(both)} is in {one}_ids and in {other}_ids"


def _sums(report: Report) -> Iterator[str]:
    tested = {*_ids(report, "resolved"), *_ids(report, "unresolved")}
    failed = {*_ids(report, "error")}
    submitted = tested | failed | {*_ids(report, "empty_patch")}
    if report.submitted_instances != len(submitted) or set(_ids(report, "submitted")) - submitted:
        yield f"{report.submitted_instances} submitted are not {_spelled(report)}"
    completed = set(_ids(report, "completed")) or tested
    if not len(tested) <= report.completed_instances <= len(tested | failed) or completed - failed != tested:
        yield f"{report.completed_instances} completed are not {_spelled(report)}"


def _spelled(report: Report) -> str:
    return ", ".join(f"{len(_ids(report, which))} {which}" for which in STATES)


def _totals(report: Report, tasks: Sequence[str] | None) -> Iterator[str]:
    known = states(report, tasks)
    stray = known.keys() - set(tasks) if tasks is not None else set()
    if stray:
        yield f"{min(stray)} is none of the tasks in arm.yaml"
    if report.total_instances != len(known):
        yield f"total_instances is {report.total_instances}, {len(known)} are named (arm.yaml may list `tasks`)"

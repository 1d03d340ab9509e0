"""What a judge said about one attempt. A judge's rubric is told by the artifacts that it scored, never by a date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from collectors.results.reference_benchmark.arms import Arm
from collectors.results.reference_benchmark.claims import claim
from collectors.results.reference_benchmark.origin import FromOrigin, Origin, When
from models import Event, RunJudged
from models.vocabulary import UNSTATED

FOUR_ARTIFACTS: tuple[str, ...] = ("github_issue", "lld", "review", "testing")
FIVE_ARTIFACTS: tuple[str, ...] = (*FOUR_ARTIFACTS, "implementation")
TOTAL, CRITERION = 100, 25
"""The most that an artifact, and each of its four criteria, can score."""

FAILED = "the source counts the attempt as failed: nothing in it was worth a point"
NO_TOTAL = "no total was stated"


@dataclass(frozen=True)
class Score:
    total: Decimal | None
    criteria: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation(FromOrigin):
    origin: Origin
    arm: Arm
    scope: str
    task: str
    when: When
    judge: str | None
    scores: Mapping[str, Score]
    """By artifact, only those that were scored."""
    is_failed: bool | None = None
    """As stated; None where the file has no word for it."""
    task_score: Decimal | None = None
    table: str = ""
    """The kind of file that printed the task's score, where this one did."""


def evaluation_events(evaluation: Evaluation) -> list[Event]:
    artifacts = FIVE_ARTIFACTS if "implementation" in evaluation.scores else FOUR_ARTIFACTS
    rubric = "five-artifacts" if artifacts is FIVE_ARTIFACTS else "four-artifacts"
    judged = (_judged(evaluation, rubric, artifact) for artifact in artifacts if evaluation.scores)
    return [*(event for events in judged for event in events), *_task_score(evaluation)]


def _is_failed(evaluation: Evaluation) -> bool:
    """The source's own rule where it does not say: failed is who scored nothing at all."""
    if evaluation.is_failed is not None:
        return evaluation.is_failed
    totals = [score.total for score in evaluation.scores.values()]
    return all(total == 0 for total in totals)


def beyond_scale(evaluation: Evaluation) -> list[str]:
    """What is said of each score that its scale does not have. It is kept as out_of_range, and enters no mean."""
    points = {
        f"{artifact} {criterion or ''}".rstrip(): (value, most)
        for artifact, score in evaluation.scores.items()
        for criterion, (value, most) in _parts(score).items()
    }
    return [
        f"{what}: expected 0 to {most}, came {value:.6g}; kept as out_of_range, in no mean"
        for what, (value, most) in points.items()
        if value is not None and not 0 <= value <= most
    ]


def _parts(score: Score) -> dict[str | None, tuple[Decimal | None, int]]:
    """The total and each criterion, with the most that it can be."""
    return {None: (score.total, TOTAL), **{what: (points, CRITERION) for what, points in score.criteria.items()}}


def _judged(evaluation: Evaluation, rubric: str, artifact: str) -> Iterator[RunJudged]:
    score = evaluation.scores.get(artifact, Score(None))
    for criterion, (points, most) in _parts(score).items():
        yield RunJudged(
            **evaluation.origin.stamp(evaluation.when),
            **_verdict(points, most, _is_failed(evaluation)),
            run_id=evaluation.arm.run_id(evaluation.scope, evaluation.task),
            judge=evaluation.judge or UNSTATED,
            rubric_hash=rubric,
            artifact=artifact,
            criterion=criterion,
            scale_max=most,
        )


def _verdict(points: Decimal | None, most: int, is_failed: bool) -> dict[str, Any]:
    score = None if points is None else float(points)
    if is_failed:
        return {"score": score, "status": "no_artifact", "status_reason": FAILED}
    if points is None:
        return {"score": None, "status": "unparsed", "status_reason": NO_TOTAL}
    if not 0 <= points <= most:
        return {"score": score, "status": "out_of_range", "status_reason": f"not within 0 and {most}"}
    return {"score": score, "status": "parsed"}


def _task_score(evaluation: Evaluation) -> Iterator[Event]:
    if evaluation.task_score is None:
        return
    yield claim(
        evaluation.origin,
        evaluation.when,
        "task_score",
        evaluation.task_score,
        **evaluation.arm.resolved,
        table_name=evaluation.table,
        scope="run",
        dataset=evaluation.scope,
        dataset_version=UNSTATED,
        split=UNSTATED,
        task_id=evaluation.task,
        run_id=evaluation.arm.run_id(evaluation.scope, evaluation.task),
        source_arm=evaluation.arm.words,
    )

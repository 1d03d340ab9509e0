"""What a verifier or a judge said about an attempt."""

from typing import ClassVar

from models.base import Count, Event, Ordinal, Ratio, Text
from models.vocabulary import UNSTATED, GradeStatus, JudgeStatus


class RunGraded(Event):
    """One evaluation of an attempt by a verifier."""

    event_type: ClassVar = "run_graded"
    natural_key: ClassVar = ("run_id", "verifier", "verifier_version", "rubric_hash", "evaluation_number")
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "attempt, verifier and evaluation"

    run_id: Text
    verifier: Text
    verifier_version: Text = UNSTATED
    rubric_hash: Text = UNSTATED
    evaluation_number: Ordinal = 1
    is_resolved: bool | None = None
    """Null is ungraded, which is not failed; `status` says why."""
    status: GradeStatus
    status_reason: Text | None = None
    fail_to_pass_passed: Count | None = None
    fail_to_pass_total: Count | None = None
    pass_to_pass_passed: Count | None = None
    pass_to_pass_total: Count | None = None


class RunJudged(Event):
    """One score by a judge: an artifact's total where `criterion` is null, else one criterion of it."""

    event_type: ClassVar = "run_judged"
    natural_key: ClassVar = (
        "run_id",
        "judge",
        "judge_version",
        "rubric_hash",
        "artifact",
        "criterion",
        "evaluation_number",
    )
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "attempt, judge, rubric, artifact, criterion and evaluation"

    run_id: Text
    judge: Text
    judge_version: Text = UNSTATED
    rubric_hash: Text = UNSTATED
    """The hash of the rubric's text, or its declared name where only that is known."""
    evaluation_number: Ordinal = 1
    artifact: Text
    criterion: Text | None = None
    score: Ratio | None = None
    scale_max: Ratio
    status: JudgeStatus
    status_reason: Text | None = None

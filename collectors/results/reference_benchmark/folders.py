"""One task folder: its metrics and its evaluations are one attempt, whatever each of them calls the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from collectors import Unit
from collectors.reading import relative_ref
from collectors.results.reference_benchmark.arms import Arm, Arms, find_arm, slug
from collectors.results.reference_benchmark.attempts import Attempt
from collectors.results.reference_benchmark.judged import Evaluation, Score
from collectors.results.reference_benchmark.layout import LEFT_OUT, Place, below_tree, place
from collectors.results.reference_benchmark.metrics_json import attempt_in
from collectors.results.reference_benchmark.origin import SNAPSHOT, Origin, exactly
from collectors.results.reference_benchmark.shapes import HandMade, Judged, Metrics, Scores, parse
from collectors.results.theirs import Faults
from models.base import without_nulls
from models.errors import UnreadableRecord

WAITS = "whose attempt this is stands in metrics.json, which could not be read"
CRITERIA = ("completeness", "correctness", "specificity", "risk_awareness")

Stated = Metrics | HandMade | Judged


@dataclass(frozen=True)
class Loaded:
    """One file of the folder, in its shape; None where it has none, and why."""

    path: Path
    record: Stated | None
    faults: list[UnreadableRecord]


@dataclass(frozen=True)
class Subject:
    """Whose files these are."""

    arm: Arm
    scope: str
    task: str


def read_folder(root: Path, unit: Unit, arms: Arms) -> Iterator[Attempt | Evaluation | UnreadableRecord]:
    names = below_tree(root, unit.files[0].parent)
    if LEFT_OUT in names:
        yield from (UnreadableRecord(path, f"is under {LEFT_OUT}: the source leaves it out") for path in unit.files)
        return
    loaded = [_load(path) for path in unit.files]
    yield from (fault for file in loaded for fault in file.faults)
    if unit.files[0].name == "metrics.json" and loaded[0].record is None:
        yield from (UnreadableRecord(file.path, WAITS) for file in loaded[1:] if file.record)
        return
    stated = [file.record for file in loaded if file.record]
    if stated:
        subject = _subject(names, unit, stated[0], arms)
        yield from _records(root, subject, [file for file in loaded if file.record])


def _load(path: Path) -> Loaded:
    faults = Faults(path)
    raw = faults.load(dict)
    if raw is None:
        return Loaded(path, None, faults.records())
    record = parse(faults, _shape(path.name, raw), raw)
    return Loaded(path, record, faults.records())


def _shape(name: str, raw: dict[str, Any]) -> type[Stated]:
    if name != "metrics.json":
        return Judged
    return HandMade if {"timestamps", "tag", "vllm_config"} & raw.keys() else Metrics


def _subject(names: tuple[str, ...], unit: Unit, first: Stated, arms: Arms) -> Subject:
    """What the first file says of itself, and what the folders say where it is silent."""
    is_task_second = unit.files[-1].name == "judge-gpt.json" or names[1:2] == (first.task,)
    by_folder = place(names, is_task_second)
    if by_folder is None:
        raise UnreadableRecord(unit.files[0], f"expected 3 to 5 folders down to a task, found {len(names)}")
    return Subject(_arm(first, by_folder, arms), by_folder.scope, first.task)


def _arm(first: Stated, by_folder: Place, arms: Arms) -> Arm:
    harness = first.agent or by_folder.harness
    model_slug = first.model_slug or slug(first.model, harness) or by_folder.model
    return find_arm(arms, by_folder.scope, harness, model_slug, first.skill or by_folder.skill)


def _records(root: Path, subject: Subject, files: list[Loaded]) -> Iterator[Attempt | Evaluation]:
    origins = {file.path.name: Origin(relative_ref(root, file.path)) for file in files}
    first = files[0].record
    if isinstance(first, Metrics | HandMade):
        yield attempt_in(first, origins["metrics.json"], subject.arm, subject.scope)
    else:
        origin = next(iter(origins.values()))
        yield Attempt(origin, subject.arm, subject.scope, subject.task, began=SNAPSHOT)
    if isinstance(first, Metrics) and first.evaluation:
        yield _evaluation(subject, origins["metrics.json"], first.evaluation, "eval.json")
    for file in files:
        if isinstance(file.record, Judged):
            yield _evaluation(subject, origins[file.path.name], file.record, file.path.name)


def _evaluation(subject: Subject, origin: Origin, judged: Judged, table: str) -> Evaluation:
    judge = judged.judge
    return Evaluation(
        origin,
        subject.arm,
        subject.scope,
        subject.task,
        when=exactly(judge.evaluated_at if judge else None),
        judge=judge.model if judge else None,
        scores=scores_in(judged.scores),
        task_score=judged.task_score,
        table=table,
    )


def scores_in(scores: Scores | None) -> dict[str, Score]:
    """Totals and criteria by artifact; an artifact that is there as null was scored, and its total is missing."""
    found: dict[str, Score] = {}
    for artifact, scored in (scores or {}).items():
        criteria: dict[str, Decimal] = {what: getattr(scored, what) for what in CRITERIA} if scored else {}
        found[artifact] = Score(scored.total if scored else None, without_nulls(criteria))
    return found

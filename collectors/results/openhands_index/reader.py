"""Files of the OpenHands Index in, records out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collectors import Unit
from collectors.reading import relative_ref, spelled
from collectors.results.openhands_index.records import (
    DATASETS,
    Arm,
    Attempt,
    Metadata,
    Printed,
    Record,
    Row,
    Score,
    Submission,
)
from collectors.results.theirs import Faults
from models.errors import UnreadableRecord

expects = "folders results/<model>/ or alternative_agents/<agent>/<model>/ with metadata.json and scores.json"

HARNESSES = {
    "openhands_subagents": "openhands-subagents",
    "acp-claude": "claude-code",
    "acp-codex": "codex",
    "acp-gemini": "gemini-cli",
}
"""Our names of the folders under alternative_agents/; another folder's name is its harness."""
NUMBERS = {"score", "cost_per_instance", "average_runtime", "component_scores"}
"""What an entry of scores.json may say wrongly without losing the rest of it."""


def units(root: Path) -> list[Unit]:
    """One unit an arm's folder: its metadata, its scores and its rows are read together."""
    folders = {path.parent for path in (*root.rglob("scores.json"), *root.rglob("instance_results"))}
    folders |= {path.parent for path in root.rglob("metadata.json") if _place(path.parent)}
    return [Unit(folder.relative_to(root).as_posix(), _files(folder)) for folder in sorted(folders)]


def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted((*folder.glob("*.json"), *folder.glob("instance_results/*.json"))))


def _place(folder: Path) -> tuple[str, str] | None:
    """The source's name of the folder's agent, and our harness; None for a folder in neither place."""
    *_, grandparent, parent, _ = ("", "", *map(spelled, folder.resolve().parts))
    if parent == "results":
        return parent, "openhands"
    return (parent, HARNESSES.get(parent, parent)) if grandparent == "alternative_agents" else None


def read(root: Path, unit: Unit) -> Iterator[Record | UnreadableRecord]:
    """The records of one arm. Without its metadata no LLM is known, and every file of it is set aside.

    What is wrong with metadata.json is told of a file beside it: no fact is read from metadata.json alone, so nothing
    would ever show that it was put right.
    """
    folder = root / unit.key
    arm, problems = _arm(folder, unit.files)
    files = {path: Faults(path) for path in unit.files if path.name != "metadata.json" or len(unit.files) == 1}
    for faults in list(files.values())[: 1 if arm else None]:
        for problem in problems:
            faults.add(0, problem)
    if arm:
        yield from _records(root, folder, arm, files)
    for faults in files.values():
        yield from faults.records()


def _arm(folder: Path, files: tuple[Path, ...]) -> tuple[Arm | None, list[str]]:
    """The arm, if it can be named, and what is wrong with its metadata."""
    place, path = _place(folder), folder / "metadata.json"
    if place is None:
        return None, [f"expected {expects}"]
    if path not in files:
        return None, ["no metadata.json beside it, so its LLM is unknown; nothing of it was read"]
    faults = Faults(path)
    raw = faults.load(dict)
    metadata = None if raw is None else faults.parse(Metadata, raw, may_lack={"agent_version"})
    problems = [f"metadata.json beside it: {fault.reason}" for fault in faults.records()]
    if metadata is None:
        return None, problems
    agent, harness = place
    has_rows = any(file.parent != folder for file in files)
    return Arm(f"{agent}/{spelled(folder.name)}", harness, agent.startswith("acp-"), metadata, has_rows), problems


def _records(root: Path, folder: Path, arm: Arm, files: dict[Path, Faults]) -> Iterator[Record]:
    scores: dict[str, Score] = {}
    for printed in _printed(root, arm, files.get(folder / "scores.json")):
        scores[printed.score.benchmark] = printed.score
        yield printed
    for path, faults in files.items():
        if path.parent != folder:
            yield from _attempts(root, Submission(arm, path.stem, scores.get(path.stem)), faults)
        elif path.name not in ("metadata.json", "scores.json"):
            faults.add(0, "unknown file; an arm has metadata.json, scores.json and instance_results/")


def _printed(root: Path, arm: Arm, faults: Faults | None) -> Iterator[Printed]:
    if faults is None:
        return
    seen, ref = set[str](), relative_ref(root, faults.path)
    for offset, raw in enumerate(faults.load(list) or ()):
        score = faults.parse(Score, raw, offset, may_lack=NUMBERS)
        if score and score.benchmark in seen:
            faults.add(offset, f"a second entry for {score.benchmark!r}; the first was read")
        elif score:
            seen.add(score.benchmark)
            yield Printed(Submission(arm, score.benchmark, score), score, ref, offset)


def _attempts(root: Path, submission: Submission, faults: Faults) -> Iterator[Attempt]:
    if submission.benchmark not in DATASETS:
        faults.add(0, f"unknown benchmark {submission.benchmark!r}; rows are read of {', '.join(DATASETS)}")
        return
    ref = relative_ref(root, faults.path)
    for offset, (instance_id, raw) in enumerate((faults.load(dict) or {}).items()):
        row = faults.parse(Row, raw, offset, of=instance_id, may_lack={"cost"})
        if not instance_id:
            faults.add(offset, "a row without an instance id")
        elif row:
            yield Attempt(submission, instance_id, row, ref, offset)

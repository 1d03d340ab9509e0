"""Files of the OpenHands Index in, records out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collectors import Unit
from collectors.reading import relative_ref
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
    *_, grandparent, parent, _ = ("", "", *folder.resolve().parts)
    if parent == "results":
        return parent, "openhands"
    return (parent, HARNESSES.get(parent, parent)) if grandparent == "alternative_agents" else None


def read(root: Path, unit: Unit) -> Iterator[Record | UnreadableRecord]:
    """The records of one arm. Without its metadata no LLM is known, and every file of it is set aside."""
    folder = root / unit.key
    arm, not_read = _arm(folder, unit.files)
    yield from not_read
    if arm is None:
        return
    scores: dict[str, Score] = {}
    for record in _printed(root, arm, folder / "scores.json"):
        if isinstance(record, Printed):
            scores[record.score.benchmark] = record.score
        yield record
    for path in unit.files:
        if path.parent != folder:
            yield from _attempts(root, Submission(arm, path.stem, scores.get(path.stem)), path)
        elif path.name not in ("metadata.json", "scores.json"):
            yield UnreadableRecord(path, "unknown file; an arm has metadata.json, scores.json and instance_results/")


def _arm(folder: Path, files: tuple[Path, ...]) -> tuple[Arm | None, list[UnreadableRecord]]:
    place = _place(folder)
    if place is None:
        return None, [UnreadableRecord(path, f"expected {expects}") for path in files]
    metadata, faults = _metadata(folder / "metadata.json")
    if metadata is None:
        others = [path for path in files if path.name != "metadata.json"]
        reason = "no metadata.json beside it that can be read, so its LLM is unknown; nothing of it was read"
        return None, [*faults, *(UnreadableRecord(path, reason) for path in others)]
    agent, harness = place
    has_rows = any(path.parent != folder for path in files)
    return Arm(f"{agent}/{folder.name}", harness, agent.startswith("acp-"), metadata, has_rows), faults


def _metadata(path: Path) -> tuple[Metadata | None, list[UnreadableRecord]]:
    if not path.exists():
        return None, []
    faults = Faults(path)
    raw = faults.load(dict)
    metadata = None if raw is None else faults.parse(Metadata, raw, may_lack={"agent_version"})
    return metadata, faults.records()


def _printed(root: Path, arm: Arm, path: Path) -> Iterator[Printed | UnreadableRecord]:
    if not path.exists():
        return
    faults, seen = Faults(path), set[str]()
    for offset, raw in enumerate(faults.load(list) or ()):
        score = faults.parse(Score, raw, offset, may_lack=NUMBERS)
        if score and score.benchmark in seen:
            faults.add(offset, f"a second entry for {score.benchmark!r}; the first was read")
        elif score:
            seen.add(score.benchmark)
            yield Printed(Submission(arm, score.benchmark, score), score, relative_ref(root, path), offset)
    yield from faults.records()


def _attempts(root: Path, submission: Submission, path: Path) -> Iterator[Attempt | UnreadableRecord]:
    if submission.benchmark not in DATASETS:
        yield UnreadableRecord(path, f"unknown benchmark {path.stem!r}; rows are read of {', '.join(DATASETS)}")
        return
    faults, ref = Faults(path), relative_ref(root, path)
    for offset, (instance_id, raw) in enumerate((faults.load(dict) or {}).items()):
        row = faults.parse(Row, raw, offset, of=instance_id, may_lack={"cost"})
        if not instance_id:
            faults.add(offset, "a row without an instance id")
        elif row:
            yield Attempt(submission, instance_id, row, ref, offset)
    yield from faults.records()

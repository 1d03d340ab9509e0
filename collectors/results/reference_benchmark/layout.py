"""Where things stand in a results tree, and what its folder names say about a task folder.

<scope>/<task>/<model>                        judge-gpt.json
<model>/<scope>/<task>
<model>/<harness>/<scope>/<task>              the harness with its skill as a suffix, or without one
<model>/<harness>/<skill>/<scope>/<task>

all below `swe-benchmark-data`, or else below the folder that is collected. run-summary.json is one level up.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collectors import Unit
from collectors.reading import spelled
from collectors.results.reference_benchmark.arms import TABLE, table_beside

expects = "attempts.csv and the CSVs beside it, or a results tree with metrics.json, eval.json or run-summary.json"

TREE = "swe-benchmark-data"
LEFT_OUT = "do-not-include"
"""Where the source keeps results that it does not stand by."""

ARM_CSVS = ("attempts.csv", "arm_rollups.csv", "published_tables.csv")
"""Those that name arms, and are read with the declared table that lies beside them."""
CSVS = (*ARM_CSVS, "throughput.csv", "rates.csv")
SUMMARY = "run-summary.json"
TASK_FILES = ("metrics.json", "eval.json", "judge-gpt.json")
"""Whose identity counts first."""
OURS = {*CSVS, SUMMARY, *TASK_FILES}
HARMLESS = (TABLE, "MANIFEST.csv")

_SUFFIXED = re.compile(r"(?P<harness>.+)-(?P<skill>swe\d*)")


def units(root: Path) -> list[Unit]:
    """Every CSV, every roll-up, every task folder, and every other JSON or CSV among them, which nobody here reads."""
    return [unit for folder, names in _folders(root) for unit in _units(root, folder, names)]


def _folders(root: Path) -> Iterator[tuple[Path, set[str]]]:
    if root.is_file():
        yield root.parent, {root.name}
        return
    for folder, below, names in os.walk(root, onerror=_refuse):
        below[:] = [name for name in below if not name.startswith(".")]
        # A folder that is named like a file of ours is told to be none when it is read.
        yield Path(folder), {*names, *(set(below) & OURS)}


def _refuse(error: OSError) -> None:
    raise error


def _units(root: Path, folder: Path, names: set[str]) -> Iterator[Unit]:
    base = root.parent if root.is_file() else root
    task_files = [name for name in TASK_FILES if name in names]
    known = [name for name in (*CSVS, SUMMARY) if name in names]
    if task_files:
        yield Unit(f"{folder.relative_to(base).as_posix()}/", tuple(folder / name for name in task_files))
    is_ours = known or task_files or TREE in folder.absolute().parts
    strangers = names - {*OURS, *HARMLESS} if is_ours else ()
    for name in (*known, *sorted(name for name in strangers if name.endswith((".json", ".csv")))):
        table = table_beside(folder) if name in ARM_CSVS else None
        yield Unit((folder / name).relative_to(base).as_posix(), (folder / name, *([table] if table else [])))


@dataclass(frozen=True)
class Place:
    """What the folder names say."""

    scope: str
    model: str
    harness: str | None = None
    skill: str | None = None


def below_tree(root: Path, folder: Path) -> tuple[str, ...]:
    """The folder's names below the tree's top."""
    parts = folder.absolute().parts
    if TREE in parts:
        below = parts[len(parts) - parts[::-1].index(TREE) :]
    else:
        below = folder.relative_to(root.parent if root.is_file() else root).parts
    return tuple(map(spelled, below))


def place(names: tuple[str, ...], is_task_second: bool) -> Place | None:
    """What a task folder's names say; None where they are not 3 to 5."""
    match names:
        case (scope, _, model) if is_task_second:
            return Place(scope, model)
        case (model, scope, _):
            return Place(scope, model)
        case (model, harness, scope, _):
            suffixed = _SUFFIXED.fullmatch(harness)
            return Place(scope, model, **suffixed.groupdict()) if suffixed else Place(scope, model, harness)
        case (model, harness, skill, scope, _):
            return Place(scope, model, harness, skill)
    return None

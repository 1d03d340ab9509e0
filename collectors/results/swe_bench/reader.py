"""SWE-bench result files in, records out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from collectors import Unit
from collectors.reading import relative_ref, spelled
from collectors.results.swe_bench.declared import FILE, Declared, read_declared
from collectors.results.swe_bench.records import Attempt, Batch, Printed, Record, Report, Row
from collectors.results.swe_bench.report import LISTS, contradictions, names_tasks, states
from collectors.results.theirs import Faults
from models.errors import UnreadableRecord
from models.vocabulary import GradeStatus

expects = f"evaluation reports or per-instance results (*.json), with {FILE} beside them"

REPORT_FIELDS = {f"{which}_{kind}" for which in ("total", *LISTS) for kind in ("instances", "ids")}
SCHEMAS = (None, 1, 2)
NOT_DECLARED = (
    f"no {FILE} beside it says which dataset it is of and when it was run; "
    "write one with the lines `dataset: swe-bench-verified` and `date: 2026-06-01`"
)


def units(root: Path) -> list[Unit]:
    """One unit a folder of result files. The evaluation's own logs/ are not results."""
    if root.is_file():
        return [_unit(root.parent, root.parent, [root])] if root.suffix == ".json" else []
    found = [path for path in root.rglob("*.json") if "logs" not in path.relative_to(root).parts]
    folders = sorted({path.parent for path in found})
    return [_unit(root, folder, [path for path in found if path.parent == folder]) for folder in folders]


def _unit(root: Path, folder: Path, results: list[Path]) -> Unit:
    declaration = folder / FILE
    files = [*sorted(results), *([declaration] if os.path.lexists(declaration) else [])]
    return Unit(folder.relative_to(root).as_posix(), tuple(files))


def read(root: Path, unit: Unit) -> Iterator[Record | UnreadableRecord]:
    """The records of one folder. Without its declaration no dataset and no time is known: all of it is set aside.

    What is wrong with arm.yaml is told of the files beside it: no fact is read from arm.yaml alone, so nothing would
    ever show that it was put right.
    """
    declared = _declared(unit)
    for path in unit.files:
        if path.name == FILE:
            continue
        if isinstance(declared, str):
            yield UnreadableRecord(path, declared)
            continue
        faults = Faults(path)
        yield from _file(declared, path, relative_ref(root, path), faults)
        yield from faults.records()


def _declared(unit: Unit) -> Declared | str:
    """The declaration, or why there is none."""
    if unit.files[-1].name != FILE:
        return NOT_DECLARED
    try:
        return read_declared(unit.files[-1])
    except UnreadableRecord as unreadable:
        return f"{FILE} beside it: {unreadable.reason}"


def _file(declared: Declared, path: Path, ref: str, faults: Faults) -> Iterator[Record]:
    raw = faults.load(dict)
    if raw is None:
        return
    if REPORT_FIELDS & raw.keys():
        yield from _report(declared, path, ref, raw, faults)
    elif _is_per_instance(raw):
        yield from _rows(declared, ref, raw, faults)
    else:
        faults.add(0, "expected an evaluation report, or {model: {instance_id: {resolved, cost, api_calls}}}")


def _is_per_instance(raw: dict[str, Any]) -> bool:
    rows = [row for rows in raw.values() if isinstance(rows, dict) for row in rows.values()]
    return any(isinstance(row, dict) and "resolved" in row for row in rows)


def _report(declared: Declared, path: Path, ref: str, raw: dict[str, Any], faults: Faults) -> Iterator[Record]:
    model, _, run_id = spelled(path.stem).rpartition(".")
    report = faults.parse(Report, raw, may_lack={"run_cost_usd"})
    if report is None:
        return
    if not (model or declared.llm):
        faults.add(0, f"names no LLM: expected <model>.<run_id>.json, or `llm` in {FILE}")
        return
    wrong = _why_no_attempts(declared, report)
    batch = Batch(declared, model or spelled(path.stem), ref, has_amount=report.run_cost_usd is not None)
    yield Printed(batch, run_id, report, has_attempts=not wrong)
    if wrong:
        faults.add(0, f"{wrong}; its counts are kept as claims, its attempts are not")
        return
    for task_id, status in states(report, declared.tasks).items():
        yield Attempt(batch, task_id, status)


def _why_no_attempts(declared: Declared, report: Report) -> str:
    if report.schema_version not in SCHEMAS:
        return f"unknown schema_version, expected one of {SCHEMAS[1:]}"
    if not names_tasks(report):
        return "names no task: counts without lists of ids"
    return "; ".join(contradictions(report, declared.tasks))


def _rows(declared: Declared, ref: str, raw: dict[str, Any], faults: Faults) -> Iterator[Record]:
    if declared.llm and len(raw) > 1:
        faults.add(0, f"{FILE} names one LLM, the file has {len(raw)}")
        return
    offset = 0
    for model, rows in raw.items():
        batch = Batch(declared, model, ref)
        if not model or not isinstance(rows, dict):
            faults.add(offset, f"{model}: expected a model's name and an object of its rows")
            continue
        yield from _model(batch, rows, offset, faults)
        yield from _not_submitted(batch, rows)
        offset += len(rows)


def _model(batch: Batch, rows: dict[str, Any], first: int, faults: Faults) -> Iterator[Attempt]:
    tasks = batch.declared.tasks
    for offset, (task_id, raw) in enumerate(rows.items(), first):
        row = faults.parse(Row, raw, offset, of=f"{batch.model} {task_id}", may_lack={"cost", "api_calls"})
        if not task_id or (tasks is not None and task_id not in tasks):
            faults.add(offset, f"{batch.model} {task_id}: none of the tasks in {FILE}")
        elif row:
            yield Attempt(batch, task_id, _status(row), row.cost, row.api_calls, offset)


def _not_submitted(batch: Batch, rows: dict[str, Any]) -> Iterator[Attempt]:
    missing = (task_id for task_id in batch.declared.tasks or () if task_id not in rows)
    return (Attempt(batch, task_id, "not_submitted") for task_id in missing)


def _status(row: Row) -> GradeStatus:
    if row.resolved is None:
        return "ungraded"
    return "resolved" if row.resolved else "unresolved"

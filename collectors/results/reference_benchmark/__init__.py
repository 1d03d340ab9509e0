"""The reference benchmark: arms judged by an LLM on design documents and patches, as result folders and as CSVs.

origin         where and when a fact was read
arms           whose attempt it was; the declared table serving_paths.csv
csv_file       strict CSV
rollup_csv     attempts.csv and arm_rollups.csv
sweeps_csv     throughput.csv
rates_csv      rates.csv
printed_csv    published_tables.csv
layout         the results tree and its eras
shapes         the source's JSON
metrics_json   metrics.json
folders        one task folder
summaries      run-summary.json
attempts       attempts to events
judged         evaluations to events
claims         printed numbers to events
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from collectors import Unit
from collectors.reading import relative_ref
from collectors.results.reference_benchmark.arms import TABLE, Arms, read_arms, shipped_arms
from collectors.results.reference_benchmark.attempts import Attempt, attempt_events
from collectors.results.reference_benchmark.folders import read_folder
from collectors.results.reference_benchmark.judged import Evaluation, beyond_scale, evaluation_events
from collectors.results.reference_benchmark.layout import TASK_FILES, expects, units
from collectors.results.reference_benchmark.origin import name, version
from collectors.results.reference_benchmark.printed_csv import Printed, printed_events, read_printed
from collectors.results.reference_benchmark.rates_csv import Rate, rate_events, read_rates
from collectors.results.reference_benchmark.rollup_csv import Rollup, read_attempts, read_rollups, rollup_events
from collectors.results.reference_benchmark.summaries import read_summary
from collectors.results.reference_benchmark.sweeps_csv import Level, level_events, read_levels
from models import Event
from models.errors import UnreadableRecord

__all__ = ["decide", "expects", "name", "read", "units", "version"]

Record = Attempt | Evaluation | Rollup | Level | Rate | Printed

WITH_ARMS: dict[str, Callable[[Path, str, Arms], Iterator[Record | UnreadableRecord]]] = {
    "attempts.csv": read_attempts,
    "arm_rollups.csv": read_rollups,
    "published_tables.csv": read_printed,
}


def read(root: Path, unit: Unit) -> Iterator[Record | UnreadableRecord]:
    """The records of one unit, and after an evaluation what its scale does not have of it.

    Raises UnreadableRecord where the whole unit, or the declared table, is unreadable.

    What is wrong with the table is told of the file that needs it: no fact is read from the table alone, so nothing
    would ever show that it was put right.
    """
    for record in _read(root, unit):
        yield record
        if isinstance(record, Evaluation) and (wrong := beyond_scale(record)):
            path = next(path for path in unit.files if relative_ref(root, path) == record.source_ref)
            yield UnreadableRecord(path, "; ".join(wrong), record.source_offset or 0)


def _read(root: Path, unit: Unit) -> Iterator[Record | UnreadableRecord]:
    first, *tables = unit.files
    ref = relative_ref(root, first)
    match first.name:
        case "throughput.csv":
            yield from read_levels(first, ref)
        case "rates.csv":
            yield from read_rates(first, ref)
        case csv if csv in WITH_ARMS:
            yield from WITH_ARMS[csv](first, ref, _arms(first, tables))
        case "run-summary.json":
            yield from read_summary(root, first, shipped_arms())
        case json if json in TASK_FILES:
            yield from read_folder(root, unit, shipped_arms())
        case _:
            yield UnreadableRecord(first, "not a file that this collector knows")


def _arms(first: Path, tables: list[Path]) -> Arms:
    try:
        return read_arms(*tables) if tables else shipped_arms()
    except UnreadableRecord as unreadable:
        at = f"line {unreadable.offset}: " if unreadable.offset else ""
        raise UnreadableRecord(first, f"{TABLE} beside it: {at}{unreadable.reason}; nothing of it was read") from None


def decide(records: Iterable[Record]) -> list[Event]:
    return [event for record in records for event in _events(record)]


def _events(record: Record) -> list[Event]:
    match record:
        case Attempt():
            return attempt_events(record)
        case Evaluation():
            return evaluation_events(record)
        case Rollup():
            return rollup_events(record)
        case Level():
            return level_events(record)
        case Rate():
            return rate_events(record)
        case Printed():
            return printed_events(record)

"""published_tables.csv: one row a line of a table that the authors printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collectors.results.reference_benchmark.arms import Arm, Arms, find_arm
from collectors.results.reference_benchmark.claims import claim
from collectors.results.reference_benchmark.csv_file import Amount, Number, Row, Whole, read_rows
from collectors.results.reference_benchmark.origin import SNAPSHOT, FromOrigin, Origin
from models import Event
from models.errors import UnreadableRecord
from models.vocabulary import UNSTATED

_OLDER = re.compile(r"\((before [^)]*)\)$")


class PrintedRow(Row):
    table: str
    scope: str
    harness: str
    skill: str | None
    model: str
    cost_basis: str | None
    mean_score: Number | None
    tasks_scored: Whole | None
    tasks_total: Whole | None
    input_tokens: Whole | None
    output_tokens: Whole | None
    cache_read_tokens: Whole | None
    cache_write_tokens: Whole | None
    tokens_processed: Whole | None
    tokens_processed_millions: Amount | None
    wall_minutes: Amount | None
    run_cost_usd: Amount | None
    cost_per_task_usd: Amount | None
    cost_per_point_usd: Amount | None
    source_path: str | None
    source_commit: str | None

    @property
    def key(self) -> tuple[str | None, ...]:
        return self.table, self.scope, self.harness, self.skill, self.model


METRICS = tuple(PrintedRow.model_fields)[6:-2]
AMOUNTS = frozenset({"run_cost_usd", "cost_per_task_usd", "cost_per_point_usd"})


@dataclass(frozen=True)
class Printed(FromOrigin):
    origin: Origin
    arm: Arm
    row: PrintedRow


def read_printed(path: Path, ref: str, arms: Arms) -> Iterator[Printed | UnreadableRecord]:
    for line in read_rows(path, PrintedRow, lambda row: row.key):
        if isinstance(line, UnreadableRecord):
            yield line
        else:
            number, row = line
            yield Printed(Origin(ref, number), find_arm(arms, row.scope, row.harness, row.model, row.skill), row)


def era(table: str) -> str | None:
    """The older method that a print is of; None where it is the newest read."""
    older = _OLDER.search(table)
    return older.group(1) if older else None


def printed_events(printed: Printed) -> list[Event]:
    row, arm = printed.row, printed.arm
    return [
        claim(
            printed.origin,
            SNAPSHOT,
            metric,
            value,
            **arm.resolved,
            table_name=row.table,
            era=era(row.table),
            scope="arm",
            dataset=row.scope,
            dataset_version=UNSTATED,
            split=UNSTATED,
            source_arm=arm.words,
            note=row.cost_basis if metric in AMOUNTS else None,
        )
        for metric in METRICS
        if (value := getattr(row, metric)) is not None
    ]

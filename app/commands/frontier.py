"""The frontier in the terminal: the finding first, then who stands where and what is not known."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app import formats, words
from app.terminal import bold, table

if TYPE_CHECKING:
    import duckdb

DATASET, BASIS = "swe-bench-verified", "client_estimate"
_WIDTH = 80

_SQL = f"""
select arm_label, status, reason, solved, attempts, quality, quality_low, quality_high, cost_status,
    cost_per_task_usd, cost_per_task_low_usd, dominated_by_arm_label, tasks_attempted, tasks_total
from marts.frontier_points
where dataset = '{DATASET}' and cost_basis = '{BASIS}' and quality_metric = 'solve_rate' and axis = 'cost'
order by status <> 'on_frontier', cost_per_task_usd nulls last, cost_per_task_low_usd nulls last, quality desc,
    arm_label
"""

Row = dict[str, Any]


def frontier_rows(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Every arm of the demo's dataset: on the frontier first, from the cheapest."""
    result = connection.execute(_SQL)
    columns = [column[0] for column in result.description or []]
    return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]


def frontier_text(rows: Sequence[Row]) -> str:
    """The frontier for a person, 80 columns wide."""
    on = [row for row in rows if row["status"] == "on_frontier"]
    parts = [bold(_wrapped(_finding(rows, on))), "", _table(on), ""]
    return "\n".join([*parts, *map(_wrapped, _remarks(rows))])


def _finding(rows: Sequence[Row], on: Sequence[Row]) -> str:
    tasks = max((row["tasks_total"] or 0 for row in rows), default=0)
    place = f"{formats.count(tasks)} tasks of {words.name(DATASET)}"
    verb = "is" if len(on) == 1 else "are"
    return words.sentence(
        f"{words.number(len(on))} of {words.arms(len(rows))} {verb} on the cost frontier over {place}"
    )


def _table(on: Sequence[Row]) -> str:
    names = ["arm", "solved", "95% interval", "per task"]
    rows = [
        [
            row["arm_label"],
            formats.solved(row["solved"], row["attempts"]),
            formats.interval(row["quality_low"], row["quality_high"]),
            formats.cost(row["cost_per_task_usd"], row["cost_per_task_low_usd"]),
        ]
        for row in on
    ]
    return table(names, rows)


def _remarks(rows: Sequence[Row]) -> list[str]:
    known = [row for row in rows if row["cost_status"] == "known"]
    bounds = [row for row in rows if row["cost_status"] == "lower_bound"]
    unknown = [row for row in rows if row["cost_status"] == "unknown"]
    beaten = sum(row["status"] == "dominated" for row in known)
    return [
        f"Cost: what each harness computed itself ({words.name(BASIS)}), not an invoice; failures are paid for too.",
        f"Known in full for {words.arms(len(known))}, of which {beaten} cost more and solve no more than one above.",
        *_named("Only a lower bound is known for", bounds, "undecided"),
        *_named("Unknown, so neither on the frontier nor beaten, for", unknown, "not_comparable"),
    ]


def _named(text: str, rows: Sequence[Row], status: str) -> list[str]:
    """How many arms, and the names of those that have this status."""
    if not rows:
        return []
    named = [f"{row['arm_label']} ({_cost_and_quality(row)})" for row in rows if row["status"] == status]
    return [f"{text} {words.arms(len(rows))}{f'; {words.name(status)}: ' if named else ''}{', '.join(named)}."]


def _cost_and_quality(row: Row) -> str:
    return f"{formats.solved(row['solved'], row['attempts'])}, {formats.cost(None, row['cost_per_task_low_usd'])}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)

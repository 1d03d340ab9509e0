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
    beaten = sum(row["status"] == "dominated" for row in known)
    return [
        f"Cost is what each harness computed itself ({words.name(BASIS)}), not an invoice; failed attempts are in it.",
        f"Known in full for {words.arms(len(known))}; {words.number(beaten)} of them are beaten: an arm above solves as"
        " many for less.",
        *_bounds([row for row in rows if row["cost_status"] == "lower_bound"]),
        *_unknown([row for row in rows if row["cost_status"] == "unknown"]),
    ]


def _bounds(rows: Sequence[Row]) -> list[str]:
    beaten, undecided = (sum(row["status"] == status for row in rows) for status in ("dominated", "undecided"))
    parts = [f"{words.number(beaten)} beaten even at that"] if beaten else []
    parts += [f"{words.number(undecided)} undecided{_named(rows, 'undecided')}"] if undecided else []
    return [f"A lower bound for {words.arms(len(rows))}: {', '.join(parts)}."] if parts else []


def _unknown(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    return [f"Unknown for {words.arms(len(rows))}, neither on the frontier nor beaten{_named(rows, 'not_comparable')}."]


def _named(rows: Sequence[Row], status: str) -> str:
    """The arms of this status by name, each with its n."""
    named = [
        f"{row['arm_label']} ({formats.solved(row['solved'], row['attempts'])})"
        for row in rows
        if row["status"] == status
    ]
    return f": {words.listed(named)}" if named else ""


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)

"""A tiny dbt project of two marts, its events, and a stand-in for dbt that makes the same marts in no time."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from models import CostReported, RunStarted

PROJECT = Path(__file__).resolve().parent.parent / "warehouse" / "project"
FIRST_DAY, SECOND_DAY = datetime(2026, 6, 1, 9, tzinfo=UTC), datetime(2026, 6, 2, 9, tzinfo=UTC)
STAMP: dict[str, Any] = {
    "occurred_at": datetime(2026, 5, 1, tzinfo=UTC),
    "producer": "tiny/1",
    "source_ref": "tiny.json",
}


def attempt(run_id: str) -> RunStarted:
    return RunStarted(
        **STAMP, run_id=run_id, kind="attempt", source="tiny", harness="h", llm="l", task_id=f"t-{run_id}"
    )


def cost(run_id: str, amount: str) -> CostReported:
    return CostReported(
        **STAMP,
        subject_kind="run",
        subject_id=run_id,
        source="run_report",
        cost_basis="client_estimate",
        amount=Decimal(amount),
    )


def fake_dbt(
    project: Path,
    target: Path,
    folder: Path,
    database: str,
    as_of: datetime | None,
    on_step: Callable[[int, int], None],
) -> None:
    """What dbt_runner.run does, for the tiny project only."""
    with duckdb.connect(str(folder / database)) as connection:
        connection.execute("create schema marts")
        for number, path in enumerate(sorted((project / "models" / "marts").glob("*.sql")), start=1):
            on_step(number, 2)
            sql = path.read_text().replace("{{ source('events', '", "events.").replace("') }}", "")
            sql = sql.replace('{{ env_var("METERHOUSE_AS_OF", "") }}', as_of.date().isoformat() if as_of else "")
            connection.execute(f"create table marts.{path.stem} as {sql}")
    target.mkdir(parents=True, exist_ok=True)
    (target / "manifest.json").write_text(json.dumps({"nodes": {}}))

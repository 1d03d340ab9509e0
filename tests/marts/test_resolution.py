"""Several versions of one fact: a value beats a null, the finer time counts, a conflict keeps the first and says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from worlds import NOON, STAMP, Attempt, cost, stamp

from models import Event, RecordSetAside, RunFinished, RunGraded, RunStarted, TaskDefined

Marts = duckdb.DuckDBPyConnection
EXACT = stamp(occurred_at=datetime(2026, 6, 1, 9, 30, tzinfo=UTC), occurred_at_basis="exact")


def started(run_id: str, stamp: dict[str, Any], **fields: Any) -> RunStarted:
    return RunStarted(
        **stamp, run_id=run_id, kind="attempt", source="w", harness="h", llm="l", dataset="d", task_id=run_id, **fields
    )


def finer_told_twice() -> tuple[list[Event], list[Event]]:
    """The same run from a table with a date and from a file with the moment and one more field."""
    coarse = [started("finer", STAMP, seller="bedrock"), RunFinished(**STAMP, run_id="finer", outcome="completed")]
    fine = [
        started("finer", EXACT, region="us-east-1"),
        RunFinished(**EXACT, run_id="finer", outcome="completed", wall_s=7),
    ]
    return coarse, fine


def conflict_told_twice() -> tuple[list[Event], list[Event]]:
    """Two files that disagree about one cost and one verdict."""
    told: list[list[Event]] = [
        [
            started("disputed", STAMP, declared_cost_basis="client_estimate"),
            cost("disputed", amount),
            RunGraded(**stamp(status=status), run_id="disputed", verifier="v", is_resolved=solved),
        ]
        for amount, solved, status in (("1.00", True, "resolved"), ("2.00", False, "unresolved"))
    ]
    return told[0], told[1]


def revised() -> list[Event]:
    """A later revision of a stated cost is a correction and no conflict."""
    first, second = cost("revised", "3.00", source_revision=1), cost("revised", "4.00", source_revision=2)
    return [started("revised", STAMP, declared_cost_basis="client_estimate"), second, first]


def set_aside(path: str, fingerprint: str) -> RecordSetAside:
    """A record of a file with these bytes that nobody understood."""
    return RecordSetAside(
        **stamp(source_ref=path), collector="w", path=path, reason="not JSON", fingerprint=fingerprint
    )


def task_seen_twice() -> list[Event]:
    return [
        TaskDefined(**stamp(occurred_at=NOON.replace(day=day)), dataset="seen", task_id="t", complexity="low")
        for day in (9, 3, 6)
    ]


@pytest.fixture(scope="module")
def worlds(build_world: Callable[..., Marts]) -> tuple[Marts, Marts]:
    """The same events collected in two orders, one batch after the other."""
    finer, conflict = finer_told_twice(), conflict_told_twice()
    broken = [set_aside("never-read.json", "1"), set_aside("repaired.json", "1"), set_aside("still-broken.json", "1")]
    reread = [started("repaired", stamp(source_ref="repaired.json")), set_aside("still-broken.json", "2")]
    reread.append(started("beside", stamp(source_ref="still-broken.json")))
    one = [*finer[0], *conflict[0], *revised(), *task_seen_twice(), *Attempt("d2", "A", "t").events(), *broken]
    other = [*finer[1], *conflict[1], *reread]
    return build_world(one, other), build_world(other, one)


@pytest.mark.parametrize("order", [0, 1])
def test_a_value_beats_a_null_and_the_finer_time_counts_in_either_order(
    worlds: tuple[Marts, Marts], order: int
) -> None:
    query = "select started_at, started_at_basis, wall_s from marts.fct_runs where run_id = 'finer'"
    assert worlds[order].execute(query).fetchall() == [(EXACT["occurred_at"], "exact", 7.0)]
    conflicts = "select subject from marts.data_quality_findings where check_name = 'conflicting_facts'"
    assert not [subject for (subject,) in worlds[order].execute(conflicts).fetchall() if subject.endswith("finer")]


@pytest.mark.parametrize(("order", "amount", "solved"), [(0, "1.00", True), (1, "2.00", False)])
def test_in_a_true_conflict_the_first_collected_counts_and_both_are_named(
    worlds: tuple[Marts, Marts], order: int, amount: str, solved: bool
) -> None:
    costs = "select amount_usd, status, reason from marts.fct_run_costs where run_id = 'disputed'"
    assert worlds[order].execute(costs).fetchall() == [
        (Decimal(amount), "conflict", "the source states several amounts")
    ]
    grades = "select is_resolved from marts.fct_run_grades where run_id = 'disputed'"
    assert worlds[order].execute(grades).fetchall() == [(solved,)]
    findings = """
        select subject, detail from marts.data_quality_findings where check_name = 'conflicting_facts' order by subject
    """
    assert worlds[order].execute(findings).fetchall() == [
        ("cost_reported disputed", "2 versions differ in amount"),
        ("run_graded disputed", "2 versions differ in is_resolved status"),
    ]


def test_the_highest_revision_of_a_cost_counts_and_is_no_conflict(worlds: tuple[Marts, Marts]) -> None:
    query = "select amount_usd, status from marts.fct_run_costs where run_id = 'revised'"
    assert worlds[0].execute(query).fetchall() == [(Decimal("4.00"), "known")]


def test_a_task_seen_three_times_is_one_revision_with_its_earliest_time(worlds: tuple[Marts, Marts]) -> None:
    query = "select task_id, defined_at from marts.dim_tasks where dataset = 'seen'"
    assert worlds[0].execute(query).fetchall() == [("t", NOON.replace(day=3))]


def test_a_record_is_open_until_a_later_reading_of_its_file_understands_it(worlds: tuple[Marts, Marts]) -> None:
    query = """
        select subject, count(*) from marts.data_quality_findings
        where check_name = 'record_set_aside' group by 1 order by 1
    """
    assert worlds[0].execute(query).fetchall() == [("never-read.json", 1), ("still-broken.json", 1)]


def test_order_of_ingests_changes_nothing_but_the_side_of_a_true_conflict(worlds: tuple[Marts, Marts]) -> None:
    marts = [name for (name,) in worlds[0].execute("select table_name from information_schema.tables").fetchall()]
    for mart in marts:
        columns = [name for name, *_ in worlds[0].execute(f"describe marts.{mart}").fetchall()]
        kept = "where run_id <> 'disputed'" if "run_id" in columns else ""
        query = f"select * from marts.{mart} {kept} order by all"
        touched = mart in ("cost_per_task", "frontier_points", "data_quality_findings", "data_quality", "claim_gaps")
        if not touched:
            assert worlds[0].execute(query).fetchall() == worlds[1].execute(query).fetchall(), mart

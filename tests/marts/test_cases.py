"""Cases of the case book, told as events and asked of the marts. One world, one dataset per case."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import duckdb
import pytest
from worlds import STAMP, Attempt, cost, told

from models import Event, RunExcluded

Marts = duckdb.DuckDBPyConnection


def c01() -> list[Attempt]:
    """System A costs 0.90 a task, B has no price, C costs 0.20."""
    solves, prices = {"A": 6, "B": 5, "C": 4}, {"A": "0.90", "B": None, "C": "0.20"}
    return [Attempt("c01", system, f"t{n}", n < solves[system], prices[system]) for system in "ABC" for n in range(10)]


def c11() -> list[Attempt]:
    """A solves nothing for 3.00, B two of five for 4.00."""
    return [Attempt("c11", "A", f"t{n}", False, "0.60") for n in range(5)] + [
        Attempt("c11", "B", f"t{n}", n < 2, "0.80") for n in range(5)
    ]


def c16() -> list[Attempt]:
    """One trial with its cost, one without tokens or cost; and ten cases of a local LLM that report 0 beside tokens."""
    counts = {"input_tokens": 52_000, "output_tokens": 9_000, "cache_read_tokens": 0, "cache_write_tokens": 0}
    return [
        Attempt("c16", "trials", "a", True, "0.25", tokens=counts),
        Attempt("c16", "trials", "b", True, None),
        Attempt("c16", "local", "a", True, "0", tokens=counts),
        Attempt("c16", "local", "b", True, "0", tokens=counts),
    ]


def c45() -> list[Attempt]:
    """Ten tasks each, at these costs per task and solves out of ten."""
    systems = {
        "A": ("1", 5),
        "B": ("1", 5),
        "C": ("1", 6),
        "D": ("2", 6),
        "E": ("0.5", 3),
        "F": ("0.5", 3),
        "G": ("3", 7),
    }
    return [
        Attempt("c45", name, f"t{n}", n < solves, price) for name, (price, solves) in systems.items() for n in range(10)
    ]


def c18() -> list[Attempt]:
    """Four shared tasks, and two that B was never graded on."""
    a, b = (True, True, False, False, True, True), (True, False, False, False, None, None)
    return [Attempt("c18", "A", f"t{n}", solved, "1") for n, solved in enumerate(a, 1)] + [
        Attempt("c18", "B", f"t{n}", solved, "1") for n, solved in enumerate(b, 1)
    ]


def timeouts() -> list[Attempt]:
    """A timeout is a failure and keeps its spend."""
    return [
        Attempt("timeouts", "A", "t1", True, "1"),
        Attempt("timeouts", "A", "t2", False, "5", outcome="timeout"),
        Attempt("timeouts", "A", "t3", None, "2", outcome="infra_error"),
    ]


def excluded() -> list[Attempt]:
    return [Attempt("excluded", "A", f"t{n}", True, "1") for n in range(3)]


def repeats() -> list[Attempt]:
    return [Attempt("repeats", "A", f"t{n}", (n + k) % 3 > 0, "1", number=k) for n in range(6) for k in (1, 2, 3)]


def batch() -> list[Attempt]:
    return [Attempt("batch", "A", f"t{n}", n < 4, None, started={"batch_id": "b1"}) for n in range(10)]


def decision(attempt: Attempt, day: int, *, is_excluded: bool) -> RunExcluded:
    return RunExcluded(
        **(STAMP | {"occurred_at": STAMP["occurred_at"].replace(day=day)}),
        run_id=attempt.run_id,
        is_excluded=is_excluded,
        reason="infra_error",
        excluded_by="somebody",
    )


@pytest.fixture(scope="module")
def marts(build_world: Callable[[list[Event]], Marts]) -> Marts:
    """Every case in one warehouse."""
    cases = [*c01(), *c11(), *c16(), *c18(), *c45(), *timeouts(), *excluded(), *repeats(), *batch()]
    first, second, _ = excluded()
    extra: list[Event] = [
        decision(first, 2, is_excluded=True),
        decision(second, 2, is_excluded=True),
        decision(second, 3, is_excluded=False),
        cost("b1", "18", subject_kind="batch"),
    ]
    return build_world([*told(cases), *extra])


def cells(marts: Marts, dataset: str, columns: str) -> dict[str, tuple]:
    found = marts.execute(f"select harness, {columns} from marts.cost_per_task where dataset = '{dataset}'").fetchall()
    return {harness: tuple(rest) for harness, *rest in found}


def test_c01_an_unpriced_llm_is_beside_the_frontier_and_not_free(marts: Marts) -> None:
    assert cells(marts, "c01", "cost_per_task_usd, cost_status") == {
        "A": (Decimal("0.90"), "known"),
        "B": (None, "unknown"),
        "C": (Decimal("0.20"), "known"),
    }
    points = marts.execute("""
        select harness, status, dominated_by_arm_id, reason from marts.frontier_points
        where dataset = 'c01' and cost_basis = 'client_estimate' and axis = 'cost' order by 1
    """).fetchall()
    assert points == [
        ("A", "on_frontier", None, None),
        ("B", "not_comparable", None, "cost unknown: not reported by the source"),
        ("C", "on_frontier", None, None),
    ]


def test_c11_nothing_solved_has_no_cost_per_solved_and_its_spend_is_shown(marts: Marts) -> None:
    assert cells(marts, "c11", "spend_usd, solved, cost_per_solved_usd") == {
        "A": (Decimal("3.00"), 0, None),
        "B": (Decimal("4.00"), 2, Decimal("2.00")),
    }


def test_c16_a_trial_without_data_is_no_free_trial(marts: Marts) -> None:
    columns = "cost_known_attempts, attempts, spend_low_usd, cost_per_task_usd, cost_per_solved_usd, cost_status"
    assert cells(marts, "c16", columns) == {
        "trials": (1, 2, Decimal("0.25"), None, None, "lower_bound"),
        "local": (0, 2, None, None, None, "unknown"),
    }


def test_c16_a_reported_zero_beside_tokens_says_that_it_was_kept_aside(marts: Marts) -> None:
    query = "select distinct reason from marts.fct_run_costs where dataset = 'c16' and stated_amount = 0"
    assert marts.execute(query).fetchall() == [("reported 0 kept aside: tokens were counted",)]


def test_c18_arms_are_compared_on_the_tasks_that_both_were_graded_on(marts: Marts) -> None:
    query = """
        select shared_tasks, only_a_solved, only_b_solved, mcnemar_p, set_aside_tasks, set_aside_task_ids,
               solve_rate_a, solve_rate_b, arm_a_label
        from marts.arm_comparisons where dataset = 'c18'
    """
    [(shared, only_a, only_b, p, aside, aside_ids, rate_a, rate_b, first)] = marts.execute(query).fetchall()
    pair = {"A": (only_a, rate_a), "B": (only_b, rate_b)}
    if not first.startswith("A"):
        pair = {"A": (only_b, rate_b), "B": (only_a, rate_a)}
    assert (shared, p, aside, aside_ids) == (4, 1.0, 2, ["t5", "t6"])
    assert pair == {"A": (1, 0.5), "B": (0, 0.25)}


def test_c45_equal_points_both_stay_and_beaten_ones_leave(marts: Marts) -> None:
    query = """
        select harness from marts.frontier_points
        where dataset = 'c45' and cost_basis = 'client_estimate' and axis = 'cost' and status = 'on_frontier' order by 1
    """
    assert marts.execute(query).fetchall() == [("C",), ("E",), ("F",), ("G",)]


def test_a_timeout_is_a_failure_that_keeps_its_spend_and_a_sandbox_fault_is_ungraded(marts: Marts) -> None:
    columns = "attempts, graded, solved, spend_usd, solve_rate_graded_only, budget_stopped_attempts"
    assert cells(marts, "timeouts", columns) == {"A": (3, 2, 1, Decimal(8), 0.5, 1)}


def test_an_excluded_attempt_leaves_solves_attempts_and_spend_and_can_come_back(marts: Marts) -> None:
    assert cells(marts, "excluded", "attempts, solved, spend_usd, excluded_attempts, excluded_usd") == {
        "A": (2, 2, Decimal(2), 1, Decimal(1))
    }
    query = (
        "select is_excluded_after_grade, count(*) from marts.fct_runs where dataset = 'excluded' group by 1 order by 1"
    )
    assert marts.execute(query).fetchall() == [(False, 2), (True, 1)]


def test_an_arm_short_of_a_task_is_no_longer_placed(marts: Marts) -> None:
    query = "select distinct status, reason from marts.frontier_points where dataset = 'excluded'"
    assert marts.execute(query).fetchall() == [("not_comparable", "covers 2 of 3")]


def test_repeated_attempts_get_an_interval_over_tasks(marts: Marts) -> None:
    columns = "tasks, attempts, solved, interval_method, solve_rate_low < solve_rate, solve_rate_high > solve_rate"
    assert cells(marts, "repeats", columns) == {"A": (6, 18, 12, "cluster_bootstrap", True, True)}


def test_c19_an_amount_for_the_whole_submission_prices_the_arm_and_no_attempt(marts: Marts) -> None:
    columns = "attempts, solved, spend_usd, cost_per_solved_usd, cost_status"
    assert cells(marts, "batch", columns) == {"A": (10, 4, Decimal(18), Decimal("4.5"), "known")}
    query = "select count(amount_usd), min(reason) from marts.fct_run_costs where dataset = 'batch'"
    assert marts.execute(query).fetchall() == [(0, "stated for the whole submission only")]

"""Two arms compared on the tasks that both were graded on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import duckdb
import pytest
from worlds import Attempt

Compute = Callable[[Iterable[Attempt]], duckdb.DuckDBPyConnection]


def arm(name: str, outcomes: Iterable[bool | None], cost_usd: str | None = "1", first: int = 1) -> list[Attempt]:
    """Attempts at t<first>, t<first + 1> …"""
    return [Attempt("d", name, f"t{n}", solved, cost_usd) for n, solved in enumerate(outcomes, first)]


def pair(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    [row] = connection.execute("select * from arm_comparisons").to_arrow_table().to_pylist()
    return row


def discordant(only_a: int, only_b: int, both: int = 0) -> list[Attempt]:
    a = [True] * only_a + [False] * only_b + [True] * both
    b = [False] * only_a + [True] * only_b + [True] * both
    return arm("a", a) + arm("b", b)


def test_c18_two_arms_meet_on_shared_tasks_and_the_others_are_named(compute: Compute) -> None:
    a = arm("a", [True, True, False, False, True, True])
    b = arm("b", [True, False, False, False, None])
    assert pair(compute(a + b)) == {
        "dataset": "d",
        "dataset_version": "unstated",
        "split": "unstated",
        "verifier_id": "tests",
        "verifier": "tests",
        "verifier_version": "unstated",
        "rubric_hash": "unstated",
        "verifier_kind": "tests",
        "arm_a_id": "a",
        "arm_a_label": "a",
        "arm_b_id": "b",
        "arm_b_label": "b",
        "shared_tasks": 4,
        "both_solved": 1,
        "only_a_solved": 1,
        "only_b_solved": 0,
        "neither_solved": 2,
        "set_aside_tasks": 2,
        "set_aside_task_ids": ["t5", "t6"],
        "solve_rate_a": 0.5,
        "solve_rate_b": 0.25,
        "solve_rate_difference": -0.25,
        "mcnemar_p": 1.0,
        "smallest_separable_gap": 1.5,
        "is_separable": False,
        "mean_score_a": None,
        "mean_score_b": None,
        "mean_score_difference": None,
        "cost_basis": "client_estimate",
        "cost_ratio": 1.0,
        "cost_ratio_low": None,
        "cost_ratio_high": None,
        "cost_ratio_reason": None,
        "differing_factors": ["harness"],
        "is_unstated_factor": True,
        "warning": None,
    }


def test_c18_without_shared_tasks_there_are_no_rates_and_a_warning(compute: Compute) -> None:
    row = pair(compute(arm("a", [True, False]) + arm("b", [True, False], first=3)))
    asked = ("shared_tasks", "both_solved", "solve_rate_a", "solve_rate_b", "mcnemar_p", "smallest_separable_gap")
    assert {name: row[name] for name in asked} == dict.fromkeys(asked) | {"shared_tasks": 0}
    assert (row["warning"], row["cost_ratio_reason"]) == ("no shared tasks", "no shared tasks")
    assert row["set_aside_task_ids"] == ["t1", "t2", "t3", "t4"]


def test_c18_a_task_that_has_two_first_attempts_is_set_aside_loudly(compute: Compute) -> None:
    twice = [Attempt("d", "a", "t1", False, "1"), *arm("a", [True, True]), *arm("b", [True, True])]
    row = pair(compute(twice))
    assert (row["shared_tasks"], row["set_aside_task_ids"]) == (1, ["t1"])
    assert row["warning"] == "1 tasks with several first attempts are set aside"


def test_only_first_attempts_are_compared(compute: Compute) -> None:
    retries = [Attempt("d", "b", f"t{n}", True, "9", number=2) for n in (1, 2)]
    row = pair(compute(arm("a", [True, True]) + arm("b", [False, True]) + retries))
    assert (row["only_a_solved"], row["only_b_solved"], row["cost_ratio"]) == (1, 0, 1.0)


@pytest.mark.parametrize(
    ("only_a", "only_b", "gap", "is_separable"),
    [
        (0, 0, 6 / 100, False),
        (5, 0, 6 / 100, False),
        (6, 0, 6 / 100, True),
        (1, 6, 7 / 100, False),
        (10, 2, 8 / 100, True),
        (41, 12, 17 / 100, True),
    ],
)
def test_the_smallest_separable_gap_is_the_least_that_the_discordant_tasks_could_show(
    compute: Compute, only_a: int, only_b: int, gap: float, is_separable: bool
) -> None:
    row = pair(compute(discordant(only_a, only_b, both=100 - only_a - only_b)))
    assert (row["smallest_separable_gap"], row["is_separable"]) == (gap, is_separable)


@pytest.mark.parametrize(
    ("cost_a", "cost_b", "reason"),
    [
        (None, "1", "the cost of a is known for 0 of 2 shared tasks"),
        ("1", None, "the cost of b is known for 0 of 2 shared tasks"),
        ("0", "1", "a cost nothing"),
    ],
)
def test_a_cost_ratio_that_cannot_be_has_its_reason(
    compute: Compute, cost_a: str | None, cost_b: str | None, reason: str
) -> None:
    row = pair(compute(arm("a", [True, True], cost_a) + arm("b", [True, True], cost_b)))
    assert (row["cost_ratio"], row["cost_ratio_low"], row["cost_ratio_reason"]) == (None, None, reason)


def test_an_arm_that_costs_nothing_is_zero_times_the_other(compute: Compute) -> None:
    row = pair(compute(arm("a", [True, True], "1") + arm("b", [True, True], "0")))
    assert (row["cost_ratio"], row["cost_ratio_reason"]) == (0.0, None)


def test_the_order_of_attempts_changes_no_figure(compute: Compute) -> None:
    attempts = [
        Attempt("d", name, f"t{n}", (n * step) % 3 > 0, f"{n * step % 7 + 0.1:.1f}")
        for name, step in (("a", 1), ("b", 2), ("c", 5))
        for n in range(60)
    ]
    shuffled = random.Random(1).sample(attempts, len(attempts))
    one, other = compute(attempts), compute(shuffled)
    for mart in ("arm_comparisons", "int_arm_bootstrap", "int_bootstrap_sums"):
        query = f"select * from {mart} order by all"
        assert one.execute(query).fetchall() == other.execute(query).fetchall()

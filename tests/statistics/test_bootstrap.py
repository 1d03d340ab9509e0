"""The Poisson bootstrap over tasks: its weights, and intervals whose answer is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from decimal import ROUND_FLOOR, Decimal
from math import factorial, sqrt

import duckdb
import pytest
from rendered import Renderer
from worlds import Attempt

Compute = Callable[[Iterable[Attempt]], duckdb.DuckDBPyConnection]
Interval = tuple[float | None, float | None]


def arm(name: str, outcomes: Iterable[bool], costs: Iterable[str | None], repeats: int = 1) -> list[Attempt]:
    return [
        Attempt("d", name, f"t{n}", solved, cost, number=number)
        for n, (solved, cost) in enumerate(zip(outcomes, costs, strict=True))
        for number in range(1, repeats + 1)
    ]


def cost_per_solved(connection: duckdb.DuckDBPyConnection) -> Interval:
    columns = "cost_per_solved_ci_low_usd::double, cost_per_solved_ci_high_usd::double"
    return connection.execute(f"select {columns} from int_arm_bootstrap").fetchone() or (None, None)


def solve_rate(connection: duckdb.DuckDBPyConnection) -> Interval:
    [row] = connection.execute("select solve_rate_low, solve_rate_high from int_arm_bootstrap").fetchall()
    return row


def cost_ratio(connection: duckdb.DuckDBPyConnection) -> tuple[float, float, float]:
    [row] = connection.execute("select cost_ratio, cost_ratio_low, cost_ratio_high from arm_comparisons").fetchall()
    return row


def test_the_bounds_are_the_cumulative_poisson_probabilities_in_hexadecimal(renderer: Renderer) -> None:
    sums = [sum(1 / Decimal(factorial(k)) for k in range(last + 1)) for last in range(10)]
    fractions = [(Decimal(-1).exp() * part * 16**16).to_integral(ROUND_FLOOR) for part in sums]
    assert renderer.text("{{ poisson_bounds() | join(' ') }}").split() == [f"{int(part):016x}" for part in fractions]


def test_a_task_is_drawn_once_on_average_and_left_out_in_one_draw_of_e(compute: Compute) -> None:
    connection = compute(arm("a", [True] * 400, ["1"] * 400))
    query = "select sum(weight), sum(weight * weight), count(*) from int_bootstrap_weights"
    [(weights, squares, drawn)] = connection.execute(query).fetchall()
    [(draws,)] = connection.execute("select count(*) from int_bootstrap_draws").fetchall()
    pairs = draws * 400
    assert weights / pairs == pytest.approx(1, abs=0.01)
    assert squares / pairs == pytest.approx(2, abs=0.03)
    assert 1 - drawn / pairs == pytest.approx(0.3679, abs=0.005)


def test_equal_costs_and_half_the_tasks_solved_give_the_analytic_interval(compute: Compute) -> None:
    low, high = cost_per_solved(compute(arm("a", [n % 2 == 0 for n in range(400)], ["1"] * 400)))
    # 2 dollars a solve; by the delta method a standard error of 2 / sqrt(400).
    assert (low, high) == (pytest.approx(2 - 1.96 * 0.1, abs=0.04), pytest.approx(2 + 1.96 * 0.1, abs=0.04))


def test_the_paired_ratio_has_the_analytic_interval_and_not_that_of_two_unpaired_sums(compute: Compute) -> None:
    noise = random.Random(3)
    costs_a = [noise.lognormvariate(0, 1) for _ in range(400)]
    costs_b = [cost * noise.uniform(1.5, 2.5) for cost in costs_a]
    arms = [arm(name, [True] * 400, [f"{c:.6f}" for c in costs]) for name, costs in (("a", costs_a), ("b", costs_b))]
    ratio, low, high = cost_ratio(compute(arms[0] + arms[1]))
    rests = [b - ratio * a for a, b in zip(costs_a, costs_b, strict=True)]
    error = sqrt(sum(rest * rest for rest in rests)) / sum(costs_a)
    assert ratio == pytest.approx(sum(costs_b) / sum(costs_a), rel=1e-6)
    assert (low, high) == (
        pytest.approx(ratio - 1.96 * error, abs=0.3 * error),
        pytest.approx(ratio + 1.96 * error, abs=0.3 * error),
    )


def test_what_a_pair_sets_aside_moves_neither_its_ratio_nor_its_interval(compute: Compute) -> None:
    costs = [f"{n % 7 + 1}.25" for n in range(40)]
    a = arm("a", [True] * 40, costs)
    b = arm("b", [True] * 40, costs[::-1])
    ungraded = [
        Attempt("d", "b", attempt.task_id, None, "900") if n % 5 == 0 else attempt for n, attempt in enumerate(b)
    ]
    shared = [attempt for attempt in a + b if int(attempt.task_id[1:]) % 5]
    assert cost_ratio(compute(a + ungraded)) == cost_ratio(compute(shared))


def test_repeats_of_one_outcome_are_no_more_certain_than_one_attempt_each(compute: Compute) -> None:
    outcomes = [n % 2 == 0 for n in range(400)]
    low, high = solve_rate(compute(arm("a", outcomes, ["1"] * 400, repeats=3)))
    assert (low, high) == (pytest.approx(0.5 - 1.96 * 0.025, abs=0.01), pytest.approx(0.5 + 1.96 * 0.025, abs=0.01))


@pytest.mark.parametrize("solved", [True, False])
def test_c44_repeats_that_never_differ_are_not_read_as_certainty(compute: Compute, solved: bool) -> None:
    low, high = solve_rate(compute(arm("a", [solved] * 10, ["1"] * 10, repeats=2)))
    assert (low, high) == (pytest.approx((0.72247, 1) if solved else (0, 0.27753), abs=5e-6))


def test_one_attempt_per_task_leaves_the_rate_to_the_wilson_interval(compute: Compute) -> None:
    assert solve_rate(compute(arm("a", [True, False], ["1", "1"]))) == (None, None)


def test_a_single_solve_leaves_the_cost_per_solved_open_above(compute: Compute) -> None:
    low, high = cost_per_solved(compute(arm("a", [n == 0 for n in range(20)], ["1"] * 20)))
    assert low is not None
    assert low < 20
    assert high is None


@pytest.mark.parametrize(
    ("outcomes", "costs"),
    [([False] * 5, ["1"] * 5), ([True] * 5, ["1"] * 5), ([True, False], ["1", None])],
    ids=["nothing solved", "draws that never differ", "a cost unknown"],
)
def test_a_cost_per_solved_that_says_nothing_has_no_interval(
    compute: Compute, outcomes: list[bool], costs: list[str | None]
) -> None:
    assert cost_per_solved(compute(arm("a", outcomes, costs))) == (None, None)

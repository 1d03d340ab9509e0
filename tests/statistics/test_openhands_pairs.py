"""The paired comparisons of the shipped data: 43 arms on the same 500 tasks."""

from __future__ import annotations

from decimal import Decimal

import duckdb
import pytest
from scipy.stats import binomtest

VERIFIED = "dataset = 'swe-bench-verified'"


def compared(marts: duckdb.DuckDBPyConnection, llm: str, columns: str) -> tuple:
    """Claude Code against OpenHands with one LLM; Claude Code is arm a."""
    query = f"""
        select {columns} from marts.arm_comparisons
        where {VERIFIED} and arm_a_label = 'claude-code · {llm}' and arm_b_label = 'openhands · {llm}'
    """
    [row] = marts.execute(query).fetchall()
    return row


def test_every_pair_of_43_arms_is_compared_and_agrees_with_scipy_to_1e12(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = f"select only_a_solved, only_b_solved, mcnemar_p from marts.arm_comparisons where {VERIFIED}"
    pairs = demo_marts.execute(query).fetchall()
    assert len(pairs) == 43 * 42 / 2
    expected = [float(binomtest(a, a + b).pvalue) for a, b, _ in pairs]
    assert [p for *_, p in pairs] == pytest.approx(expected, rel=1e-12, abs=0)


def test_opus_4_7_is_better_under_openhands_and_not_by_chance(demo_marts: duckdb.DuckDBPyConnection) -> None:
    columns = "shared_tasks, only_a_solved, only_b_solved, round(mcnemar_p, 7), smallest_separable_gap, is_separable"
    assert compared(demo_marts, "claude-opus-4-7", columns) == (500, 12, 41, 0.0000817, 17 / 500, True)


def test_sonnet_4_5_is_equal_under_both_and_dearer_under_openhands(demo_marts: duckdb.DuckDBPyConnection) -> None:
    columns = "only_a_solved, only_b_solved, mcnemar_p, is_separable"
    assert compared(demo_marts, "claude-sonnet-4-5", columns) == (32, 31, 1.0, False)
    ratio, low, high = compared(demo_marts, "claude-sonnet-4-5", "cost_ratio, cost_ratio_low, cost_ratio_high")
    assert ratio == pytest.approx(371 * 1.5506 / (372 * 0.9355), abs=1e-4)
    assert 1.4 < low < ratio < high < 1.9


def test_one_unknown_cost_of_500_leaves_the_pair_without_a_ratio(demo_marts: duckdb.DuckDBPyConnection) -> None:
    columns = "cost_basis, cost_ratio, cost_ratio_low, cost_ratio_reason"
    reason = "the cost of claude-code · claude-opus-4-7 is known for 499 of 500 shared tasks"
    assert compared(demo_marts, "claude-opus-4-7", columns) == ("client_estimate", None, None, reason)


def test_378_pairs_of_28_priced_arms_have_a_ratio_inside_its_interval(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = f"""
        select count(cost_ratio), count(*) filter (where cost_ratio between cost_ratio_low and cost_ratio_high)
        from marts.arm_comparisons where {VERIFIED}
    """
    assert demo_marts.execute(query).fetchall() == [(28 * 27 // 2, 28 * 27 // 2)]


def test_opus_4_8_costs_89_cents_a_solve_give_or_take_a_dime(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = f"""
        select cost_per_solved_ci_low_usd, cost_per_solved_usd, cost_per_solved_ci_high_usd
        from marts.cost_per_task where {VERIFIED} and arm_label = 'openhands · claude-opus-4-8' and is_headline
    """
    [(low, point, high)] = demo_marts.execute(query).fetchall()
    assert round(point, 4) == Decimal("0.8852")
    assert Decimal("0.75") < low < point < high < Decimal("1.05")

"""What must hold of the OpenHands Index: 43 real arms on the same 500 real tasks."""

from __future__ import annotations

from decimal import Decimal

import duckdb
import pytest

VERIFIED = "dataset = 'swe-bench-verified'"


def rows(marts: duckdb.DuckDBPyConnection, query: str) -> list[tuple]:
    return marts.execute(query).fetchall()


def rounded(value: Decimal, places: int) -> Decimal:
    return round(value, places)


def test_there_are_43_arms_21500_attempts_and_500_tasks(demo_marts: duckdb.DuckDBPyConnection) -> None:
    counts = f"select count(distinct arm_id), count(*), count(distinct task_id) from marts.fct_runs where {VERIFIED}"
    assert rows(demo_marts, counts) == [(43, 21_500, 500)]


def test_491_tasks_are_solved_by_some_arm_and_107_by_every_arm(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = f"""
        select count(*) filter (where solves >= 1), count(*) filter (where solves = 43)
        from (select task_id, count(*) filter (where is_resolved) as solves from marts.fct_run_grades
              where {VERIFIED} and is_headline group by task_id)
    """
    assert rows(demo_marts, query) == [(491, 107)]


def test_28_arms_have_a_known_cost_13_a_lower_bound_and_2_none(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = (
        f"select cost_status, count(*) from marts.cost_per_task where {VERIFIED} and is_headline group by 1 order by 1"
    )
    assert rows(demo_marts, query) == [("known", 28), ("lower_bound", 13), ("unknown", 2)]


def test_a_lower_bound_counts_every_attempt_and_never_shows_a_point(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = f"""
        select cost_known_attempts, attempts, cost_per_task_usd, cost_per_task_low_usd, cost_per_solved_usd
        from marts.cost_per_task where {VERIFIED} and llm = 'GLM-5'
    """
    [(known, attempts, point, at_least, per_solved)] = rows(demo_marts, query)
    assert (known, attempts, point, rounded(at_least, 4), per_solved) == (405, 500, None, Decimal("1.0423"), None)


@pytest.mark.parametrize(
    ("harness", "llm", "solved", "per_task", "per_solved"),
    [
        ("openhands", "claude-opus-4-8", 419, "0.7418", "0.8852"),
        ("openhands", "claude-sonnet-4-5", 371, None, "1.5506"),
        ("claude-code", "claude-sonnet-4-5", 372, None, "0.9355"),
    ],
)
def test_costs_are_reproduced_to_four_decimals(
    demo_marts: duckdb.DuckDBPyConnection, harness: str, llm: str, solved: int, per_task: str | None, per_solved: str
) -> None:
    query = f"""
        select solved, cost_per_task_usd, cost_per_solved_usd from marts.cost_per_task
        where {VERIFIED} and is_headline and harness = '{harness}' and llm = '{llm}'
    """
    [(solves, task_usd, solved_usd)] = rows(demo_marts, query)
    assert (solves, rounded(solved_usd, 4)) == (solved, Decimal(per_solved))
    assert per_task is None or rounded(task_usd, 4) == Decimal(per_task)


@pytest.mark.parametrize(
    ("llm", "openhands_only", "claude_code_only", "p"),
    [("claude-opus-4-7", 41, 12, "0.0000817"), ("claude-sonnet-4-5", 31, 32, "1")],
)
def test_paired_comparisons_are_exact(
    demo_marts: duckdb.DuckDBPyConnection, llm: str, openhands_only: int, claude_code_only: int, p: str
) -> None:
    query = f"""
        select arm_a_label, only_a_solved, only_b_solved, mcnemar_p from marts.arm_comparisons
        where {VERIFIED} and arm_a_label in ('openhands · {llm}', 'claude-code · {llm}')
          and arm_b_label in ('openhands · {llm}', 'claude-code · {llm}')
    """
    [(first, only_a, only_b, value)] = rows(demo_marts, query)
    pair = (only_a, only_b) if first.startswith("openhands") else (only_b, only_a)
    assert (pair, f"{value:.3g}") == ((openhands_only, claude_code_only), f"{float(p):.3g}")


def test_codex_is_of_unknown_cost_on_no_frontier_not_dominated_and_still_ranked(
    demo_marts: duckdb.DuckDBPyConnection,
) -> None:
    query = f"""
        select llm, status, dominated_by_arm_id, reason, quality, cost_per_task_usd, cost_per_task_low_usd
        from marts.frontier_points
        where {VERIFIED} and harness = 'codex' and cost_basis = 'client_estimate' and axis = 'cost' order by llm
    """
    reason = "cost unknown: not reported by the source"
    assert rows(demo_marts, query) == [
        ("GPT-5.4", "not_comparable", None, reason, 0.738, None, None),
        ("GPT-5.5", "not_comparable", None, reason, 0.78, None, None),
    ]


def test_claims_that_the_facts_do_not_bear_out_are_shown(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select harness_of.harness, claims.metric, claims.claimed_text, round(claims.our_value, 4), claims.status
        from marts.claim_gaps as claims join marts.dim_arms as harness_of using (arm_id)
        where claims.dataset = 'swe-bench-verified' and harness_of.llm = 'Gemini-3.1-Pro'
          and (harness_of.harness, claims.metric) in
              (('gemini-cli', 'cost_per_instance'), ('openhands', 'accuracy')) order by 1
    """
    assert [
        (harness, metric, Decimal(text), ours, status)
        for harness, metric, text, ours, status in rows(demo_marts, query)
    ] == [
        ("gemini-cli", "cost_per_instance", Decimal("1.40"), Decimal("4.1522"), "differs"),
        ("openhands", "accuracy", Decimal("76.8"), Decimal("77.0000"), "differs"),
    ]


def test_the_frontier_of_client_estimates_has_four_arms_all_under_openhands(
    demo_marts: duckdb.DuckDBPyConnection,
) -> None:
    query = f"""
        select harness, llm from marts.frontier_points
        where {VERIFIED} and cost_basis = 'client_estimate' and axis = 'cost' and status = 'on_frontier'
        order by cost_per_task_usd
    """
    assert rows(demo_marts, query) == [
        ("openhands", "DeepSeek-V4-Pro"),
        ("openhands", "MiniMax-M3"),
        ("openhands", "claude-opus-4-8"),
        ("openhands", "claude-fable-5"),
    ]


def test_no_frontier_is_drawn_over_arms_that_attempted_different_tasks(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select tasks_total, count(*), count(*) filter (where status = 'not_comparable'),
               bool_and(reason = 'covers ' || tasks_attempted || ' of 103') filter (where tasks_attempted < 103),
               count(*) filter (where status = 'on_frontier')
        from marts.frontier_points
        where dataset = 'swe-bench-multimodal' and cost_basis = 'client_estimate' and axis = 'cost' group by 1
    """
    assert rows(demo_marts, query) == [(103, 43, 42, True, 0)]


def test_the_multimodal_metric_is_theirs_and_never_compared(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select distinct status from marts.claim_gaps
        where dataset = 'swe-bench-multimodal' and metric like '%accuracy'
    """
    assert rows(demo_marts, query) == [("not_computed",)]


def test_a_folder_without_rows_is_no_arm_and_the_llm_is_what_the_metadata_says(
    demo_marts: duckdb.DuckDBPyConnection,
) -> None:
    query = """
        select llm from marts.dim_arms
        where lower(llm) like 'minimax%' and list_contains(sources, 'openhands-index') order by 1
    """
    assert rows(demo_marts, query) == [("MiniMax-M2.1",), ("MiniMax-M2.5",), ("MiniMax-M3",), ("Minimax-2.7",)]


def test_the_five_harnesses_are_named_and_the_wrapper_keeps_the_version(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select harness, bool_and(harness_versions is null), bool_and(harness_wrapper_versions is null)
        from marts.dim_arms where list_contains(sources, 'openhands-index') group by 1 order by 1
    """
    assert rows(demo_marts, query) == [
        ("claude-code", True, False),
        ("codex", True, False),
        ("gemini-cli", True, False),
        ("openhands", False, True),
        ("openhands-subagents", False, True),
    ]


def test_ungraded_attempts_stay_in_the_rate_and_the_graded_only_rate_stands_beside(
    demo_marts: duckdb.DuckDBPyConnection,
) -> None:
    query = f"""
        select attempts, graded, ungraded, solved, solve_rate, solve_rate_graded_only
        from marts.cost_per_task where {VERIFIED} and llm = 'DeepSeek-V3.2-Reasoner'
    """
    assert rows(demo_marts, query) == [(500, 497, 3, 358, 0.716, 358 / 497)]

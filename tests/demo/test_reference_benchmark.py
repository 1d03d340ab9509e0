"""What must hold of the reference benchmark: its printed tables, reproduced from its rows."""

from __future__ import annotations

from decimal import Decimal

import duckdb
import pytest

REPRODUCED = {
    "harness-pi-swe3 (newest read)": 13,
    "harness-claude-code-swe3 (newest read)": 4,
    "harness-kiro-cli-swe3": 5,
}
SUMS = ("mean_score", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "wall_minutes")


def claims(marts: duckdb.DuckDBPyConnection, table: str, metrics: tuple[str, ...]) -> dict[str, dict[str, tuple]]:
    found = marts.execute(
        """
        select arm_label, metric, status, reason, claimed_value, our_value from marts.claim_gaps
        where table_name = ? and our_status is not null and list_contains(?, metric)
        """,
        [table, list(metrics)],
    ).fetchall()
    by_arm: dict[str, dict[str, tuple]] = {}
    for arm, metric, *rest in found:
        by_arm.setdefault(arm, {})[metric] = tuple(rest)
    return by_arm


@pytest.mark.parametrize("table", ["harness-pi-swe3 (newest read)", "harness-claude-code-swe3 (newest read)"])
def test_every_printed_row_of_a_collected_arm_is_reproduced(demo_marts: duckdb.DuckDBPyConnection, table: str) -> None:
    by_arm = claims(demo_marts, table, SUMS)
    assert len(by_arm) == REPRODUCED[table]
    assert {arm: {metric: facts[0] for metric, facts in metrics.items()} for arm, metrics in by_arm.items()} == {
        arm: dict.fromkeys(SUMS, "reproduced") for arm in by_arm
    }


def test_kiros_rows_are_reproduced_and_its_printed_zero_tokens_are_not_computed(
    demo_marts: duckdb.DuckDBPyConnection,
) -> None:
    by_arm = claims(demo_marts, "harness-kiro-cli-swe3", (*SUMS, "run_cost_usd"))
    zero = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    expected = dict.fromkeys(("mean_score", "wall_minutes", "run_cost_usd"), "reproduced") | dict.fromkeys(
        zero, "not_computed"
    )
    assert len(by_arm) == 5
    assert {
        arm: {metric: facts[0] for metric, facts in metrics.items()} for arm, metrics in by_arm.items()
    } == dict.fromkeys(by_arm, expected)


@pytest.mark.parametrize(
    ("table", "hosted"),
    [("harness-pi-swe3 (newest read)", 5), ("harness-claude-code-swe3 (newest read)", 3)],
)
def test_hosted_run_costs_are_reproduced_and_own_gpus_are_unknown(
    demo_marts: duckdb.DuckDBPyConnection, table: str, hosted: int
) -> None:
    by_arm = claims(demo_marts, table, ("run_cost_usd",))
    statuses = {arm: metrics["run_cost_usd"][0] for arm, metrics in by_arm.items()}
    on_bedrock = {arm for arm in statuses if "bedrock" in arm}
    assert len(on_bedrock) == hosted
    assert statuses == {arm: "reproduced" if arm in on_bedrock else "not_computed" for arm in statuses}


def test_three_token_totals_are_gaps_and_no_other_arm_has_one(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select llm, sum(claimed_value)::bigint, sum(our_value)::bigint
        from marts.claim_gaps join marts.dim_arms using (arm_id)
        where metric = 'total_tokens' and scope = 'run' and harness = 'pi' and our_value is not null
        group by llm having sum(claimed_value) <> sum(our_value) order by llm
    """
    assert demo_marts.execute(query).fetchall() == [
        ("devstral-2-123b", 37_466_636, 18_792_976),
        ("kimi-k2.7-code", 102_068_712, 51_016_645),
        ("qwen3.8-27b", 75_678_960, 27_914_723),
    ]


def test_the_printed_total_of_a_contradictory_arm_is_a_gap(demo_marts: duckdb.DuckDBPyConnection) -> None:
    by_arm = claims(demo_marts, "harness-pi-swe3 (newest read)", ("tokens_processed",))
    gaps = {
        arm: facts["tokens_processed"][2:]
        for arm, facts in by_arm.items()
        if facts["tokens_processed"][0] != "reproduced"
    }
    assert gaps == {"pi · qwen3.8-27b · own-vllm · swe3": (Decimal(75_678_960), Decimal(27_914_723))}


def test_two_rows_whose_cache_exceeds_their_input_are_lower_bounds(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select llm, harness, count(*), max(usage_reason), count(input_uncached_tokens), count(input_total_tokens)
        from marts.fct_runs where usage_status = 'lower_bound' group by 1, 2
    """
    assert demo_marts.execute(query).fetchall() == [("qwen3.8-27b", "pi", 2, "cache exceeds input", 0, 2)]


def test_prints_of_older_methods_say_so(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select bool_and(is_older_method), bool_or(reason like 'a print of an older method: before %')
        from marts.claim_gaps where table_name like '%(before %'
    """
    assert demo_marts.execute(query).fetchall() == [(True, True)]


def test_both_means_are_shown_scored_only_and_with_zeros(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select scored, attempts, round(mean_score_scored_only, 2), round(mean_score_with_zeros, 2)
        from marts.cost_per_task where llm = 'qwen3-coder-30b' and harness = 'pi' and is_headline
    """
    assert demo_marts.execute(query).fetchall() == [(2, 5, 26.9, 10.76)]


def test_a_price_of_another_model_is_kept_and_is_no_cost(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select cost_basis, status, reason, count(*), sum(stated_amount), count(amount_usd)
        from marts.fct_run_costs join marts.dim_arms using (arm_id)
        where harness = 'claude-code' and llm = 'glm-5.2' group by 1, 2, 3 order by 1
    """
    estimate, hardware = demo_marts.execute(query).fetchall()
    assert (estimate[:4], round(estimate[4], 2), estimate[5]) == (
        ("client_estimate", "unknown", "priced as another model", 5),
        Decimal("441.23"),
        0,
    )
    assert hardware[:2] == ("hardware", "unknown")


def test_bases_are_declared_by_hosting(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select harness, hostings, declared_cost_bases, count(*) from marts.dim_arms
        where list_contains(sources, 'reference-benchmark') group by 1, 2, 3 order by 1, 2
    """
    assert demo_marts.execute(query).fetchall() == [
        ("claude-code", ["api"], ["client_estimate"], 3),
        ("claude-code", ["own_gpu"], ["hardware"], 1),
        ("kiro-cli", ["plan"], ["credits"], 5),
        ("omp", ["api"], ["client_estimate"], 2),
        ("omp", ["own_gpu"], ["hardware"], 1),
        ("pi", ["api"], ["client_estimate"], 5),
        ("pi", ["own_gpu"], ["hardware"], 8),
    ]


def test_the_verifier_is_the_judge_and_the_rubric(demo_marts: duckdb.DuckDBPyConnection) -> None:
    query = """
        select distinct verifier, verifier_version, rubric_hash, verifier_kind from marts.fct_run_grades
        where dataset like 'mcp-gateway%'
    """
    assert demo_marts.execute(query).fetchall() == [("openai.gpt-5.6-sol", "unstated", "five-artifacts", "judge")]

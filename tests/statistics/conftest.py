"""The statistics of the dbt project over attempts of one's own: no events, no build."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import duckdb
import pyarrow as pa
import pytest
from rendered import Renderer
from worlds import Attempt

STEPS = (
    "int_log_factorials",
    "int_bootstrap_draws",
    "int_bootstrap_weights",
    "int_compared_cells",
    "int_first_attempts",
    "int_paired_outcomes",
    "int_paired_counts",
    "int_mcnemar_p_values",
    "int_paired_bases",
    "int_task_sums",
    "int_bootstrap_sums",
    "int_arm_bootstrap",
    "int_paired_costs",
    "int_cell_settings",
    "int_arm_differences",
    "arm_comparisons",
)
STAND_INS = """
    create table int_cell_attempts as select *,
        'unstated' as dataset_version, 'unstated' as split, 'an-llm' as llm, 'unstated' as serving_path,
        'unstated' as skill, 'unstated' as effort, 'tests' as verifier_id, 'tests' as verifier,
        'unstated' as verifier_version, 'unstated' as rubric_hash, 'tests' as verifier_kind,
        is_resolved is not null as is_graded, coalesce(is_resolved, false) as is_solved, null::double as score,
        'client_estimate' as headline_cost_basis, 'as_stated' as headline_cost_method,
        case when headline_cost_usd is null then 'unknown' else 'known' end as headline_cost_status,
        false as is_excluded, null::varchar as excluded_reason
    from attempts;
    create table fct_run_costs as select run_id, headline_cost_basis as cost_basis,
        headline_cost_method as cost_method, headline_cost_status as status, headline_cost_usd as amount_usd
    from int_cell_attempts;
    create table int_cell_costs as select distinct dataset, dataset_version, split, arm_id, verifier_id,
        headline_cost_basis as cost_basis, headline_cost_method as cost_method
    from int_cell_attempts;
    create table int_runs as select *, 'attempt' as kind, null::varchar as harness_version,
        null::varchar as harness_wrapper_version, null::varchar as llm_wire_name, null::varchar as skill_hash,
        null::double as budget_wall_s, null::double as budget_usd, null::bigint as budget_tokens,
        null::bigint as budget_turns, null::bigint as budget_tool_calls
    from int_cell_attempts;
"""


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    return Renderer()


Compute = Callable[[Iterable[Attempt]], duckdb.DuckDBPyConnection]


@pytest.fixture
def compute(renderer: Renderer) -> Iterator[Compute]:
    """`compute(attempts)`: every statistics model over them, as tables."""
    opened: list[duckdb.DuckDBPyConnection] = []

    def compute_all(attempts: Iterable[Attempt]) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect()
        opened.append(connection)
        connection.register("attempts", as_table(attempts))
        connection.execute(STAND_INS)
        for step in STEPS:
            connection.execute(f"create table {step} as {renderer.model(step)}")
        return connection

    yield compute_all
    for connection in opened:
        connection.close()


def as_table(attempts: Iterable[Attempt]) -> pa.Table:
    """The columns of an attempt that the stand-in for int_cell_attempts does not make up."""
    rows = [
        {
            "run_id": attempt.run_id,
            "dataset": attempt.dataset,
            "arm_id": attempt.system,
            "harness": attempt.system,
            "arm_label": attempt.system,
            "task_id": attempt.task_id,
            "attempt_number": attempt.number,
            "is_resolved": attempt.is_resolved,
            "headline_cost_usd": attempt.cost_usd,
        }
        for attempt in attempts
    ]
    table = pa.Table.from_pylist(rows)
    money = table["headline_cost_usd"].cast(pa.string()).cast(pa.decimal128(38, 12))
    resolved = table["is_resolved"].cast(pa.bool_())
    return table.set_column(8, "headline_cost_usd", money).set_column(7, "is_resolved", resolved)

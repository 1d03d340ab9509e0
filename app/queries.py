"""The questions that the pages ask: one function each, plain SQL over the marts, no figure computed here.

The SQL of an answer is exactly what ran, so that anybody can run it again with `meterhouse sql`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from app.warehouse.query import connect
from collectors.home import Home
from models.errors import NoWarehouse


@dataclass(frozen=True)
class Build:
    """The published build that a page reads."""

    home: Path
    id: str


@dataclass(frozen=True)
class Ground:
    """What a frontier is drawn on. Nothing is compared across two grounds."""

    dataset: str
    dataset_version: str
    split: str
    verifier_id: str
    quality_metric: str
    cost_basis: str
    cost_method: str
    axis: str


Chosen = Mapping[str, str | None]
"""Column -> the value it must have; None asks for all."""

GROUND = tuple(field.name for field in fields(Ground))


@dataclass(frozen=True, eq=False)
class Answer:
    """Rows, and the SQL that gives them. One answer is one object for as long as it is remembered; read it only."""

    sql: str
    table: pa.Table

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Column -> value: money as Decimal, counts as int, null as None."""
        return self.table.to_pylist()


def current_build(home: Home) -> Build:
    """The build that CURRENT names now. Raises NoWarehouse."""
    build_id = home.current_build()
    if build_id is None:
        raise NoWarehouse(home.path)
    return Build(home.path, build_id)


def grounds(build: Build) -> Answer:
    """Every ground with its arms. The first is where most arms can be placed on cost in amounts of one standing."""
    return _ask(
        build,
        f"""
select {", ".join(GROUND)}, verifier, verifier_version, rubric_hash,
    count(*) as arms, count(*) filter (where status <> 'not_comparable') as placed
from marts.frontier_points
group by {", ".join(GROUND)}, verifier, verifier_version, rubric_hash
order by axis = 'both', axis = 'wall_time', cost_basis = 'headline', placed desc, arms desc,
    {", ".join(GROUND)}""",
    )


def frontier(build: Build, ground: Ground) -> Answer:
    """Every arm on a ground: where it stands and why, and the facts behind its point."""
    return _ask(
        build,
        f"""
select points.arm_label, points.status, points.reason, points.quality, points.quality_low, points.quality_high,
    points.quality_graded_only, cells.interval_method, points.solved, cells.scored, points.attempts,
    points.tasks_attempted, points.tasks_total, points.task_list_source, points.cost_status, points.cost_per_task_usd,
    points.cost_per_task_low_usd, cells.cost_per_task_high_usd, cells.cost_per_solved_usd,
    cells.cost_per_solved_low_usd, cells.cost_per_solved_high_usd, points.actual_cost_basis,
    cells.cost_known_attempts, cells.cost_known_share, points.wall_s_per_task, points.dominated_by_arm_label,
    points.is_directional, cells.excluded_attempts, cells.excluded_usd, points.harness, points.llm,
    points.serving_path, points.skill, points.effort, arms.harness_versions, arms.harness_wrapper_versions,
    arms.has_mixed_settings, points.arm_id
from marts.frontier_points as points
join marts.cost_per_task as cells
    on points.arm_id = cells.arm_id and points.verifier_id = cells.verifier_id and points.dataset = cells.dataset
    and points.dataset_version = cells.dataset_version and points.split = cells.split
    and points.actual_cost_basis = cells.cost_basis
    and (points.cost_method = cells.cost_method or points.cost_basis = 'headline' and cells.is_headline)
join marts.dim_arms as arms on points.arm_id = arms.arm_id
where {_is_on(ground, "points")}
order by points.quality desc nulls last, points.cost_per_task_low_usd nulls last, points.arm_label""",
    )


def frontier_numbers(build: Build, ground: Ground) -> Answer:
    """One row: how many arms, tasks and attempts, and how many arms stand where."""
    return _ask(
        build,
        f"""
select count(*) as arms, max(tasks_total) as tasks, sum(attempts)::bigint as attempts,
    count(*) filter (where status = 'on_frontier') as on_frontier,
    count(*) filter (where status = 'undecided') as undecided,
    count(*) filter (where status = 'not_comparable') as not_comparable,
    count(*) filter (where cost_status = 'lower_bound') as lower_bounds,
    count(*) filter (where cost_status = 'unknown') as unknown_costs
from marts.frontier_points
where {_is_on(ground, "frontier_points")}""",
    )


def quality_checks(build: Build) -> Answer:
    """Every check with its number of findings; a check that found nothing says so."""
    return _ask(
        build,
        """
select check_name, source, severity, findings, meaning, example
from marts.data_quality
order by findings = 0, severity = 'info', severity = 'warning', findings desc, check_name, source""",
    )


def findings(build: Build, chosen: Chosen) -> Answer:
    """Every finding, one by one; `chosen` narrows by column."""
    return _ask(
        build,
        f"""
select check_name, severity, source, subject, detail, source_ref, source_offset, found_at
from marts.data_quality_findings{_where(chosen)}
order by severity = 'info', severity = 'warning', check_name, source, subject, detail, source_ref, source_offset""",
    )


def claims(build: Build, chosen: Chosen) -> Answer:
    """Every printed number beside ours, widest gap first; `chosen` narrows by column."""
    return _ask(
        build,
        f"""
select status, source, table_name, dataset, coalesce(arm_label, source_arm) as arm, scope, task_id, metric, unit,
    claimed_text, claimed_value, our_value, our_status, our_metric, difference, difference_share, reason,
    is_older_method, claim_id
from marts.claim_gaps{_where(chosen)}
order by status = 'reproduced', status = 'not_computed', is_older_method, abs(difference_share) desc nulls last,
    source, metric, arm, claim_id""",
    )


def claim_choices(build: Build) -> Answer:
    """Every status, source and metric that a claim has."""
    return _ask(build, "select distinct status, source, metric from marts.claim_gaps order by status, source, metric")


def trust_numbers(build: Build) -> Answer:
    """One row: how many findings of each kind, and how many claims of each status."""
    return _ask(
        build,
        """
select checks.*, claims.*
from (
    select
        coalesce(sum(findings) filter (where severity = 'error'), 0)::bigint as errors,
        coalesce(sum(findings) filter (where severity = 'warning'), 0)::bigint as warnings,
        coalesce(sum(findings) filter (where check_name = 'record_set_aside'), 0)::bigint as set_aside,
        coalesce(sum(findings) filter (where check_name = 'unknown_cost'), 0)::bigint as unknown_costs,
        coalesce(sum(findings) filter (where check_name = 'lower_bound_cost'), 0)::bigint as lower_bounds
    from marts.data_quality
) as checks
cross join (
    select
        count(*) filter (where status = 'reproduced') as reproduced,
        count(*) filter (where status = 'differs') as differing,
        count(*) filter (where status = 'not_computed') as not_computed
    from marts.claim_gaps
) as claims""",
    )


def run_choices(build: Build) -> Answer:
    """Every kind of run and harness that has runs, and how many."""
    return _ask(build, "select kind, harness, count(*) as runs from marts.fct_runs group by all order by all")


def runs(build: Build, chosen: Chosen, most: int) -> Answer:
    """The newest runs, at most so many, and how many there are; `chosen` narrows by column."""
    return _ask(
        build,
        f"""
select run_id, kind, harness, started_at, started_at_basis, project, dataset, task_id, attempt_number,
    coalesce(requests, turns) as requests, count(*) over () as runs
from marts.fct_runs{_where(chosen)}
order by started_at desc nulls last, run_id
limit {most}""",
    )


def run(build: Build, run_id: str) -> Answer:
    """One run: what it was, how it ended, its tokens; of its requests, how many there are and by whom."""
    return _ask(
        build,
        f"""
select runs.run_id, runs.kind, runs.source, runs.harness, runs.harness_version, coalesce(runs.llms, [runs.llm]) as llms,
    runs.arm_label, runs.session_id, runs.project, runs.dataset, runs.task_id, runs.attempt_number, runs.started_at,
    runs.started_at_basis, runs.outcome, runs.outcome_detail, runs.is_excluded, runs.excluded_reason, runs.wall_s,
    coalesce(runs.requests, runs.turns) as requests, counted.turns, counted.sub_agent_requests, runs.failed_requests,
    runs.unanswered_requests, runs.tool_calls, runs.sub_agents, runs.usage_source, runs.usage_status, runs.usage_reason,
    runs.input_uncached_tokens, runs.cache_read_tokens, runs.cache_write_5m_tokens, runs.cache_write_1h_tokens,
    runs.cache_write_other_tokens, runs.output_tokens, runs.reasoning_tokens, runs.input_total_tokens,
    runs.output_total_tokens, runs.cache_read_tokens / nullif(runs.input_total_tokens, 0) as cache_hit_share
from marts.fct_runs as runs
cross join (
    select count(*) as turns,
        count(*) filter (where is_sub_agent and status in ('completed', 'incomplete')) as sub_agent_requests
    from marts.fct_turns
    where run_id = {_text(run_id)}
) as counted
where runs.run_id = {_text(run_id)}""",
    )


def run_costs(build: Build, run_id: str) -> Answer:
    """What somebody stated that a run cost, on each basis of its own."""
    return _ask(
        build,
        f"""
select cost_basis, cost_method, amount_usd, low_usd, high_usd, status, reason
from marts.fct_run_costs
where run_id = {_text(run_id)} and is_current
order by cost_basis = 'client_estimate' desc, cost_basis, cost_method""",
    )


def turns(build: Build, run_id: str) -> Answer:
    """Every request of a run, and the sums up to it.

    A sum is "at least" from the first request on that lacks its part, or some of it; one that was refused lacks none.
    """
    sums = ",\n    ".join(
        f"sum({column}) over so_far::bigint as {name}_so_far_tokens,\n    "
        f"bool_or(not is_refused and ({column} is null or usage_status = 'lower_bound')) over so_far "
        f"as is_{name}_at_least"
        for name, column in SUMMED.items()
    )
    return _ask(
        build,
        f"""
select turn_number, started_at, completed_at, occurred_at_basis, agent, sub_agent_id, is_sub_agent, llm, llm_asked,
    status, error_code, retry_number, stop_reason, ttft_ms, duration_ms, tool_calls, tool_names, usage_status,
    usage_reason, is_refused, input_total_tokens, input_uncached_tokens, cache_read_tokens, cache_write_tokens,
    cache_hit_share, output_total_tokens, reasoning_tokens,
    {sums},
    client_cost_usd, client_cost_status, service_tier, provider_answered, session_id, request_id, message_id,
    response_id, harness_version, bad_utf8_bytes, source_ref, source_offset, turn_id
from (
    select *, status = 'failed' and usage_reason is not distinct from 'refused: it used nothing' as is_refused
    from marts.fct_turns
    where run_id = {_text(run_id)}
) as turns
window so_far as (order by turn_number rows unbounded preceding)
order by turn_number""",
    )


SUMMED = {"input": "input_total_tokens", "cache_read": "cache_read_tokens", "output": "output_total_tokens"}
"""What accumulates over the requests of a run -> its column."""


def _is_on(ground: Ground, alias: str) -> str:
    return "\n    and ".join(
        f"{alias}.{column} = {_text(value)}" for column, value in zip(GROUND, astuple(ground), strict=True)
    )


def _where(chosen: Chosen) -> str:
    tests = [f"{column} = {_text(value)}" for column, value in chosen.items() if value is not None]
    return "\nwhere " + "\n    and ".join(tests) if tests else ""


def _text(value: str) -> str:
    """An SQL string."""
    return "'" + value.replace("'", "''") + "'"


@lru_cache(maxsize=200)
def _ask(build: Build, sql: str) -> Answer:
    """A build never changes, so its id and the SQL are all that an answer depends on."""
    with connect(Home(build.home), build.id) as connection:
        return Answer(sql.strip(), connection.execute(sql).to_arrow_table())

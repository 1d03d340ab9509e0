-- Every attempt and session: how it ended, its tokens by kind from its one usage source, and its headline cost. No grade.
-- What a session cost is in fct_run_costs: it is no arm's attempt, and has no headline.
with

runs as (

    select * from {{ ref('int_runs') }}

),

usages as (

    select * from {{ ref('int_run_usage') }}

),

headlines as (

    select * from {{ ref('int_arm_headlines') }}

),

costs as (

    select * from {{ ref('fct_run_costs') }}

)

select
    runs.run_id,
    runs.kind,
    runs.source,
    runs.arm_id,
    runs.harness,
    runs.llm,
    runs.serving_path,
    runs.skill,
    runs.effort,
    runs.arm_label,
    runs.dataset,
    runs.dataset_version,
    runs.split,
    runs.task_id,
    runs.attempt_number,
    runs.batch_id,
    runs.started_at,
    runs.started_at_basis,
    runs.outcome,
    runs.outcome_detail,
    runs.wall_s,
    runs.turns,
    runs.agent_invocations,
    runs.artifacts_produced,
    runs.artifacts_expected,
    usages.usage_source,
    usages.usage_format,
    coalesce(usages.usage_status, 'unknown') as usage_status,
    case when usages.run_id is null then 'tokens not reported' else usages.usage_reason end as usage_reason,
    usages.input_uncached_tokens,
    usages.cache_read_tokens,
    usages.cache_write_5m_tokens,
    usages.cache_write_1h_tokens,
    usages.cache_write_other_tokens,
    usages.output_tokens,
    usages.input_total_tokens,
    usages.output_total_tokens,
    headlines.cost_basis as headline_cost_basis,
    headlines.cost_method as headline_cost_method,
    costs.amount_usd as headline_cost_usd,
    costs.low_usd as headline_cost_low_usd,
    costs.high_usd as headline_cost_high_usd,
    coalesce(costs.status, 'unknown') as headline_cost_status,
    case
        when runs.kind = 'session' then 'a session has no declared cost basis'
        when headlines.cost_basis is null then 'no cost basis is declared for this arm'
        when costs.run_id is null then 'not reported by the source'
        else costs.reason
    end as headline_cost_reason,
    runs.is_excluded,
    runs.excluded_reason,
    runs.is_excluded_after_grade,
    runs.harness_version,
    runs.llms,
    runs.session_id,
    runs.project,
    runs.requests,
    runs.failed_requests,
    runs.unanswered_requests,
    runs.sub_agents,
    runs.tool_calls,
    usages.cache_write_tokens,
    usages.reasoning_tokens
from runs
left join usages on runs.run_id = usages.run_id
left join headlines
    on
        runs.dataset = headlines.dataset
        and runs.dataset_version = headlines.dataset_version
        and runs.split = headlines.split
        and runs.arm_id = headlines.arm_id
left join costs
    on
        runs.run_id = costs.run_id
        and headlines.cost_basis = costs.cost_basis
        and headlines.cost_method = costs.cost_method

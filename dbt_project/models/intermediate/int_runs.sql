-- Every attempt and session with its end and its exclusion. One row per run.
with

started as (

    select * from {{ ref('stg_events__run_started') }}

),

finished as (

    select * from {{ ref('stg_events__run_finished') }}

),

exclusions as (

    select * from {{ ref('int_exclusions') }}

)

select
    started.run_id,
    started.kind,
    started.source,
    started.arm_id,
    started.harness,
    started.llm,
    started.serving_path,
    started.skill,
    started.effort,
    started.arm_label,
    started.dataset,
    case when started.dataset is not null then coalesce(started.dataset_version, 'unstated') end as dataset_version,
    case when started.dataset is not null then coalesce(started.split, 'unstated') end as split,
    started.task_id,
    started.attempt_number,
    started.batch_id,
    started.declared_cost_basis,
    started.client_price,
    started.seller,
    started.hosting,
    started.region,
    started.harness_version,
    started.harness_wrapper,
    started.harness_wrapper_version,
    started.llm_wire_name,
    started.skill_hash,
    started.instance_type,
    started.precision,
    started.budget_wall_s,
    started.budget_usd,
    started.budget_tokens,
    started.budget_turns,
    started.budget_tool_calls,
    started.occurred_at as started_at,
    started.occurred_at_basis as started_at_basis,
    coalesce(finished.outcome, 'unstated') as outcome,
    finished.outcome_detail,
    finished.wall_s,
    finished.turns,
    finished.agent_invocations,
    finished.artifacts_produced,
    finished.artifacts_expected,
    coalesce(exclusions.is_excluded, false) as is_excluded,
    case when exclusions.is_excluded then exclusions.excluded_reason end as excluded_reason,
    coalesce(exclusions.is_excluded_after_grade, false) as is_excluded_after_grade
from started
left join finished on started.run_id = finished.run_id
left join exclusions on started.run_id = exclusions.run_id

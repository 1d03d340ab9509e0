-- Every attempt and session with its end and its exclusion. A session's LLM and versions are those of its requests, and it is
-- no arm's; one whose beginning is in no log is known by its requests alone. One row per run.
{% set stated = [
    'dataset', 'dataset_version', 'split', 'task_id', 'attempt_number', 'batch_id', 'declared_cost_basis', 'client_price',
    'seller', 'hosting', 'region', 'harness_version', 'harness_wrapper', 'harness_wrapper_version', 'llm_wire_name',
    'skill_hash', 'instance_type', 'precision', 'budget_wall_s', 'budget_usd', 'budget_tokens', 'budget_turns',
    'budget_tool_calls', 'session_id', 'project', 'occurred_at', 'occurred_at_basis',
] %}

with

started as (

    select * from {{ ref('stg_events__run_started') }}

),

finished as (

    select * from {{ ref('stg_events__run_finished') }}

),

exclusions as (

    select * from {{ ref('int_exclusions') }}

),

run_turns as (

    select * from {{ ref('int_run_turns') }}

),

runs_known as (

    select
        coalesce(started.run_id, run_turns.run_id) as run_id,
        coalesce(started.kind, 'session') as kind,
        coalesce(started.source, run_turns.harness) as source,
        case when started.kind = 'attempt' then started.arm_id end as arm_id,
        coalesce(started.harness, run_turns.harness) as harness,
        case
            when started.kind = 'attempt' then started.llm
            else coalesce(run_turns.main_llm, started.llm, 'unstated')
        end as llm,
        {% for field in ['serving_path', 'skill', 'effort'] -%}
        coalesce(started.{{ field }}, 'unstated') as {{ field }},
        {% endfor -%}
        {% for field in stated -%}
        started.{{ field }} as stated_{{ field }},
        {% endfor -%}
        coalesce(started.occurred_at, run_turns.first_at) as started_at,
        coalesce(started.occurred_at_basis, run_turns.first_at_basis) as started_at_basis,
        run_turns.llms,
        run_turns.session_id,
        run_turns.harness_version,
        run_turns.requests,
        run_turns.failed_requests,
        run_turns.unanswered_requests,
        run_turns.sub_agents,
        run_turns.tool_calls,
        run_turns.has_llm_of_others,
        case
            when run_turns.is_time_exact then {{ seconds_between(
                "case when started.occurred_at_basis = 'exact' then least(started.occurred_at, run_turns.first_at)
                    else run_turns.first_at end",
                "run_turns.last_at",
            ) }}
        end as turns_wall_s
    from started
    full outer join run_turns on started.run_id = run_turns.run_id

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
    {{ arm_label() }} as arm_label,
    runs.stated_dataset as dataset,
    case when runs.stated_dataset is not null then coalesce(runs.stated_dataset_version, 'unstated') end as dataset_version,
    case when runs.stated_dataset is not null then coalesce(runs.stated_split, 'unstated') end as split,
    {% for field in stated if field not in ['dataset', 'dataset_version', 'split', 'session_id', 'project',
        'harness_version', 'occurred_at', 'occurred_at_basis'] -%}
    runs.stated_{{ field }} as {{ field }},
    {% endfor -%}
    coalesce(runs.stated_harness_version, runs.harness_version) as harness_version,
    coalesce(runs.stated_session_id, runs.session_id) as session_id,
    runs.stated_project as project,
    runs.started_at,
    runs.started_at_basis,
    runs.llms,
    {{ whole('runs.requests') }} as requests,
    {{ whole('runs.failed_requests') }} as failed_requests,
    {{ whole('runs.unanswered_requests') }} as unanswered_requests,
    {{ whole('runs.sub_agents') }} as sub_agents,
    {{ whole('runs.tool_calls') }} as tool_calls,
    coalesce(runs.has_llm_of_others, false) as has_llm_of_others,
    coalesce(finished.outcome, 'unstated') as outcome,
    finished.outcome_detail,
    case when runs.kind = 'session' then coalesce(finished.wall_s, runs.turns_wall_s) else finished.wall_s end as wall_s,
    finished.turns,
    finished.agent_invocations,
    finished.artifacts_produced,
    finished.artifacts_expected,
    coalesce(exclusions.is_excluded, false) as is_excluded,
    case when exclusions.is_excluded then exclusions.excluded_reason end as excluded_reason,
    coalesce(exclusions.is_excluded_after_grade, false) as is_excluded_after_grade
from runs_known as runs
left join finished on runs.run_id = finished.run_id
left join exclusions on runs.run_id = exclusions.run_id

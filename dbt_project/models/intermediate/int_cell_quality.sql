-- What a cell's attempts came to, without their cost. One row per cell; excluded attempts are only counted.
with

attempts as (

    select * from {{ ref('int_cell_attempts') }}

),

counted as (

    select
        {{ cell_columns() }},
        count(distinct case when not is_excluded then task_id end) as tasks,
        sum(case when not is_excluded then 1 else 0 end) as attempts,
        sum(case when not is_excluded and is_graded then 1 else 0 end) as graded,
        sum(case when not is_excluded and is_solved then 1 else 0 end) as solves,
        sum(case when not is_excluded and score_status = 'scored' then 1 else 0 end) as scored,
        {{ exact_sum('case when not is_excluded then coalesce(score, 0) end') }} as score_sum,
        {{ exact_sum("case when not is_excluded and score_status = 'scored' then score end") }} as scored_sum,
        max(score_scale_max) as score_scale_max,
        sum(case when is_excluded then 1 else 0 end) as excluded_attempts,
        sum(case when not is_excluded and (outcome = 'timeout' or outcome like 'budget_%') then 1 else 0 end)
            as budget_stopped_attempts,
        sum(case when not is_excluded and usage_status = 'unknown' then 1 else 0 end) as unknown_usages,
        sum(case when not is_excluded and usage_status = 'lower_bound' then 1 else 0 end) as lower_bound_usages,
        min(case when not is_excluded and usage_status <> 'complete' then usage_reason end) as usage_reason,
        {% for column in ['wall_s', 'turns'] + token_columns() -%}
        {%- set counted = 'case when not is_excluded then ' ~ column ~ ' end' -%}
        case
            when sum(case when not is_excluded then 1 else 0 end) = count({{ counted }})
                then {{ exact_sum(counted) if column == 'wall_s' else 'sum(' ~ counted ~ ')' }}
        end as {{ column }},
        {% endfor -%}
        percentile_cont(0.5) within group (order by case when not is_excluded then wall_s end) as wall_s_p50,
        percentile_cont(0.9) within group (order by case when not is_excluded then wall_s end) as wall_s_p90
    from attempts
    group by {{ cell_columns() }}

)

select
    {{ cell_columns() }},
    {{ whole('tasks') }} as tasks,
    {{ whole('attempts') }} as attempts,
    {{ whole('graded') }} as graded,
    {{ whole('attempts - graded') }} as ungraded,
    case when verifier_kind = 'tests' then {{ whole('solves') }} end as solved,
    case when verifier_kind = 'tests' then {{ ratio('solves', 'attempts') }} end as solve_rate,
    case when verifier_kind = 'tests' then {{ ratio('solves', 'graded') }} end as solve_rate_graded_only,
    case when verifier_kind = 'judge' then {{ whole('scored') }} end as scored,
    case when verifier_kind = 'judge' then {{ ratio('score_sum', 'attempts') }} end as mean_score_with_zeros,
    case when verifier_kind = 'judge' then {{ ratio('scored_sum', 'scored') }} end as mean_score_scored_only,
    score_scale_max,
    {{ whole('excluded_attempts') }} as excluded_attempts,
    {{ whole('budget_stopped_attempts') }} as budget_stopped_attempts,
    {{ ratio('budget_stopped_attempts', 'attempts') }} as budget_stopped_share,
    case
        when unknown_usages > 0 then 'unknown'
        when lower_bound_usages > 0 then 'lower_bound'
        else 'complete'
    end as usage_status,
    usage_reason,
    wall_s as wall_s_total,
    {{ ratio('wall_s', 'attempts') }} as wall_s_per_task,
    wall_s_p50,
    wall_s_p90,
    {{ whole('turns') }} as turns,
    {% for column in token_columns() -%}
    {{ whole(column) }} as {{ column }}{{ ',' if not loop.last }}
    {% endfor %}
from counted

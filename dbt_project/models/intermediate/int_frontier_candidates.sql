-- Every cell on every axis of every frontier that it could be on, with what keeps it off, if anything does.
-- One row per cell, quality metric, frontier basis (a cost basis or `headline`), method and axis.
with

cells as (

    select * from {{ ref('cost_per_task') }}
    where verifier_kind in ('tests', 'judge')

),

task_lists as (

    select * from {{ ref('int_task_lists') }}

),

bases_offered as (

    select
        cells.*,
        cells.cost_basis as frontier_basis,
        cells.cost_method as frontier_method
    from cells
    where cells.cost_basis <> 'unstated'

    union all

    select
        cells.*,
        'headline' as frontier_basis,
        'headline' as frontier_method
    from cells
    where cells.is_headline

),

axes as (

    select 'cost' as axis, true as is_cost_used, false as is_time_used
    union all
    select 'wall_time' as axis, false as is_cost_used, true as is_time_used
    union all
    select 'both' as axis, true as is_cost_used, true as is_time_used

),

measured as (

    select
        bases_offered.*,
        axes.axis,
        axes.is_cost_used,
        axes.is_time_used,
        task_lists.tasks as tasks_total,
        task_lists.task_list_source,
        case when bases_offered.verifier_kind = 'tests' then 'solve_rate' else 'mean_score' end as quality_metric,
        case
            when bases_offered.verifier_kind = 'tests' then bases_offered.solve_rate
            else bases_offered.mean_score_with_zeros
        end as quality,
        case
            when bases_offered.verifier_kind = 'tests' then bases_offered.solve_rate_graded_only
            else bases_offered.mean_score_scored_only
        end as quality_graded_only,
        bases_offered.cost_status = 'known' as is_cost_exact
    from bases_offered
    inner join task_lists on {{ same_tasks('bases_offered', 'task_lists') }}
    cross join axes

)

select
    *,
    case
        when tasks <> tasks_total then concat('covers ', cast(tasks as string), ' of ', cast(tasks_total as string))
        when quality is null or graded = 0 then 'not graded'
        when is_cost_used and cost_per_task_low_usd is null then concat('cost unknown: ', coalesce(cost_reason, ''))
        when is_time_used and wall_s_per_task is null then 'wall time not reported'
    end as not_comparable_reason
from measured

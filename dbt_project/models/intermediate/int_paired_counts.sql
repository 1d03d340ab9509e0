-- What two arms came to on the tasks that both were graded on, and what was set aside. One row per pair of compared
-- cells.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

outcomes as (

    select * from {{ ref('int_paired_outcomes') }}

),

counted as (

    select
        cell_a_number,
        cell_b_number,
        sum(case when is_shared then 1 else 0 end) as shared_tasks,
        sum(case when is_shared and is_solved_a and is_solved_b then 1 else 0 end) as both_solved,
        sum(case when is_shared and is_solved_a and not is_solved_b then 1 else 0 end) as only_a_solved,
        sum(case when is_shared and is_solved_b and not is_solved_a then 1 else 0 end) as only_b_solved,
        sum(case when is_shared and not is_solved_a and not is_solved_b then 1 else 0 end) as neither_solved,
        {{ exact_sum('case when is_shared then score_a end') }} as score_sum_a,
        {{ exact_sum('case when is_shared then score_b end') }} as score_sum_b,
        sum(case when is_shared then 0 else 1 end) as set_aside_tasks,
        {{ sorted_values('case when not is_shared then task_id end') }} as set_aside_task_ids,
        sum(case when is_ambiguous then 1 else 0 end) as ambiguous_tasks,
        sum(case when is_shared and cost_a_usd is not null then 1 else 0 end) as known_costs_a,
        sum(case when is_shared and cost_b_usd is not null then 1 else 0 end) as known_costs_b,
        sum(case when is_shared then cost_a_usd end) as cost_a_usd,
        sum(case when is_shared then cost_b_usd end) as cost_b_usd
    from outcomes
    group by cell_a_number, cell_b_number

)

select
    arm_a.cell_number as cell_a_number,
    arm_b.cell_number as cell_b_number,
    {% for count in [
        'shared_tasks', 'both_solved', 'only_a_solved', 'only_b_solved', 'neither_solved', 'set_aside_tasks',
        'ambiguous_tasks', 'known_costs_a', 'known_costs_b',
    ] -%}
    {{ whole('coalesce(counted.' ~ count ~ ', 0)') }} as {{ count }},
    {% endfor -%}
    counted.set_aside_task_ids,
    counted.score_sum_a,
    counted.score_sum_b,
    {{ usd('counted.cost_a_usd') }} as cost_a_usd,
    {{ usd('counted.cost_b_usd') }} as cost_b_usd
from cells as arm_a
inner join cells as arm_b
    on arm_a.comparison_number = arm_b.comparison_number and arm_a.arm_id < arm_b.arm_id
left join counted
    on arm_a.cell_number = counted.cell_a_number and arm_b.cell_number = counted.cell_b_number

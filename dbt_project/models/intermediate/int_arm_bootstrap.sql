-- How far a cell's cost per solved task, and its solve rate, move when its tasks are drawn anew: 95% percentile
-- intervals of a cluster bootstrap over tasks. One row per compared cell, cost basis and method that was drawn.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

totals as (

    select
        cell_number,
        cost_basis,
        cost_method,
        count(*) as tasks,
        sum(attempts) as attempts,
        sum(solves) as solves,
        sum(known_costs) as known_costs
    from {{ ref('int_task_sums') }}
    group by cell_number, cost_basis, cost_method

),

draws as (

    select
        *,
        {{ bootstrap_ratio('cost_nanousd', 'solves') }} as nanousd_per_solved,
        {{ ratio('solves', 'attempts') }} as solve_rate
    from {{ ref('int_bootstrap_sums') }}

),

bounds as (

    select
        cell_number,
        cost_basis,
        cost_method,
        {{ bootstrap_bound('nanousd_per_solved', 0.025) }} as cost_low,
        {{ bootstrap_bound('nanousd_per_solved', 0.975) }} as cost_high,
        {{ percentile('solve_rate', 0.025) }} as rate_low,
        {{ percentile('solve_rate', 0.975) }} as rate_high
    from draws
    group by cell_number, cost_basis, cost_method

),

usable as (

    select
        bounds.*,
        totals.tasks,
        {{ ratio('totals.solves', 'totals.attempts') }} * totals.tasks as solved_tasks,
        totals.solves > 0
        and totals.known_costs = totals.attempts
        and coalesce(bounds.cost_low <> bounds.cost_high, true) as has_cost_interval,
        totals.attempts > totals.tasks as has_repeats,
        bounds.rate_low < bounds.rate_high as is_rate_moving
    from bounds
    inner join totals
        on
            bounds.cell_number = totals.cell_number
            and bounds.cost_basis = totals.cost_basis
            and bounds.cost_method = totals.cost_method

)

-- Draws that never differ say nothing about certainty: then the rate has the Wilson interval of as many trials as
-- tasks.
select
    cells.dataset,
    cells.dataset_version,
    cells.split,
    cells.arm_id,
    cells.verifier_id,
    usable.cost_basis,
    usable.cost_method,
    case when usable.has_cost_interval then {{ usd(ratio('usable.cost_low', 1000000000)) }} end
        as cost_per_solved_ci_low_usd,
    case when usable.has_cost_interval then {{ usd(ratio('usable.cost_high', 1000000000)) }} end
        as cost_per_solved_ci_high_usd,
    case
        when not usable.has_repeats then null
        when usable.is_rate_moving then usable.rate_low
        else {{ wilson_low('usable.solved_tasks', 'usable.tasks') }}
    end as solve_rate_low,
    case
        when not usable.has_repeats then null
        when usable.is_rate_moving then usable.rate_high
        else {{ wilson_high('usable.solved_tasks', 'usable.tasks') }}
    end as solve_rate_high
from usable
inner join cells on usable.cell_number = cells.cell_number
where cells.verifier_kind = 'tests'

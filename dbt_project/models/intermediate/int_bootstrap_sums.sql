-- What each cell comes to in every bootstrap draw of tasks, on each basis and method; all arms share the draws of a
-- task. Every column is a whole number, so no order of adding changes it. One row per compared cell, cost basis and
-- method that an interval needs, and draw.
with

task_sums as (

    select * from {{ ref('int_task_sums') }}

),

first_attempts as (

    select * from {{ ref('int_first_attempts') }}

),

weights as (

    select * from {{ ref('int_bootstrap_weights') }}

),

comparable as (

    select * from {{ ref('int_paired_bases') }}
    where cost_ratio_reason is null

),

-- Drawing is the dear part: only those whose draws some interval needs.
subjects as (

    select
        cell_number,
        cost_basis,
        cost_method,
        row_number() over (order by cell_number, cost_basis, cost_method) as subject_number
    from task_sums
    group by cell_number, cost_basis, cost_method
    having
        sum(known_costs) = sum(attempts)
        or sum(attempts) > count(*)
        or cell_number in (select comparable.cell_a_number from comparable)
        or cell_number in (select comparable.cell_b_number from comparable)

),

amounts as (

    select
        subjects.subject_number,
        task_sums.dataset,
        task_sums.task_id,
        cast(task_sums.attempts as double) as attempts,
        cast(task_sums.solves as double) as solves,
        coalesce(task_sums.cost_nanousd, 0) as cost_nanousd,
        coalesce({{ nanodollars('first_attempts.cost_usd') }}, 0) as first_cost_nanousd
    from task_sums
    inner join subjects
        on
            task_sums.cell_number = subjects.cell_number
            and task_sums.cost_basis = subjects.cost_basis
            and task_sums.cost_method = subjects.cost_method
    left join first_attempts
        on task_sums.cell_number = first_attempts.cell_number and task_sums.task_id = first_attempts.task_id

),

drawn as (

    select
        amounts.subject_number,
        weights.draw,
        sum(weights.weight * amounts.attempts) as attempts,
        sum(weights.weight * amounts.solves) as solves,
        sum(weights.weight * amounts.cost_nanousd) as cost_nanousd,
        sum(weights.weight * amounts.first_cost_nanousd) as first_cost_nanousd
    from amounts
    inner join weights on amounts.dataset = weights.dataset and amounts.task_id = weights.task_id
    group by amounts.subject_number, weights.draw

)

select
    subjects.cell_number,
    subjects.cost_basis,
    subjects.cost_method,
    drawn.draw,
    drawn.attempts,
    drawn.solves,
    drawn.cost_nanousd,
    drawn.first_cost_nanousd
from drawn
inner join subjects on drawn.subject_number = subjects.subject_number

{{ config(materialized='view') }}

-- Two arms side by side on every task that either of them attempted: a task is shared where both were graded, else it
-- is set aside. One row per pair of compared cells (arm a before arm b) and task.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

attempts as (

    select * from {{ ref('int_first_attempts') }}

),

tasks as (

    select distinct
        comparison_number,
        dataset,
        task_id
    from attempts

),

pairs as (

    select
        arm_a.comparison_number,
        arm_a.cell_number as cell_a_number,
        arm_b.cell_number as cell_b_number
    from cells as arm_a
    inner join cells as arm_b
        on arm_a.comparison_number = arm_b.comparison_number and arm_a.arm_id < arm_b.arm_id

)

select
    pairs.cell_a_number,
    pairs.cell_b_number,
    tasks.dataset,
    tasks.task_id,
    coalesce(arm_a.is_graded and arm_b.is_graded, false) as is_shared,
    coalesce(arm_a.is_ambiguous, false) or coalesce(arm_b.is_ambiguous, false) as is_ambiguous,
    arm_a.is_solved as is_solved_a,
    arm_b.is_solved as is_solved_b,
    arm_a.score as score_a,
    arm_b.score as score_b,
    arm_a.cost_usd as cost_a_usd,
    arm_b.cost_usd as cost_b_usd
from pairs
inner join tasks on pairs.comparison_number = tasks.comparison_number
left join attempts as arm_a on pairs.cell_a_number = arm_a.cell_number and tasks.task_id = arm_a.task_id
left join attempts as arm_b on pairs.cell_b_number = arm_b.cell_number and tasks.task_id = arm_b.task_id
where arm_a.task_id is not null or arm_b.task_id is not null

-- The attempt by which a cell is compared on a task: number 1, unless it or another attempt at the task was excluded.
-- Where two runs claim to be it (two sources), neither counts as graded. One row per compared cell and task.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

attempts as (

    select * from {{ ref('int_cell_attempts') }}

),

numbered as (

    select
        cells.cell_number,
        cells.comparison_number,
        attempts.*
    from attempts
    inner join cells
        on {{ same_arm('attempts', 'cells') }} and attempts.verifier_id = cells.verifier_id

),

-- Law 1: an excluded attempt takes its task out of its arm's comparisons; a duplicate leaves the run that it doubled.
left_tasks as (

    select distinct
        cell_number,
        task_id
    from numbered
    where is_excluded and excluded_reason <> 'duplicate'

),

first_attempts as (

    select numbered.*
    from numbered
    left join left_tasks
        on numbered.cell_number = left_tasks.cell_number and numbered.task_id = left_tasks.task_id
    where
        coalesce(numbered.attempt_number, 1) = 1
        and not numbered.is_excluded
        and left_tasks.task_id is null

)

select
    cell_number,
    comparison_number,
    dataset,
    task_id,
    count(*) > 1 as is_ambiguous,
    count(*) = 1 and min(case when is_graded then 1 else 0 end) = 1 as is_graded,
    max(case when is_solved then 1 else 0 end) = 1 as is_solved,
    max(cast(score as decimal(38, 12))) as score,
    case
        when count(*) = 1
            then max(case when headline_cost_status in ('known', 'conflict') then headline_cost_usd end)
    end as cost_usd
from first_attempts
group by cell_number, comparison_number, dataset, task_id

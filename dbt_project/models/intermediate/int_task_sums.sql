-- What each cell's attempts at one task come to, on each basis and method: what a bootstrap draws. Costs are whole
-- billionths of a dollar, null where no attempt's is known. One row per compared cell, cost basis, method and task.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

cell_costs as (

    select * from {{ ref('int_cell_costs') }}

),

attempts as (

    select * from {{ ref('int_cell_attempts') }}
    where not is_excluded

),

known_costs as (

    select * from {{ ref('fct_run_costs') }}
    where status in ('known', 'conflict')

)

select
    cells.cell_number,
    cell_costs.cost_basis,
    cell_costs.cost_method,
    cells.dataset,
    attempts.task_id,
    count(*) as attempts,
    sum(case when attempts.is_solved then 1 else 0 end) as solves,
    count(known_costs.amount_usd) as known_costs,
    sum({{ nanodollars('known_costs.amount_usd') }}) as cost_nanousd
from cells
inner join cell_costs on {{ same_arm('cells', 'cell_costs') }} and cells.verifier_id = cell_costs.verifier_id
inner join attempts on {{ same_arm('cells', 'attempts') }} and cells.verifier_id = attempts.verifier_id
left join known_costs
    on
        attempts.run_id = known_costs.run_id
        and cell_costs.cost_basis = known_costs.cost_basis
        and cell_costs.cost_method = known_costs.cost_method
group by cells.cell_number, cell_costs.cost_basis, cell_costs.cost_method, cells.dataset, attempts.task_id

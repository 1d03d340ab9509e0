-- What every cell spent, on every basis and method that its arm has; an arm that declares and states none has the basis
-- `unstated`. One row per cell, cost basis and method.
with

cells as (

    select * from {{ ref('int_cell_quality') }}

),

costs as (

    select * from {{ ref('int_arm_costs') }}

),

headlines as (

    select * from {{ ref('int_arm_headlines') }}

),

run_costs as (

    select * from {{ ref('fct_run_costs') }}

),

attempts as (

    select * from {{ ref('int_cell_attempts') }}

),

unsolved_spend as (

    select
        attempts.dataset,
        attempts.dataset_version,
        attempts.split,
        attempts.arm_id,
        attempts.verifier_id,
        run_costs.cost_basis,
        run_costs.cost_method,
        sum(run_costs.amount_usd) as unsolved_usd
    from attempts
    inner join run_costs on attempts.run_id = run_costs.run_id
    where attempts.verifier_kind = 'tests' and not attempts.is_excluded and not attempts.is_solved
    group by
        attempts.dataset, attempts.dataset_version, attempts.split, attempts.arm_id, attempts.verifier_id,
        run_costs.cost_basis, run_costs.cost_method

)

select
    {{ cell_columns('cells') }},
    coalesce(costs.cost_basis, 'unstated') as cost_basis,
    coalesce(costs.cost_method, 'as_stated') as cost_method,
    coalesce(costs.is_current, true) as is_current,
    coalesce(costs.cost_basis = headlines.cost_basis and costs.cost_method = headlines.cost_method, true) as is_headline,
    costs.spend_usd,
    costs.spend_low_usd,
    costs.spend_high_usd,
    coalesce(costs.known_attempts, 0) as known_attempts,
    costs.excluded_usd,
    coalesce(costs.cost_status, 'unknown') as cost_status,
    case when costs.arm_id is null then 'no cost basis is declared for this arm' else costs.cost_reason end as cost_reason,
    unsolved_spend.unsolved_usd
from cells
left join costs on {{ same_arm('cells', 'costs') }}
left join headlines on {{ same_arm('cells', 'headlines') }}
left join unsolved_spend
    on
        {{ same_arm('cells', 'unsolved_spend') }}
        and cells.verifier_id = unsolved_spend.verifier_id
        and costs.cost_basis = unsolved_spend.cost_basis
        and costs.cost_method = unsolved_spend.cost_method

-- What an arm spent is what its attempts cost together, excluded ones aside; a submission's own amount is on top.
with

run_sums as (

    select
        costs.dataset,
        costs.dataset_version,
        costs.split,
        costs.arm_id,
        costs.cost_basis,
        costs.cost_method,
        sum(costs.low_usd) as low_usd
    from {{ ref('fct_run_costs') }} as costs
    inner join {{ ref('fct_runs') }} as runs on costs.run_id = runs.run_id
    where not runs.is_excluded
    group by
        costs.dataset, costs.dataset_version, costs.split, costs.arm_id, costs.cost_basis, costs.cost_method

),

batches as (

    select distinct dataset, dataset_version, split, arm_id
    from {{ ref('int_batch_costs') }}

)

select cells.arm_label
from {{ ref('cost_per_task') }} as cells
inner join run_sums
    on
        {{ same_arm('cells', 'run_sums') }}
        and cells.cost_basis = run_sums.cost_basis
        and cells.cost_method = run_sums.cost_method
left join batches on {{ same_arm('cells', 'batches') }}
where batches.arm_id is null and cells.spend_low_usd <> {{ usd('run_sums.low_usd') }}

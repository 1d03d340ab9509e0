-- The basis under which an arm is shown on a dataset: the first that is known for every attempt, else the first with any known
-- amount, else the declared one. One row per dataset, version, split and arm that declares or states a cost.
with

costs as (

    select * from {{ ref('int_arm_costs') }}
    where is_current

),

declared as (

    select distinct dataset, dataset_version, split, arm_id, cost_basis
    from {{ ref('fct_run_costs') }}
    where is_declared_basis

),

ranked as (

    select
        costs.*,
        row_number() over (
            partition by costs.dataset, costs.dataset_version, costs.split, costs.arm_id
            order by
                case costs.cost_status when 'unknown' then 3 when 'lower_bound' then 2 else 1 end,
                case when costs.cost_status = 'unknown' and declared.cost_basis is null then 1 else 0 end,
                {{ cost_basis_rank('costs.cost_basis') }},
                costs.cost_method
        ) as choice
    from costs
    left join declared
        on
            costs.dataset = declared.dataset
            and costs.dataset_version = declared.dataset_version
            and costs.split = declared.split
            and costs.arm_id = declared.arm_id
            and costs.cost_basis = declared.cost_basis

)

select
    dataset,
    dataset_version,
    split,
    arm_id,
    cost_basis,
    cost_method,
    cost_status
from ranked
where choice = 1

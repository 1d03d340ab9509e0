-- Whether what two arms cost may be put in a ratio, and if not, why: both must be known, on one basis and by one
-- method, for every task that both were graded on. One row per pair of compared cells.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

counts as (

    select * from {{ ref('int_paired_counts') }}

)

select
    counts.cell_a_number,
    counts.cell_b_number,
    counts.cost_a_usd,
    counts.cost_b_usd,
    case when arm_a.headline_cost_basis = arm_b.headline_cost_basis then arm_a.headline_cost_basis end as cost_basis,
    case
        when arm_a.headline_cost_method = arm_b.headline_cost_method then arm_a.headline_cost_method
    end as cost_method,
    case
        when counts.shared_tasks = 0 then 'no shared tasks'
        when arm_a.headline_cost_basis <> arm_b.headline_cost_basis
            then concat('the two cost bases differ: ', arm_a.headline_cost_basis, ' and ', arm_b.headline_cost_basis)
        when arm_a.headline_cost_method <> arm_b.headline_cost_method
            then concat(
                'the two cost methods differ: ', arm_a.headline_cost_method, ' and ', arm_b.headline_cost_method
            )
        {%- for side in ['a', 'b'] %}
        when counts.known_costs_{{ side }} < counts.shared_tasks
            then concat(
                'the cost of ', arm_{{ side }}.arm_label, ' is known for ',
                cast(counts.known_costs_{{ side }} as string), ' of ',
                cast(counts.shared_tasks as string), ' shared tasks'
            )
        {%- endfor %}
        when counts.cost_a_usd = 0 then concat(arm_a.arm_label, ' cost nothing')
    end as cost_ratio_reason
from counts
inner join cells as arm_a on counts.cell_a_number = arm_a.cell_number
inner join cells as arm_b on counts.cell_b_number = arm_b.cell_number

-- What arm b spent for each dollar of arm a, on the tasks that both were graded on, with a 95% percentile interval over
-- the draws that the two share; or null and why. One row per pair of compared cells.
with

pairs as (

    select * from {{ ref('int_paired_bases') }}

),

sums as (

    select * from {{ ref('int_bootstrap_sums') }}

),

comparable as (

    select * from pairs
    where cost_ratio_reason is null

),

-- Sums are made per arm, once; what a pair sets aside is taken off again.
set_aside as (

    select
        outcomes.cell_a_number,
        outcomes.cell_b_number,
        weights.draw,
        sum(weights.weight * coalesce({{ nanodollars('outcomes.cost_a_usd') }}, 0)) as cost_a,
        sum(weights.weight * coalesce({{ nanodollars('outcomes.cost_b_usd') }}, 0)) as cost_b
    from {{ ref('int_paired_outcomes') }} as outcomes
    inner join comparable
        on outcomes.cell_a_number = comparable.cell_a_number and outcomes.cell_b_number = comparable.cell_b_number
    inner join {{ ref('int_bootstrap_weights') }} as weights
        on outcomes.dataset = weights.dataset and outcomes.task_id = weights.task_id
    where not outcomes.is_shared
    group by outcomes.cell_a_number, outcomes.cell_b_number, weights.draw

),

drawn as (

    select
        comparable.cell_a_number,
        comparable.cell_b_number,
        sums_a.first_cost_nanousd - coalesce(set_aside.cost_a, 0) as cost_a,
        sums_b.first_cost_nanousd - coalesce(set_aside.cost_b, 0) as cost_b
    from comparable
    inner join sums as sums_a
        on
            comparable.cell_a_number = sums_a.cell_number
            and comparable.cost_basis = sums_a.cost_basis
            and comparable.cost_method = sums_a.cost_method
    inner join sums as sums_b
        on
            comparable.cell_b_number = sums_b.cell_number
            and comparable.cost_basis = sums_b.cost_basis
            and comparable.cost_method = sums_b.cost_method
            and sums_a.draw = sums_b.draw
    left join set_aside
        on
            comparable.cell_a_number = set_aside.cell_a_number
            and comparable.cell_b_number = set_aside.cell_b_number
            and sums_a.draw = set_aside.draw

),

ratios as (

    select
        *,
        {{ bootstrap_ratio('cost_b', 'cost_a') }} as cost_ratio
    from drawn

),

bounds as (

    select
        cell_a_number,
        cell_b_number,
        {{ bootstrap_bound('cost_ratio', 0.025) }} as cost_ratio_low,
        {{ bootstrap_bound('cost_ratio', 0.975) }} as cost_ratio_high
    from ratios
    group by cell_a_number, cell_b_number

)

select
    pairs.cell_a_number,
    pairs.cell_b_number,
    pairs.cost_basis,
    case
        when pairs.cost_ratio_reason is null then {{ ratio('pairs.cost_b_usd', 'pairs.cost_a_usd') }}
    end as cost_ratio,
    case when bounds.cost_ratio_low < bounds.cost_ratio_high then bounds.cost_ratio_low end as cost_ratio_low,
    case when bounds.cost_ratio_low < bounds.cost_ratio_high then bounds.cost_ratio_high end as cost_ratio_high,
    pairs.cost_ratio_reason
from pairs
left join bounds on pairs.cell_a_number = bounds.cell_a_number and pairs.cell_b_number = bounds.cell_b_number

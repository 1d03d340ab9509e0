-- Every attempt of an arm that declares a basis has a row on it, known or not.
select runs.run_id
from {{ ref('int_runs') }} as runs
left join {{ ref('fct_run_costs') }} as costs
    on runs.run_id = costs.run_id and runs.declared_cost_basis = costs.cost_basis
where
    runs.kind = 'attempt'
    and runs.dataset is not null
    and runs.declared_cost_basis is not null
    and costs.run_id is null

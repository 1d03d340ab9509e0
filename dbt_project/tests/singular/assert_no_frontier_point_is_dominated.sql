-- No arm on a frontier has another placed arm that is at least as good, costs no more, and is better at one of the two.
with

points as (

    select * from {{ ref('frontier_points') }}
    where axis = 'cost' and status <> 'not_comparable'

)

select
    beaten.arm_label,
    better.arm_label as better_arm_label
from points as beaten
inner join points as better
    on
        beaten.dataset = better.dataset
        and beaten.dataset_version = better.dataset_version
        and beaten.split = better.split
        and beaten.verifier_id = better.verifier_id
        and beaten.cost_basis = better.cost_basis
        and beaten.cost_method = better.cost_method
where
    beaten.status = 'on_frontier'
    and better.cost_status = 'known'
    and better.quality >= beaten.quality
    and better.cost_per_task_usd <= beaten.cost_per_task_usd
    and (better.quality > beaten.quality or better.cost_per_task_usd < beaten.cost_per_task_usd)

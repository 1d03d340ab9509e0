-- The log-factorials reach as far as the data: no tested pair is without its exact test.
select
    dataset,
    arm_a_id,
    arm_b_id,
    shared_tasks
from {{ ref('arm_comparisons') }}
where verifier_kind = 'tests' and shared_tasks > 0 and mcnemar_p is null

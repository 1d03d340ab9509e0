-- Every shared task is solved by both arms, by one or by neither.
select
    dataset,
    arm_a_id,
    arm_b_id,
    shared_tasks
from {{ ref('arm_comparisons') }}
where both_solved + only_a_solved + only_b_solved + neither_solved <> shared_tasks

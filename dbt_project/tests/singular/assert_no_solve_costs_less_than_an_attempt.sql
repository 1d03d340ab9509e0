-- A cost per solved is null where nothing was solved, and never below the cost per task.
select arm_label
from {{ ref('cost_per_task') }}
where
    (solved = 0 and cost_per_solved_low_usd is not null)
    or cost_per_solved_low_usd < cost_per_task_low_usd

select
    run_id,
    max(task_id) as task_id,
    min(recorded_at) as recorded_at,
    '{{ env_var("METERHOUSE_AS_OF", "") }}' as as_of
from {{ source('events', 'run_started') }}
group by run_id

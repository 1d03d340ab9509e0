with

{{ resolved_events('run_started') }}

select
    *,
    {{ arm_id() }} as arm_id,
    {{ arm_label() }} as arm_label
from resolved

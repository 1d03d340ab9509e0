select
    subject_id as run_id,
    sum(distinct amount)::decimal(38, 12) as cost_usd
from {{ source('events', 'cost_reported') }}
group by subject_id

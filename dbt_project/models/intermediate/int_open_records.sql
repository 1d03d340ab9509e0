-- Records set aside in the last reading of their file. A later reading in which they were understood leaves events of the same
-- source behind, recorded later; one in which they were not sets them aside again. One row per record.
{% set others = ['task_defined', 'run_started', 'run_finished', 'turn_completed', 'tokens_reported', 'cost_reported',
    'price_observed', 'bill_line_recorded', 'throughput_sampled', 'run_graded', 'run_judged', 'claim_published'] %}

with

records as (

    select * from {{ ref('stg_events__record_set_aside') }}

),

last_set_aside as (

    select
        event_id,
        max(recorded_at) as last_set_aside_at
    from {{ source('events', 'record_set_aside') }}
    group by event_id

),

sources_read as (

    {% for event_type in others -%}
    select
        source_ref,
        max(recorded_at) as last_read_at
    from {{ source('events', event_type) }}
    where source_ref in (select source_ref from records)
    group by source_ref
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

last_readings as (

    select
        source_ref,
        max(last_read_at) as last_read_at
    from sources_read
    group by source_ref

)

select records.*
from records
inner join last_set_aside on records.event_id = last_set_aside.event_id
left join last_readings on records.source_ref = last_readings.source_ref
where last_readings.last_read_at is null or last_readings.last_read_at <= last_set_aside.last_set_aside_at

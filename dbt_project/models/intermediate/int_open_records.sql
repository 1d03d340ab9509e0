-- Records set aside of which nothing has been read since: no event has the same place in the same source.
-- One row per record.
{% set others = ['task_defined', 'run_started', 'run_finished', 'turn_completed', 'tokens_reported', 'cost_reported',
    'price_observed', 'bill_line_recorded', 'throughput_sampled', 'run_graded', 'run_judged', 'claim_published'] %}

with

records as (

    select * from {{ ref('stg_events__record_set_aside') }}

),

records_read_since as (

    {% for event_type in others -%}
    select records.event_id
    from records
    inner join {{ source('events', event_type) }} as places
        on
            records.source_ref = places.source_ref
            and (records.source_offset is null or records.source_offset = places.source_offset)
    {{ 'union' if not loop.last }}
    {% endfor %}

)

select records.*
from records
left join records_read_since on records.event_id = records_read_since.event_id
where records_read_since.event_id is null

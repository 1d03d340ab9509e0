-- Every request to an LLM. One that stood as unanswered or failed is left out once the record that answers it names it.
-- One row per LLM request and source.
{{ config(materialized='view') }}

with

turns as (

    select * from {{ ref('stg_events__turn_completed') }}

),

attempts_named as (

    select
        source,
        turn_id,
        {{ exploded('attempt_ids') }} as attempt_id
    from turns
    where attempt_ids is not null and coalesce(status, 'completed') <> 'unanswered'

),

attempts_answered as (

    select distinct
        source,
        attempt_id
    from attempts_named
    where attempt_id <> turn_id

)

select turns.*
from turns
left join attempts_answered
    on turns.source = attempts_answered.source and turns.turn_id = attempts_answered.attempt_id
where attempts_answered.attempt_id is null or coalesce(turns.status, 'completed') not in ('unanswered', 'failed')

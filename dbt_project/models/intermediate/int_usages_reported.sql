-- Every observation of usage with the run that it is about; that of a request that is left out is left out too.
-- One row per subject (request or run) and source, without bills.
with

tokens as (

    select * from {{ ref('stg_events__tokens_reported') }}
    where source <> 'bill'

),

turns as (

    select * from {{ ref('int_turns') }}

)

select
    tokens.event_id,
    tokens.subject_kind,
    tokens.subject_id,
    coalesce(turns.run_id, tokens.subject_id) as run_id,
    tokens.source as usage_source,
    tokens.usage_format,
    tokens.raw_counts,
    tokens.completeness,
    tokens.incomplete_reason,
    coalesce(tokens.conflicting_fields like '%raw_counts%' or tokens.conflicting_fields like '%usage_format%', false)
        as is_conflicting
from tokens
left join turns
    on tokens.subject_kind = 'turn' and tokens.source = turns.source and tokens.subject_id = turns.turn_id
where tokens.subject_kind = 'run' or turns.turn_id is not null

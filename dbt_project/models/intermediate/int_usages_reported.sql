-- Every observation of usage with the run that it is about; that of a request that is left out is left out too.
-- One row per subject (request or run) and source, without bills.
{% set columns = ['usage_format', 'raw_counts', 'completeness', 'incomplete_reason'] %}

with

tokens as (

    select
        *,
        coalesce(conflicting_fields like '%raw_counts%' or conflicting_fields like '%usage_format%', false)
            as is_conflicting
    from {{ ref('stg_events__tokens_reported') }}
    where source <> 'bill'

),

turns as (

    select * from {{ ref('int_turns') }}

)

select
    tokens.event_id,
    tokens.subject_kind,
    tokens.subject_id,
    tokens.subject_id as run_id,
    tokens.source as usage_source,
    {% for column in columns -%}
    tokens.{{ column }},
    {% endfor -%}
    tokens.is_conflicting
from tokens
where tokens.subject_kind = 'run'

union all

-- An inner join of its own: a left join with a condition on the left side compares every pair (200 s for 100,000 requests).
select
    tokens.event_id,
    tokens.subject_kind,
    tokens.subject_id,
    turns.run_id,
    tokens.source as usage_source,
    {% for column in columns -%}
    tokens.{{ column }},
    {% endfor -%}
    tokens.is_conflicting
from tokens
inner join turns on tokens.source = turns.source and tokens.subject_id = turns.turn_id
where tokens.subject_kind = 'turn'

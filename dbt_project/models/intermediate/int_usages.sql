-- The observations of usage that count: those of each run's requests, and the report of a run that has none of them.
-- One row per request or run, from its one usage source.
{{ config(materialized='view') }}

select reported.*
from {{ ref('int_usages_reported') }} as reported
inner join {{ ref('int_usage_sources') }} as sources on reported.run_id = sources.run_id
where
    (reported.subject_kind = 'turn' and reported.usage_source = sources.turn_source)
    or (reported.subject_kind = 'run' and reported.usage_source = sources.usage_source and not sources.is_per_turn)

-- The one usage source of each run: the proxy if it saw the run, else the agent's log, the provider, the run's report.
-- One row per run that has a usage of its own.
with

reported as (

    select
        *,
        case source when 'proxy' then 1 when 'agent_log' then 2 when 'provider' then 3 when 'run_report' then 4 end
            as source_rank
    from {{ ref('stg_events__tokens_reported') }}
    where subject_kind = 'run' and source <> 'bill'

),

ranked as (

    select
        *,
        row_number() over (partition by subject_id order by source_rank, event_id) as choice
    from reported

)

select
    event_id,
    subject_id as run_id,
    source as usage_source,
    usage_format,
    raw_counts,
    completeness,
    incomplete_reason,
    conflicting_fields
from ranked
where choice = 1

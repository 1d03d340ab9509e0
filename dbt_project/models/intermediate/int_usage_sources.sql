-- The one usage source of each run: the proxy if it saw the run, else the agent's log, the provider, the run's report.
-- A report of the whole run counts only where no source of its standing or better tells of single requests.
-- One row per run that has requests, or a usage of its own.
with

observed as (

    select distinct
        run_id,
        usage_source as source,
        subject_kind = 'turn' as is_per_turn,
        true as has_usage
    from {{ ref('int_usages_reported') }}

    union

    select distinct
        run_id,
        source,
        true as is_per_turn,
        false as has_usage
    from {{ ref('int_turns') }}

),

ranked as (

    select
        *,
        row_number() over (
            partition by run_id
            order by
                case when has_usage then 0 else 1 end,
                {{ usage_source_rank('source') }},
                case when is_per_turn then 0 else 1 end
        ) as choice
    from observed

)

select
    run_id,
    max(case when choice = 1 then source end) as usage_source,
    bool_or(choice = 1 and is_per_turn) as is_per_turn,
    min_by(source, case when is_per_turn then choice end) as turn_source
from ranked
group by run_id

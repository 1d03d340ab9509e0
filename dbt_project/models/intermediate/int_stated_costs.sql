-- The one stated amount of each run on each basis: the most direct source counts. One row per run and cost basis.
with

stated as (

    select
        *,
        row_number() over (
            partition by subject_id, cost_basis
            order by
                case source
                    when 'bill' then 1 when 'provider' then 2 when 'proxy' then 3 when 'agent_log' then 4 else 5
                end,
                event_id
        ) as choice
    from {{ ref('stg_events__cost_reported') }}
    where subject_kind = 'run'

)

select
    subject_id as run_id,
    cost_basis,
    source as amount_source,
    amount as stated_amount,
    currency as stated_currency,
    event_id as cost_event_id,
    coalesce(conflicting_fields like '%amount%' or conflicting_fields like '%currency%', false) as is_conflicting,
    occurred_at
from stated
where choice = 1

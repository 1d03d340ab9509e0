-- Readings of the dollar price of one credit, each valid until the next one. One row per seller and reading.
with

readings as (

    select
        seller,
        amount as usd_per_credit,
        event_id as price_event_id,
        coalesce(effective_from, observed_at) as valid_from,
        row_number() over (
            partition by seller, coalesce(effective_from, observed_at)
            order by recorded_at, event_id
        ) as same_moment_number
    from {{ ref('stg_events__price_observed') }}
    where meter = 'credit' and currency = 'USD'

)

select
    seller,
    usd_per_credit,
    price_event_id,
    valid_from,
    lead(valid_from) over (partition by seller order by valid_from) as valid_to,
    row_number() over (partition by seller order by valid_from) as reading_number
from readings
where same_moment_number = 1

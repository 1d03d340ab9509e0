-- The total of a side, which is known wherever the raw counts that it does not cancel are.
-- One row per usage and side (input, output).
with

net_terms as (

    select
        event_id,
        side,
        raw_field,
        sum(coefficient) as net_coefficient,
        max(counted_tokens) as counted_tokens
    from {{ ref('int_usage_terms') }}
    where side <> 'of_which'
    group by event_id, side, raw_field

),

totals as (

    select
        event_id,
        side,
        {{ whole(sum_if_all_known('net_coefficient * counted_tokens')) }} as total_tokens
    from net_terms
    where net_coefficient <> 0
    group by event_id, side

),

kinds as (

    select
        event_id,
        side,
        count(*) = count(tokens) as is_every_kind_known,
        coalesce(min(tokens) < 0, false) as is_some_kind_negative
    from {{ ref('int_usage_kinds') }}
    where side <> 'of_which'
    group by event_id, side

)

select
    kinds.event_id,
    kinds.side,
    totals.total_tokens,
    kinds.is_every_kind_known,
    kinds.is_some_kind_negative
from kinds
left join totals on kinds.event_id = totals.event_id and kinds.side = totals.side

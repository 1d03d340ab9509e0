-- The one stated amount of each run on each basis: the most direct source's for the run as a whole, else the sum of what the
-- client says of its requests, which is a lower bound where a request is without. One row per run and cost basis.
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

),

turns as (

    select * from {{ ref('int_turns_counted') }}

),

turn_sums as (

    select
        run_id,
        'client_estimate' as cost_basis,
        min(source) as amount_source,
        {{ usd('coalesce(sum(client_cost_usd), sum(stated_amount))') }} as stated_amount,
        case when bool_or(is_foreign_priced) then 'foreign' end as client_price,
        bool_or(client_cost_status = 'conflict') as is_conflicting,
        sum(case when has_usage then 1 else 0 end) as requests,
        sum(case when has_usage and client_cost_usd is not null then 1 else 0 end) as priced_requests,
        max(occurred_at) as occurred_at
    from turns
    group by run_id
    having count(stated_amount) > 0

)

select
    subject_id as run_id,
    cost_basis,
    source as amount_source,
    amount as stated_amount,
    currency as stated_currency,
    event_id as cost_event_id,
    client_price,
    false as is_sum_of_requests,
    cast(null as string) as bound_reason,
    coalesce(conflicting_fields like '%amount%' or conflicting_fields like '%currency%', false) as is_conflicting,
    occurred_at
from stated
where choice = 1

union all

select
    turn_sums.run_id,
    turn_sums.cost_basis,
    turn_sums.amount_source,
    turn_sums.stated_amount,
    'USD' as stated_currency,
    cast(null as string) as cost_event_id,
    turn_sums.client_price,
    true as is_sum_of_requests,
    case
        when turn_sums.priced_requests < turn_sums.requests then concat(
            cast(turn_sums.priced_requests as string), ' of ', cast(turn_sums.requests as string),
            ' requests have a cost of their own'
        )
    end as bound_reason,
    turn_sums.is_conflicting,
    turn_sums.occurred_at
from turn_sums
left join stated on turn_sums.run_id = stated.subject_id and turn_sums.cost_basis = stated.cost_basis and stated.choice = 1
where stated.subject_id is null

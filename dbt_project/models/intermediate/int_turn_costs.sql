-- What the client says that each request cost. A 0 beside counted tokens is "not reported", and a negative amount is none.
-- One row per LLM request whose client states a cost.
with

stated as (

    select * from {{ ref('stg_events__cost_reported') }}
    where subject_kind = 'turn' and cost_basis = 'client_estimate' and currency = 'USD'

),

usages as (

    select * from {{ ref('int_usage_tokens') }}
    where subject_kind = 'turn'

),

reasons_given as (

    select
        stated.source,
        stated.subject_id as turn_id,
        stated.amount as stated_amount,
        coalesce(stated.client_price = 'foreign', false) as is_foreign,
        coalesce(stated.conflicting_fields like '%amount%', false) as is_conflicting,
        case
            when stated.amount < 0 then 'a negative amount was stated'
            when
                stated.amount = 0
                and coalesce(usages.input_total_tokens, 0) + coalesce(usages.output_total_tokens, 0) > 0
                then 'reported 0 kept aside: tokens were counted'
        end as unknown_reason
    from stated
    left join usages on stated.source = usages.usage_source and stated.subject_id = usages.subject_id

)

select
    source,
    turn_id,
    stated_amount,
    is_foreign,
    case when unknown_reason is null then {{ usd('stated_amount') }} end as client_cost_usd,
    case
        when unknown_reason is not null then 'unknown'
        when is_conflicting then 'conflict'
        else 'known'
    end as client_cost_status,
    case
        when unknown_reason is not null then unknown_reason
        when is_conflicting then 'the source states several amounts'
    end as client_cost_reason
from reasons_given

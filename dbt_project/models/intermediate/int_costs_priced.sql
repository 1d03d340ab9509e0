-- Each stated amount in dollars, with its standing: what was stated in dollars counts as stated, credits at their dated rate.
-- A client's 0 beside counted tokens is "not reported", and another LLM's price is no cost. What the client says of single
-- requests is a lower bound where their tokens are one. One row per run and cost basis.
with

stated as (

    select * from {{ ref('int_stated_costs') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

usages as (

    select * from {{ ref('int_run_usage') }}

),

rates as (

    select * from {{ ref('int_credit_rates') }}

),

facts_joined as (

    select
        stated.*,
        coalesce(stated.client_price = 'foreign', false)
        or coalesce(runs.client_price = 'foreign', false)
        -- Claude Code prices every LLM, also those that Anthropic does not sell.
        or (
            stated.amount_source = 'agent_log'
            and runs.harness in ('claude_code', 'claude-code')
            and coalesce(runs.has_llm_of_others, false)
        ) as is_foreign_priced,
        case when stated.is_sum_of_requests and usages.usage_status = 'lower_bound' then usages.usage_reason end
            as usage_bound_reason,
        coalesce(usages.input_total_tokens, 0) + coalesce(usages.output_total_tokens, 0) as counted_tokens,
        coalesce(rates.usd_per_credit, first_rates.usd_per_credit) as usd_per_credit,
        coalesce(rates.price_event_id, first_rates.price_event_id) as price_event_id,
        rates.price_event_id is null as is_priced_later
    from stated
    inner join runs on stated.run_id = runs.run_id
    left join usages on stated.run_id = usages.run_id
    left join rates
        on
            stated.stated_currency <> 'USD'
            and coalesce(runs.seller, runs.source) = rates.seller
            and runs.started_at >= rates.valid_from
            and (runs.started_at < rates.valid_to or rates.valid_to is null)
    left join rates as first_rates
        on
            stated.stated_currency <> 'USD'
            and coalesce(runs.seller, runs.source) = first_rates.seller
            and first_rates.reading_number = 1

),

reasons_given as (

    select
        *,
        case
            when cost_basis = 'client_estimate' and is_foreign_priced then 'priced as another model'
            when cost_basis = 'client_estimate' and stated_amount = 0 and counted_tokens > 0
                then 'reported 0 kept aside: tokens were counted'
            when stated_amount < 0 then 'a negative amount was stated'
            when stated_currency <> 'USD' and usd_per_credit is null then concat('no dated rate for ', stated_currency)
        end as unknown_reason,
        coalesce(bound_reason, usage_bound_reason) as lower_bound_reason
    from facts_joined

),

amounts_given as (

    select
        *,
        case
            when unknown_reason is not null then null
            when stated_currency = 'USD' then {{ usd('stated_amount') }}
            else {{ usd_for_units('stated_amount', 'usd_per_credit') }}
        end as usd_amount,
        case
            when unknown_reason is not null then 'unknown'
            when lower_bound_reason is not null then 'lower_bound'
            when is_conflicting then 'conflict'
            else 'known'
        end as status
    from reasons_given

)

select
    run_id,
    cost_basis,
    case when stated_currency = 'USD' then 'as_stated' else 'credits_at_rate' end as cost_method,
    case when status <> 'lower_bound' then usd_amount end as amount_usd,
    usd_amount as low_usd,
    case when status <> 'lower_bound' then usd_amount end as high_usd,
    status,
    case
        when unknown_reason is not null then unknown_reason
        when lower_bound_reason is not null then lower_bound_reason
        when is_conflicting then 'the source states several amounts'
        when stated_currency <> 'USD' and is_priced_later then 'priced by a later reading of the rate'
    end as reason,
    amount_source,
    stated_amount,
    stated_currency,
    cost_event_id,
    case when stated_currency <> 'USD' then price_event_id end as price_event_id
from amounts_given

-- Each request with its tokens, its client's cost, and what is not known of them. `bound_suffix` is what makes its run's
-- tokens a lower bound, worded to follow "2 requests". One row per LLM request, from its run's one source of requests.
{% set kinds = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'cache_write_other', 'cache_write',
    'output', 'reasoning', 'input_total', 'output_total'] %}

with

turns as (

    select turns.*
    from {{ ref('int_turns') }} as turns
    inner join {{ ref('int_usage_sources') }} as sources
        on turns.run_id = sources.run_id and turns.source = sources.turn_source

),

usages as (

    select * from {{ ref('int_usage_tokens') }}
    where subject_kind = 'turn'

),

costs as (

    select * from {{ ref('int_turn_costs') }}

),

refusals as (

    select * from {{ ref('refusal_codes') }}

),

joined as (

    select
        turns.*,
        usages.event_id as usage_event_id,
        usages.usage_format as counted_format,
        usages.usage_status as counted_status,
        usages.usage_reason as counted_reason,
        {% for kind in kinds -%}
        usages.{{ kind }}_tokens,
        {% endfor -%}
        usages.printed_total_tokens,
        costs.stated_amount,
        costs.is_foreign as is_foreign_priced,
        costs.client_cost_usd,
        costs.client_cost_status,
        costs.client_cost_reason,
        coalesce(turns.llm_answered, turns.llm_asked) as llm,
        usages.event_id is not null as has_usage,
        coalesce(turns.status, 'completed') in ('completed', 'incomplete') as is_answered,
        -- Policy: a request that was refused costs nothing. One that timed out or broke off may have been billed.
        coalesce(turns.status = 'failed', false)
        and (refusals.error_code is not null or coalesce(turns.error_code like '4__', false)) as is_refused
    from turns
    left join usages on turns.source = usages.usage_source and turns.turn_id = usages.subject_id
    left join costs on turns.source = costs.source and turns.turn_id = costs.turn_id
    left join refusals on turns.error_code = refusals.error_code

)

select
    *,
    case
        when has_usage then counted_status
        else 'unknown'
    end as usage_status,
    case
        when has_usage then counted_reason
        when status = 'unanswered' then 'no reply in the log'
        when is_refused then 'refused: it used nothing'
        when status = 'failed' then 'failed: it may have been billed'
        else 'tokens not reported'
    end as usage_reason,
    case
        when status = 'unanswered' then ' without a reply in the log'
        when is_answered and not has_usage then ' without final usage'
        when status = 'incomplete' and counted_status = 'lower_bound' then ' without final usage'
        when counted_status in ('lower_bound', 'unknown') then concat(': ', counted_reason)
        when status = 'failed' and not has_usage and not is_refused then ' that failed and may have been billed'
    end as bound_suffix,
    case
        when counted_status in ('complete', 'conflict') and counted_reason is not null then concat(': ', counted_reason)
    end as note_suffix
from joined

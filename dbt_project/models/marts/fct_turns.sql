-- Every request to an LLM: who asked and answered, its tokens by kind, its client's cost, its time. A run's requests are those
-- that its one usage source tells of; where only a report of the whole run is better, those of the best source that has any.
with

turns as (

    select
        *,
        {{ started_at() }} as started_at,
        row_number() over (partition by run_id order by occurred_at, ordinal, turn_id) as turn_number
    from {{ ref('int_turns_counted') }}

),

runs as (

    select * from {{ ref('int_runs') }}

)

select
    turns.run_id,
    turns.turn_id,
    {{ whole('turns.turn_number') }} as turn_number,
    turns.source,
    runs.harness,
    turns.session_id,
    turns.agent,
    turns.sub_agent_id,
    turns.sub_agent_id is not null as is_sub_agent,
    turns.llm,
    turns.llm_asked,
    turns.llm_answered,
    turns.provider_asked,
    turns.provider_answered,
    turns.endpoint_tag,
    turns.quantization,
    turns.region,
    turns.service_tier,
    turns.status,
    turns.error_code,
    turns.retry_number,
    turns.started_at,
    turns.occurred_at as completed_at,
    turns.occurred_at_basis,
    turns.ttft_ms,
    turns.duration_ms,
    turns.stop_reason,
    case when turns.is_answered then coalesce({{ length_of('turns.tool_call_ids') }}, 0) end as tool_calls,
    turns.tool_names,
    turns.request_id,
    turns.message_id,
    turns.response_id,
    turns.usage_format,
    turns.usage_status,
    turns.usage_reason,
    {% for column in token_columns() + ['cache_write_tokens', 'reasoning_tokens'] -%}
    turns.{{ column }},
    {% endfor -%}
    {{ ratio('turns.cache_read_tokens', 'turns.input_total_tokens') }} as cache_hit_share,
    turns.client_cost_usd,
    coalesce(turns.client_cost_status, 'unknown') as client_cost_status,
    case when turns.stated_amount is null then 'not reported by the source' else turns.client_cost_reason end
        as client_cost_reason,
    turns.harness_version,
    turns.bad_utf8_bytes,
    turns.source_ref,
    turns.source_offset
from turns
inner join runs on turns.run_id = runs.run_id

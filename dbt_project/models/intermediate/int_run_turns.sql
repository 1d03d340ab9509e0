-- What the requests of a run say of it, their tokens aside. LLMs and versions are those of requests with usage, where there
-- are any. One row per run that has requests.
with

turns as (

    select
        *,
        case when has_usage or not bool_or(has_usage) over (partition by run_id) then llm end as telling_llm,
        {{ started_at() }} as started_at
    from {{ ref('int_turns_counted') }}

),

llm_outputs as (

    select
        run_id,
        telling_llm,
        sum(coalesce(output_total_tokens, 0)) as output_tokens
    from turns
    where telling_llm is not null
    group by run_id, telling_llm

),

llms_ranked as (

    select
        *,
        row_number() over (partition by run_id order by output_tokens desc, telling_llm) as choice
    from llm_outputs

),

run_llms as (

    select
        run_id,
        {{ sorted_values('telling_llm') }} as llms,
        max(case when choice = 1 then telling_llm end) as main_llm,
        bool_or(lower(telling_llm) not like '%claude%') as has_llm_of_others
    from llms_ranked
    group by run_id

),

summed as (

    select
        run_id,
        min(source) as source,
        min(split_part(producer, '/', 1)) as harness,
        coalesce(min(case when sub_agent_id is null then session_id end), min(session_id)) as session_id,
        max_by(harness_version, case when harness_version is not null then occurred_at end) as harness_version,
        count(*) as turns,
        sum(case when has_usage then 1 else 0 end) as requests,
        sum(case when status = 'failed' then 1 else 0 end) as failed_requests,
        sum(case when status = 'unanswered' then 1 else 0 end) as unanswered_requests,
        count(distinct sub_agent_id) as sub_agents,
        sum(case when is_answered then coalesce({{ length_of('tool_call_ids') }}, 0) else 0 end) as tool_calls,
        sum(bad_utf8_bytes) as bad_utf8_bytes,
        min(coalesce(started_at, occurred_at)) as first_at,
        min_by(occurred_at_basis, occurred_at) as first_at_basis,
        max(occurred_at) as last_at,
        bool_and(occurred_at_basis = 'exact') as is_time_exact
    from turns
    group by run_id

)

select
    summed.*,
    run_llms.llms,
    run_llms.main_llm,
    coalesce(run_llms.has_llm_of_others, false) as has_llm_of_others
from summed
left join run_llms on summed.run_id = run_llms.run_id

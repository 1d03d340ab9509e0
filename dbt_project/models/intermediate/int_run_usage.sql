-- The tokens of each run: what its requests sum to, else what was reported of it as a whole. A kind is null as soon as one
-- request's is. What may be missing is told by name. One row per run that has requests or a usage of its own.
{% set kinds = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'cache_write_other', 'cache_write',
    'output', 'reasoning', 'input_total', 'output_total'] %}

with

turns as (

    select turns.*
    from {{ ref('int_turns_counted') }} as turns
    inner join {{ ref('int_usage_sources') }} as sources on turns.run_id = sources.run_id and sources.is_per_turn

),

suffixes_counted as (

    {% for suffix in ['bound', 'note'] -%}
    select
        run_id,
        '{{ suffix }}' as told_as,
        {{ suffix }}_suffix as suffix,
        count(*) as requests
    from turns
    where {{ suffix }}_suffix is not null
    group by run_id, {{ suffix }}_suffix

    union all

    {% endfor -%}
    select distinct
        turns.run_id,
        'never_logged' as told_as,
        formats.never_logged as suffix,
        cast(null as bigint) as requests
    from turns
    inner join {{ ref('usage_formats') }} as formats on turns.usage_format = formats.usage_format
    where formats.never_logged is not null

),

texts_written as (

    select
        run_id,
        told_as,
        case
            when told_as = 'never_logged' then concat('not logged: ', suffix)
            else concat(cast(requests as string), case when requests = 1 then ' request' else ' requests' end, suffix)
        end as text
    from suffixes_counted

),

run_texts as (

    select
        run_id,
        {{ joined_texts("case when told_as <> 'note' then text end", "'; '") }} as bound_reason,
        {{ joined_texts("case when told_as = 'note' then text end", "'; '") }} as note
    from texts_written
    group by run_id

),

usages_summed as (

    select
        run_id,
        min(source) as usage_source,
        case when count(distinct counted_format) = 1 then min(counted_format) end as usage_format,
        sum(case when has_usage then 1 else 0 end) as requests,
        sum(case when is_answered then 1 else 0 end) as answers,
        bool_or(coalesce(counted_status = 'conflict', false)) as is_conflicting,
        {% for kind in kinds -%}
        case
            when count(usage_event_id) > 0 and count(usage_event_id) = count(case when has_usage then {{ kind }}_tokens end)
                then {{ whole('sum(' ~ kind ~ '_tokens)') }}
        end as {{ kind }}_tokens{{ ',' if not loop.last }}
        {% endfor %}
    from turns
    group by run_id

)

select
    run_id,
    usage_source,
    usage_format,
    {% for kind in kinds -%}
    {{ kind }}_tokens,
    {% endfor -%}
    usage_status,
    usage_reason
from {{ ref('int_usage_tokens') }}
where subject_kind = 'run'

union all

select
    summed.run_id,
    case when summed.requests > 0 then summed.usage_source end as usage_source,
    summed.usage_format,
    {% for kind in kinds -%}
    summed.{{ kind }}_tokens,
    {% endfor -%}
    case
        when summed.input_total_tokens is null or summed.output_total_tokens is null then 'unknown'
        when run_texts.bound_reason is not null then 'lower_bound'
        when summed.is_conflicting then 'conflict'
        else 'complete'
    end as usage_status,
    case
        when summed.requests = 0 and summed.answers > 0 then 'tokens not reported'
        when summed.requests = 0 then coalesce(run_texts.bound_reason, 'every request was refused')
        else coalesce(run_texts.bound_reason, run_texts.note)
    end as usage_reason
from usages_summed as summed
left join run_texts on summed.run_id = run_texts.run_id

-- Tokens by kind and the totals of both sides. A kind that comes out negative contradicts its input: its side's kinds become
-- null, the total stays as reported, and the usage is a lower bound. `cache_write_tokens` is all writes, known also where how
-- long they live is not. One row per usage that counts.
{% set input_kinds = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'cache_write_other'] %}

with

usages as (

    select * from {{ ref('int_usages') }}

),

kinds as (

    select
        event_id,
        {% for kind in input_kinds + ['output', 'reasoning'] -%}
        max(case when token_kind = '{{ kind }}' then tokens end) as {{ kind }}_tokens,
        {% endfor -%}
        case
            when count(case when token_kind like 'cache_write%' and tokens is null then 1 end) = 0
                then {{ whole("sum(case when token_kind like 'cache_write%' then tokens end)") }}
        end as cache_write_tokens
    from {{ ref('int_usage_kinds') }}
    group by event_id

),

sides as (

    select
        event_id,
        max(case when side = 'input' then total_tokens end) as input_total_tokens,
        max(case when side = 'output' then total_tokens end) as output_total_tokens,
        coalesce(bool_and(case when side = 'input' then is_every_kind_known end), false) as is_input_split_known,
        coalesce(bool_and(case when side = 'output' then is_every_kind_known end), false) as is_output_split_known,
        coalesce(bool_or(case when side = 'input' then is_some_kind_negative end), false) as is_input_contradicted,
        coalesce(bool_or(case when side = 'output' then is_some_kind_negative end), false) as is_output_contradicted
    from {{ ref('int_usage_sides') }}
    group by event_id

)

select
    usages.event_id,
    usages.subject_kind,
    usages.subject_id,
    usages.run_id,
    usages.usage_source,
    usages.usage_format,
    {% for kind in input_kinds -%}
    case
        when sides.is_input_contradicted then null
        when sides.is_input_split_known then coalesce(kinds.{{ kind }}_tokens, 0)
        else kinds.{{ kind }}_tokens
    end as {{ kind }}_tokens,
    {% endfor -%}
    case
        when not sides.is_input_contradicted
            then coalesce(
                sides.input_total_tokens - kinds.input_uncached_tokens
                - case when sides.is_input_split_known then coalesce(kinds.cache_read_tokens, 0) else kinds.cache_read_tokens end,
                kinds.cache_write_tokens
            )
    end as cache_write_tokens,
    case when not coalesce(sides.is_output_contradicted, false) then kinds.output_tokens end as output_tokens,
    kinds.reasoning_tokens,
    sides.input_total_tokens,
    sides.output_total_tokens,
    case
        when sides.input_total_tokens is null or sides.output_total_tokens is null then 'unknown'
        when sides.is_input_contradicted or sides.is_output_contradicted or usages.completeness = 'lower_bound'
            then 'lower_bound'
        when usages.is_conflicting then 'conflict'
        else 'complete'
    end as usage_status,
    case
        when sides.event_id is null
            then concat('no token convention is declared for the usage format ', usages.usage_format)
        when sides.input_total_tokens is null or sides.output_total_tokens is null then 'tokens not reported'
        when sides.is_input_contradicted then 'cache exceeds input'
        when sides.is_output_contradicted then 'reported parts exceed output'
        when usages.completeness = 'lower_bound' then coalesce(usages.incomplete_reason, 'incomplete')
        when usages.is_conflicting then 'the source states several counts'
        when not sides.is_input_split_known then 'the split of the input by kind is not reported'
    end as usage_reason,
    usages.raw_counts[usage_formats.total_raw_field] as printed_total_tokens
from usages
left join kinds on usages.event_id = kinds.event_id
left join sides on usages.event_id = sides.event_id
left join {{ ref('usage_formats') }} as usage_formats on usages.usage_format = usage_formats.usage_format

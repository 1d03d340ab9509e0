{#
One row per natural key out of everything that was collected.
Nearly every key was told once and is read straight. Under the others, copies of one event_id are one: the earliest counts.
Several ids under one key: a value beats a null and the finer time basis gives the time; what still differs is a conflict, in
which the highest source_revision, then the earliest recorded, then the smallest source_ref counts. `conflicting_fields` names
what differed.
A log of a streamed format writes a reply again as it grows: its numbers are the largest, its sets united, its time and status
those of the latest record, and nothing conflicts. Which run a request belongs to, and where it stands there, is what the
owner's record says (see request_owners): a fork copies requests, and no copy is a conflict.
#}
{% macro resolved_events(event_type) -%}
{%- set contract = event_contract(event_type) -%}
{%- set key = contract['natural_key'] + (['occurred_at'] if contract['is_time_in_key'] else []) -%}
{%- set key = key if contract['natural_key'] else ['event_id'] -%}
{%- set stamped = ['event_type', 'schema_version', 'recorded_at', 'producer', 'source_ref', 'source_offset'] -%}
{%- set columns = ['event_id'] + stamped + ['occurred_at', 'occurred_at_basis', 'source_revision'] + contract['payload'] -%}
{%- set earliest_counts = contract['rule'] == 'earliest_occurred_at' or not contract['natural_key'] -%}
{%- set is_request = event_type == 'turn_completed' -%}
{%- set is_streamable = 'usage_format' in contract['payload'] -%}
{%- set owned = fields_of_the_owner() if is_request else [] -%}
{%- set may_differ = owned + ['run_id'] -%}
events as (

    select * from {{ source('events', event_type) }}

),

keys_told_again as (

    select
        {{ key | join(', ') }},
        true as is_told_again
    from events
    group by {{ key | join(', ') }}
    having count(*) > 1

),

events_marked as (

    select
        events.*,
        keys_told_again.is_told_again
    from events
    left join keys_told_again
        on {% for column in key -%}
            events.{{ column }} is not distinct from keys_told_again.{{ column }}{{ ' and ' if not loop.last }}
        {%- endfor %}

),

copies_numbered as (

    select
        *,
        {{ basis_rank() }} as basis_rank,
        row_number() over (
            partition by event_id
            order by occurred_at, recorded_at, source_ref, coalesce(source_offset, -1)
        ) as copy_number
    from events_marked
    where is_told_again

),

{% if is_request -%}
{{ request_owners() }}

{% endif -%}
versions_ranked as (

    select
        versions.*,
        {% if is_request -%}
        coalesce(versions.status = 'unanswered', false) as is_open,
        {% endif -%}
        {% if is_streamable -%}
        bool_or(coalesce(usage_formats.is_streamed, false)) over (partition by {{ keyed('versions', key) }})
            as is_streamed,
        {% endif -%}
        count(*) over (partition by {{ keyed('versions', key) }}) as versions,
        min(versions.basis_rank) over (partition by {{ keyed('versions', key) }}) as finest_basis_rank,
        max(coalesce(versions.source_revision, -1)) over (partition by {{ keyed('versions', key) }}) as newest_revision
    from copies_numbered as versions
    {% if is_streamable -%}
    left join {{ ref('usage_formats') }} as usage_formats on versions.usage_format = usage_formats.usage_format
    {% endif -%}
    where versions.copy_number = 1

),

versions_placed as (

    select
        *,
        row_number() over (
            partition by {{ key | join(', ') }}
            order by
                coalesce(source_revision, -1) desc,
                {{ 'occurred_at,' if earliest_counts }}
                {{ 'is_open,' if is_request }}
                {% if is_streamable -%}
                case when is_streamed then basis_rank end,
                case when is_streamed then occurred_at end desc,
                case when is_streamed then coalesce(source_offset, -1) end desc,
                case when is_streamed then source_ref end,
                {% endif -%}
                recorded_at, source_ref, coalesce(source_offset, -1), event_id
        ) as precedence
    from versions_ranked

),

{% if is_request -%}
versions_owned as (

    select
        versions.*,
        row_number() over (
            partition by {{ keyed('versions', key) }}
            order by
                case when owners.run_id is null or versions.run_id = owners.run_id then 0 else 1 end,
                versions.is_open,
                case when versions.sub_agent_id is null then 0 else 1 end,
                versions.precedence
        ) as owner_precedence
    from versions_placed as versions
    left join request_owners as owners on {{ same_key('versions', 'owners', key) }}

),

{% endif -%}
{% if 'raw_counts' in contract['payload'] -%}
streamed_counts as (

    select
        {{ key | join(', ') }},
        raw_counts,
        {{ exploded('map_keys(raw_counts)') }} as raw_field
    from versions_ranked
    where is_streamed

),

largest_counts as (

    select
        {{ key | join(', ') }},
        raw_field,
        max(raw_counts[raw_field]) as raw_count
    from streamed_counts
    group by {{ key | join(', ') }}, raw_field

),

largest_maps as (

    select
        {{ key | join(', ') }},
        {{ map_of('raw_field', 'raw_count') }} as raw_counts
    from largest_counts
    group by {{ key | join(', ') }}

),

{% endif -%}
merged as (

    select
        {% for column in columns -%}
        {% if column in key -%}
        {{ column }},
        {% elif column in owned -%}
        max(case when owner_precedence = 1 then {{ column }} end) as {{ column }},
        {% elif column in ['occurred_at', 'occurred_at_basis'] -%}
        min_by(
            {{ column }},
            {{ '1000000000000 * case when is_open then 1 else 0 end + ' if is_request }}
            {{- 'cast(basis_rank as bigint) * 1000000000 + precedence' }}
        ) as {{ column }},
        {% elif is_streamable and column in ['retry_number', 'ttft_ms', 'duration_ms', 'bad_utf8_bytes'] -%}
        case when bool_or(is_streamed) then max({{ column }}) else {{ first_known(column) }} end as {{ column }},
        {% elif is_streamable and column in ['tool_call_ids', 'tool_names'] -%}
        case when bool_or(is_streamed) then {{ united(column) }} else {{ first_known(column) }} end as {{ column }},
        {% elif column == 'status' and is_request -%}
        case
            when bool_or(is_streamed and status = 'completed') and {{ first_known('status') }} = 'incomplete'
                then 'completed'
            else {{ first_known('status') }}
        end as status,
        {% elif column == 'completeness' -%}
        case
            when bool_or(is_streamed and completeness = 'complete') then 'complete'
            else {{ first_known('completeness') }}
        end as completeness,
        {% elif column == 'incomplete_reason' -%}
        case
            when not bool_or(is_streamed and completeness = 'complete') then {{ first_known('incomplete_reason') }}
        end as incomplete_reason,
        {% else -%}
        {{ first_known(column) }} as {{ column }},
        {% endif -%}
        {% endfor -%}
        {% if is_request -%}
        {{ sorted_values('attempt_id') }} as attempt_ids,
        {% endif -%}
        max(versions) as versions,
        max_by(source_ref, precedence) as other_source_ref,
        max_by(source_offset, precedence) as other_source_offset,
        {% if earliest_counts -%}
        cast(null as string) as conflicting_fields
        {%- else -%}
        {{ 'case when not bool_or(is_streamed) then' if is_streamable }} nullif(concat(
            {% if not contract['is_time_in_key'] -%}
            case
                when {{ differs(
                    'case when basis_rank = finest_basis_rank' ~ (' and not is_open' if is_request else '')
                    ~ ' then occurred_at end'
                ) }}
                    then 'occurred_at ' else ''
            end,
            {% endif -%}
            {% for column in contract['payload'] if column not in key + may_differ -%}
            {%- set value = comparable(column) %}
            {%- set value = 'case when not is_open then ' ~ value ~ ' end' if is_request else value %}
            case when {{ differs(value) }} then '{{ column }} ' else '' end,
            {% endfor -%}
            ''
        ), '') {{ 'end' if is_streamable }} as conflicting_fields
        {%- endif %}
    from {{ 'versions_owned' if is_request else 'versions_placed' }}
    {%- if contract['rule'] == 'highest_revision' %}
    where coalesce(source_revision, -1) = newest_revision
    {%- endif %}
    group by {{ key | join(', ') }}

),

resolved as (

    select
        {{ columns | join(',\n        ') }},
        {{ 'case when attempt_id is not null then array[attempt_id] end as attempt_ids,' if is_request }}
        cast(1 as bigint) as versions,
        cast(null as string) as other_source_ref,
        cast(null as bigint) as other_source_offset,
        cast(null as string) as conflicting_fields
    from events_marked
    where is_told_again is null

    union all

    select
        {% for column in columns -%}
        {% if column == 'raw_counts' -%}
        coalesce(largest_maps.raw_counts, merged.raw_counts) as raw_counts,
        {% else -%}
        merged.{{ column }},
        {% endif -%}
        {% endfor -%}
        {{ 'merged.attempt_ids,' if is_request }}
        merged.versions,
        merged.other_source_ref,
        merged.other_source_offset,
        merged.conflicting_fields
    from merged
    {%- if 'raw_counts' in contract['payload'] %}
    left join largest_maps on {{ same_key('merged', 'largest_maps', key) }}
    {%- endif %}

)
{%- endmacro %}

{# Of the versions that say something, the one that counts. #}
{% macro first_known(column) -%}
    min_by({{ column }}, case when {{ column }} is not null then precedence end)
{%- endmacro %}

{# Whether a group has several values that are not null. #}
{% macro differs(value) -%}
    min({{ value }}) <> max({{ value }})
{%- endmacro %}

{% macro keyed(relation, key) -%}
    {%- for column in key %}{{ relation }}.{{ column }}{{ ', ' if not loop.last }}{% endfor -%}
{%- endmacro %}

{% macro same_key(left, right, key) -%}
    {%- for column in key %}{{ left }}.{{ column }} = {{ right }}.{{ column }}{{ ' and ' if not loop.last }}{% endfor -%}
{%- endmacro %}

{# Finer is smaller. #}
{% macro basis_rank() -%}
    case occurred_at_basis when 'exact' then 0 when 'day' then 1 when 'batch' then 2 else 3 end
{%- endmacro %}

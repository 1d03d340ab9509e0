{#
One row per natural key out of everything that was collected.
Nearly every key was told once and is read straight. Under the others, copies of one event_id are one: the earliest counts.
Several ids under one key: a value beats a null and the finer time basis gives the time; what still differs is a conflict, in
which the highest source_revision, then the earliest recorded, then the smallest source_ref counts. `conflicting_fields` names
what differed.
#}
{% macro resolved_events(event_type) -%}
{%- set contract = event_contract(event_type) -%}
{%- set key = contract['natural_key'] + (['occurred_at'] if contract['is_time_in_key'] else []) -%}
{%- set key = key if contract['natural_key'] else ['event_id'] -%}
{%- set stamped = ['event_type', 'schema_version', 'recorded_at', 'producer', 'source_ref', 'source_offset'] -%}
{%- set columns = ['event_id'] + stamped + ['occurred_at', 'occurred_at_basis', 'source_revision'] + contract['payload'] -%}
{%- set earliest_counts = contract['rule'] == 'earliest_occurred_at' or not contract['natural_key'] -%}
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

versions_ranked as (

    select
        *,
        count(*) over (partition by {{ key | join(', ') }}) as versions,
        min(basis_rank) over (partition by {{ key | join(', ') }}) as finest_basis_rank,
        max(coalesce(source_revision, -1)) over (partition by {{ key | join(', ') }}) as newest_revision,
        row_number() over (
            partition by {{ key | join(', ') }}
            order by
                coalesce(source_revision, -1) desc,
                {{ 'occurred_at,' if earliest_counts }}
                recorded_at, source_ref, coalesce(source_offset, -1), event_id
        ) as precedence
    from copies_numbered
    where copy_number = 1

),

merged as (

    select
        {% for column in columns -%}
        {% if column in key -%}
        {{ column }},
        {% elif column in ['occurred_at', 'occurred_at_basis'] -%}
        min_by({{ column }}, cast(basis_rank as bigint) * 1000000000 + precedence) as {{ column }},
        {% else -%}
        min_by({{ column }}, case when {{ column }} is not null then precedence end) as {{ column }},
        {% endif -%}
        {% endfor -%}
        max(versions) as versions,
        {% if earliest_counts -%}
        cast(null as string) as conflicting_fields
        {%- else -%}
        nullif(concat(
            {% if not contract['is_time_in_key'] -%}
            case
                when count(distinct case when basis_rank = finest_basis_rank then occurred_at end) > 1
                    then 'occurred_at ' else ''
            end,
            {% endif -%}
            {% for column in contract['payload'] if column not in key -%}
            case when count(distinct {{ comparable(column) }}) > 1 then '{{ column }} ' else '' end,
            {% endfor -%}
            ''
        ), '') as conflicting_fields
        {%- endif %}
    from versions_ranked
    {%- if contract['rule'] == 'highest_revision' %}
    where coalesce(source_revision, -1) = newest_revision
    {%- endif %}
    group by {{ key | join(', ') }}

),

resolved as (

    select
        {{ columns | join(',\n        ') }},
        cast(1 as bigint) as versions,
        cast(null as string) as conflicting_fields
    from events_marked
    where is_told_again is null

    union all

    select
        {{ columns | join(',\n        ') }},
        versions,
        conflicting_fields
    from merged

)
{%- endmacro %}

{# Finer is smaller. #}
{% macro basis_rank() -%}
    case occurred_at_basis when 'exact' then 0 when 'day' then 1 when 'batch' then 2 else 3 end
{%- endmacro %}

{# A value that can be counted distinct on every engine; maps cannot on Spark. #}
{% macro comparable(column) -%}
    {{ adapter.dispatch('comparable')(column) }}
{%- endmacro %}

{% macro default__comparable(column) -%}
    {{ column }}
{%- endmacro %}

{% macro spark__comparable(column) -%}
    {{ 'to_json(' ~ column ~ ')' if column == 'raw_counts' else column }}
{%- endmacro %}

{#
One row per natural key out of everything that was collected.
Copies of one event_id: the earliest counts. Several ids under one natural key: a value beats a null and the finer time
basis gives the time; what still differs is a conflict, in which the highest source_revision, then the earliest recorded,
then the smallest source_ref counts. `conflicting_fields` names what differed.
#}
{% macro resolved_events(event_type) -%}
{%- set contract = event_contract(event_type) -%}
{%- set stamped = ['event_type', 'schema_version', 'recorded_at', 'producer', 'source_ref', 'source_offset'] -%}
{%- set has_key = contract['natural_key'] | length > 0 -%}
events as (

    select * from {{ source('events', event_type) }}

),

copies_numbered as (

    select
        *,
        row_number() over (
            partition by event_id
            order by occurred_at, recorded_at, source_ref, coalesce(source_offset, -1)
        ) as copy_number
    from events

),

{% if not has_key -%}
resolved as (

    select
        event_id,
        {% for column in stamped + ['occurred_at', 'occurred_at_basis', 'source_revision'] + contract['payload'] -%}
        {{ column }},
        {% endfor -%}
        cast(1 as bigint) as versions,
        cast(null as string) as conflicting_fields
    from copies_numbered
    where copy_number = 1

)
{%- else -%}
{%- set key = contract['natural_key'] + (['occurred_at'] if contract['is_time_in_key'] else []) -%}
{%- set valued = contract['payload'] | reject('in', contract['natural_key']) | list -%}
versions_ranked as (

    select
        *,
        {{ basis_rank() }} as basis_rank,
        count(*) over (partition by {{ key | join(', ') }}) as versions,
        min({{ basis_rank() }}) over (partition by {{ key | join(', ') }}) as finest_basis_rank,
        max(coalesce(source_revision, -1)) over (partition by {{ key | join(', ') }}) as newest_revision,
        row_number() over (
            partition by {{ key | join(', ') }}
            order by
                coalesce(source_revision, -1) desc,
                {{ 'occurred_at,' if contract['rule'] == 'earliest_occurred_at' }}
                recorded_at, source_ref, coalesce(source_offset, -1), event_id
        ) as precedence
    from copies_numbered
    where copy_number = 1

),

undisputed as (

    select
        event_id,
        {% for column in stamped + ['occurred_at', 'occurred_at_basis', 'source_revision'] + contract['payload'] -%}
        {{ column }},
        {% endfor -%}
        versions,
        cast(null as string) as conflicting_fields
    from versions_ranked
    where versions = 1

),

merged as (

    select
        min_by(event_id, precedence) as event_id,
        {% for column in stamped -%}
        min_by({{ column }}, case when {{ column }} is not null then precedence end) as {{ column }},
        {% endfor -%}
        {% if not contract['is_time_in_key'] -%}
        min_by(occurred_at, basis_rank * 1000000000 + precedence) as occurred_at,
        {%- else -%}
        occurred_at,
        {%- endif %}
        min_by(occurred_at_basis, basis_rank * 1000000000 + precedence) as occurred_at_basis,
        max(source_revision) as source_revision,
        {% for column in contract['payload'] -%}
        {% if column in contract['natural_key'] -%}
        {{ column }},
        {% else -%}
        min_by({{ column }}, case when {{ column }} is not null then precedence end) as {{ column }},
        {% endif -%}
        {% endfor -%}
        max(versions) as versions,
        {% if contract['rule'] == 'earliest_occurred_at' -%}
        cast(null as string) as conflicting_fields
        {%- else -%}
        nullif(concat(
            {% if not contract['is_time_in_key'] -%}
            case
                when count(distinct case when basis_rank = finest_basis_rank then occurred_at end) > 1
                    then 'occurred_at ' else ''
            end,
            {% endif -%}
            {% for column in valued -%}
            case when count(distinct {{ comparable(column) }}) > 1 then '{{ column }} ' else '' end,
            {% endfor -%}
            ''
        ), '') as conflicting_fields
        {%- endif %}
    from versions_ranked
    where
        versions > 1
        {% if contract['rule'] == 'highest_revision' -%}
        and coalesce(source_revision, -1) = newest_revision
        {%- endif %}
    group by {{ key | join(', ') }}

),

resolved as (

    select * from undisputed
    union all
    select
        event_id,
        {% for column in stamped + ['occurred_at', 'occurred_at_basis', 'source_revision'] + contract['payload'] -%}
        {{ column }},
        {% endfor -%}
        versions,
        conflicting_fields
    from merged

)
{%- endif %}
{%- endmacro %}

{# Finer is smaller. #}
{% macro basis_rank() -%}
    case occurred_at_basis when 'exact' then 0 when 'day' then 1 when 'batch' then 2 else 3 end
{%- endmacro %}

{# A value that can be counted distinct on every engine; maps cannot on Spark. #}
{% macro comparable(column) -%}
    {{ return(adapter.dispatch('comparable')(column)) }}
{%- endmacro %}

{% macro default__comparable(column) -%}
    {{ column }}
{%- endmacro %}

{% macro spark__comparable(column) -%}
    {{ 'to_json(' ~ column ~ ')' if column == 'raw_counts' else column }}
{%- endmacro %}

{# A map of the keys and values of a group, in the order of its keys. #}
{% macro map_of(key, value) -%}
    {{ adapter.dispatch('map_of')(key, value) }}
{%- endmacro %}

{% macro default__map_of(key, value) -%}
    map_from_entries(array_sort(array_agg(row({{ key }}, {{ value }}))))
{%- endmacro %}

{% macro spark__map_of(key, value) -%}
    map_from_entries(array_sort(collect_list(struct({{ key }}, {{ value }}))))
{%- endmacro %}

{# A value that can be compared on every engine; maps cannot on Spark. #}
{% macro comparable(column) -%}
    {{ adapter.dispatch('comparable')(column) }}
{%- endmacro %}

{% macro default__comparable(column) -%}
    {{ column }}
{%- endmacro %}

{% macro spark__comparable(column) -%}
    {{ 'to_json(' ~ column ~ ')' if column == 'raw_counts' else column }}
{%- endmacro %}

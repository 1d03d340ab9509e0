{# One row per element of a list, in a select list. #}
{% macro exploded(column) -%}
    {{ return(adapter.dispatch('exploded')(column)) }}
{%- endmacro %}

{% macro default__exploded(column) -%}
    unnest({{ column }})
{%- endmacro %}

{% macro spark__exploded(column) -%}
    explode({{ column }})
{%- endmacro %}

{# The distinct values that are not null, sorted; null where there are none. #}
{% macro sorted_values(expression) -%}
    array_sort(array_agg(distinct {{ expression }}) filter (where {{ expression }} is not null))
{%- endmacro %}

{# One row per element of a list, in a select list. #}
{% macro exploded(column) -%}
    {{ adapter.dispatch('exploded')(column) }}
{%- endmacro %}

{% macro default__exploded(column) -%}
    unnest({{ column }})
{%- endmacro %}

{% macro spark__exploded(column) -%}
    explode({{ column }})
{%- endmacro %}

{# The distinct values that are not null, sorted; null where there are none (an empty list on Spark, if not asked). #}
{% macro sorted_values(expression) -%}
    case
        when count({{ expression }}) > 0
            then array_sort(array_agg(distinct {{ expression }}) filter (where {{ expression }} is not null))
    end
{%- endmacro %}

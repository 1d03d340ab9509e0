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

{# The distinct elements of all lists of a group, sorted; null where every list is null. #}
{% macro united(column) -%}
    case
        when count({{ column }}) > 0
            then array_sort(array_distinct(flatten(array_agg({{ column }}) filter (where {{ column }} is not null))))
    end
{%- endmacro %}

{# How many elements a list has; null of null. #}
{% macro length_of(column) -%}
    {{ adapter.dispatch('length_of')(column) }}
{%- endmacro %}

{% macro default__length_of(column) -%}
    {{ whole('len(' ~ column ~ ')') }}
{%- endmacro %}

{% macro spark__length_of(column) -%}
    {{ whole('case when ' ~ column ~ ' is not null then size(' ~ column ~ ') end') }}
{%- endmacro %}

{# The different texts of a group in one, sorted; null where there are none. #}
{% macro joined_texts(expression, separator) -%}
    {{ adapter.dispatch('joined_texts')(expression, separator) }}
{%- endmacro %}

{% macro default__joined_texts(expression, separator) -%}
    array_to_string({{ sorted_values(expression) }}, {{ separator }})
{%- endmacro %}

{% macro spark__joined_texts(expression, separator) -%}
    array_join({{ sorted_values(expression) }}, {{ separator }})
{%- endmacro %}

{# A moment so many milliseconds before another one. #}
{% macro earlier_by_ms(moment, milliseconds) -%}
    {{ adapter.dispatch('earlier_by_ms')(moment, milliseconds) }}
{%- endmacro %}

{% macro default__earlier_by_ms(moment, milliseconds) -%}
    ({{ moment }} - to_microseconds({{ whole('round(' ~ milliseconds ~ ' * 1000)') }}))
{%- endmacro %}

{% macro spark__earlier_by_ms(moment, milliseconds) -%}
    timestamp_micros(unix_micros({{ moment }}) - {{ whole('round(' ~ milliseconds ~ ' * 1000)') }})
{%- endmacro %}

{# Seconds from one moment to another, as a double. #}
{% macro seconds_between(first, last) -%}
    {{ adapter.dispatch('seconds_between')(first, last) }}
{%- endmacro %}

{% macro default__seconds_between(first, last) -%}
    {{ ratio('epoch_us(' ~ last ~ ') - epoch_us(' ~ first ~ ')', '1000000') }}
{%- endmacro %}

{% macro spark__seconds_between(first, last) -%}
    {{ ratio('unix_micros(' ~ last ~ ') - unix_micros(' ~ first ~ ')', '1000000') }}
{%- endmacro %}

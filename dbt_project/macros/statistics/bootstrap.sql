{# A uniform fraction for a task and a draw, as hexadecimal digits: the same on every engine and for every arm. #}
{% macro bootstrap_digits(dataset, task_id, draw) -%}
    md5(concat_ws(chr(31), {{ dataset }}, {{ task_id }}, cast({{ draw }} as string)))
{%- endmacro %}

{# How often such a fraction draws its task: Poisson with mean 1, cut at 10. Digits compare as text as they would as
   numbers; the bounds are the cumulative probabilities 0.3679, 0.7358 … in hexadecimal. #}
{% macro bootstrap_weight(digits) -%}
    case
        {%- for bound in poisson_bounds() %}
        when {{ digits }} < '{{ bound }}' then {{ loop.index0 }}
        {%- endfor %}
        else {{ poisson_bounds() | length }}
    end
{%- endmacro %}

{% macro poisson_bounds() %}
    {{ return([
        '5e2d58d8b3bcdf1a', 'bc5ab1b16779be35', 'eb715e1dc1582dc2', 'fb23979734a252f1', 'ff1025f59174dc3d',
        'ffd90f3ba4055e19', 'fffa8b71fc72c913', 'ffff540c0914b3c9', 'ffffed1f4aa8f120', 'fffffe216e641462',
    ]) }}
{% endmacro %}

{# Billionths of a dollar as whole doubles: up to nine million dollars their sums are exact, in any order. #}
{% macro nanodollars(amount_usd) -%}
    round(cast({{ amount_usd }} as double) * 1000000000)
{%- endmacro %}

{# The ratio of one draw. A draw with something over nothing is not dropped: it stands beyond every bound. #}
{% macro bootstrap_ratio(numerator, denominator) -%}
    coalesce({{ ratio(numerator, denominator) }}, case when {{ numerator }} > 0 then 1e300 end)
{%- endmacro %}

{# A percentile over the draws; null where draws with nothing below the line reach it. #}
{% macro bootstrap_bound(expression, share) -%}
    case when {{ percentile(expression, share) }} < 1e290 then {{ percentile(expression, share) }} end
{%- endmacro %}

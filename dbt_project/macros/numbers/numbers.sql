{# The only places that cast money, ratios and counts. Money is DECIMAL(38,12) USD; a ratio is DOUBLE, null over 0. #}

{% macro usd(expression) -%}
    cast({{ expression }} as decimal(38, 12))
{%- endmacro %}

{% macro ratio(numerator, denominator) -%}
    (cast({{ numerator }} as double) / nullif(cast({{ denominator }} as double), 0))
{%- endmacro %}

{# An amount of units at the price of one: 13 digits before the point, 18 after, then rounded to 12. #}
{% macro usd_for_units(units, unit_price) -%}
    {{ usd("cast(" ~ units ~ " as decimal(19, 6)) * cast(" ~ unit_price ~ " as decimal(18, 12))") }}
{%- endmacro %}

{% macro whole(expression) -%}
    cast({{ expression }} as bigint)
{%- endmacro %}

{# A sum of doubles that is the same in any order of the rows, and so in every build. #}
{% macro exact_sum(expression) -%}
    cast(sum(cast({{ expression }} as decimal(38, 12))) as double)
{%- endmacro %}

{# A sum that is null as soon as one of its parts is: unknown is never zero. #}
{% macro sum_if_all_known(expression) -%}
    case when count(*) = count({{ expression }}) then sum({{ expression }}) end
{%- endmacro %}

{# The ends of the 95% Wilson score interval of k in n, DOUBLE: null for n = 0, exactly 0 at k = 0, exactly 1 at k = n,
   and never of zero width. #}

{% macro wilson_low(k, n) -%}
    case
        when ({{ n }}) > 0 and ({{ k }}) = 0 then cast(0 as double)
        when ({{ n }}) > 0 and ({{ k }}) > 0 then greatest({{ wilson_end(k, n, '-') }}, cast(0 as double))
    end
{%- endmacro %}

{% macro wilson_high(k, n) -%}
    case
        when ({{ n }}) > 0 and ({{ k }}) = ({{ n }}) then cast(1 as double)
        when ({{ n }}) > 0 and ({{ k }}) >= 0 then least({{ wilson_end(k, n, '+') }}, cast(1 as double))
    end
{%- endmacro %}

{% macro wilson_end(k, n, sign) -%}
    {%- set z = '1.959963984540054e0' -%}
    {{ ratio(
        '(' ~ k ~ ') + ' ~ z ~ ' * ' ~ z ~ ' / 2 ' ~ sign ~ ' ' ~ z
        ~ ' * sqrt(' ~ ratio('(' ~ k ~ ') * ((' ~ n ~ ') - (' ~ k ~ '))', n) ~ ' + ' ~ z ~ ' * ' ~ z ~ ' / 4)',
        '(' ~ n ~ ') + ' ~ z ~ ' * ' ~ z
    ) }}
{%- endmacro %}

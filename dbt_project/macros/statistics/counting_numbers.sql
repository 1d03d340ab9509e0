{# The whole numbers from 0 up to, not including, 10 to the power of `digits`: one column, `number`. #}
{% macro counting_numbers(digits) -%}
    select
        {%- for place in range(digits) %}
        digits_{{ place }}.digit * {{ 10 ** place }}{{ ' +' if not loop.last }}
        {%- endfor %} as number
    from
        {%- for place in range(digits) %}
        {{ 'cross join ' if not loop.first }}(
            {%- for digit in range(10) %}
            select cast({{ digit }} as bigint) as digit{{ ' union all' if not loop.last }}
            {%- endfor %}
        ) as digits_{{ place }}
        {%- endfor %}
{%- endmacro %}

{# The value below which a share of the known values lies, interpolated between neighbours; nulls do not count. #}
{% macro percentile(expression, share) -%}
    percentile_cont({{ share }}) within group (order by {{ expression }})
{%- endmacro %}

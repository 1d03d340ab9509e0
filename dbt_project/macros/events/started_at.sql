{# When a request was sent: its reply's time less how long it took, where both are known. #}
{% macro started_at() -%}
    case when occurred_at_basis = 'exact' then {{ earlier_by_ms('occurred_at', 'duration_ms') }} end
{%- endmacro %}

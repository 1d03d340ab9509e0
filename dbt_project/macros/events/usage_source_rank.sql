{# Who is believed first about the tokens of a run. #}
{% macro usage_source_rank(column) -%}
    case {{ column }} when 'proxy' then 1 when 'agent_log' then 2 when 'provider' then 3 when 'run_report' then 4 end
{%- endmacro %}

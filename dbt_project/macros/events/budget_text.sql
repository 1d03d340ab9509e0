{# A run's budgets in one text, such as `usd 5; turns 100`; null where none is stated. #}
{% macro budget_text() -%}
    nullif(trim(concat(
        {%- for name, column in [
            ('wall_s', 'budget_wall_s'),
            ('usd', 'budget_usd'),
            ('tokens', 'budget_tokens'),
            ('turns', 'budget_turns'),
            ('tool_calls', 'budget_tool_calls'),
        ] %}
        case when {{ column }} is not null then concat('{{ name }} ', cast({{ column }} as string), '; ') else '' end
        {{- ',' if not loop.last }}
        {%- endfor %}
    )), '')
{%- endmacro %}

{# What is compared: an arm under one verifier on one dataset, version and split. #}
{% macro cell_fields() %}
    {{ return([
        'dataset', 'dataset_version', 'split',
        'arm_id', 'harness', 'llm', 'serving_path', 'skill', 'effort', 'arm_label',
        'verifier_id', 'verifier', 'verifier_version', 'rubric_hash', 'verifier_kind',
    ]) }}
{% endmacro %}

{% macro cell_columns(relation) -%}
    {%- for field in cell_fields() %}
    {{ relation ~ '.' if relation }}{{ field }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

{# Joins on the dataset, its version and its split. #}
{% macro same_tasks(left, right) -%}
    {{ left }}.dataset = {{ right }}.dataset
    and {{ left }}.dataset_version = {{ right }}.dataset_version
    and {{ left }}.split = {{ right }}.split
{%- endmacro %}

{# Joins on the arm as well. #}
{% macro same_arm(left, right) -%}
    {{ same_tasks(left, right) }}
    and {{ left }}.arm_id = {{ right }}.arm_id
{%- endmacro %}

{% macro token_columns() %}
    {{ return([
        'input_uncached_tokens', 'cache_read_tokens', 'cache_write_5m_tokens', 'cache_write_1h_tokens',
        'cache_write_other_tokens', 'output_tokens', 'input_total_tokens', 'output_total_tokens',
    ]) }}
{% endmacro %}

{# The arm is its five declared strings; each is prefixed by its length, so that no two arms can look alike. #}
{% macro arm_id() -%}
    substr(md5(concat(
        {%- for field in arm_fields() %}
        cast(length({{ field }}) as string), ':', {{ field }}{{ ',' if not loop.last }}
        {%- endfor %}
    )), 1, 16)
{%- endmacro %}

{% macro arm_fields() %}
    {{ return(['harness', 'llm', 'serving_path', 'skill', 'effort']) }}
{% endmacro %}

{# What a reader sees: the harness and the LLM, and the other fields where the source states them. #}
{% macro arm_label() -%}
    concat(
        harness, ' · ', llm,
        case when serving_path <> 'unstated' then concat(' · ', serving_path) else '' end,
        case when skill <> 'unstated' then concat(' · ', skill) else '' end,
        case when effort <> 'unstated' then concat(' · ', effort) else '' end
    )
{%- endmacro %}

{% macro verifier_id() -%}
    substr(md5(concat(
        cast(length(verifier) as string), ':', verifier,
        cast(length(verifier_version) as string), ':', verifier_version,
        cast(length(rubric_hash) as string), ':', rubric_hash
    )), 1, 16)
{%- endmacro %}

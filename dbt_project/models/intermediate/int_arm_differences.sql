-- In which of the five factors two arms differ, and what else must be known before the difference is laid to them.
-- One row per pair of arms that share a dataset, version, split and verifier.
{% set settings = [
    ('harness_versions', 'harness', 'the versions of the harness differ'),
    ('harness_wrapper_versions', 'harness', 'the versions of what drove the harness differ'),
    ('llm_wire_names', 'llm', 'the LLM was asked for under different names'),
    ('budgets', none, 'the budgets differ'),
] %}
with

arms as (

    select * from {{ ref('dim_arms') }}

),

pairs as (

    select distinct
        cell_a.arm_id as arm_a_id,
        cell_b.arm_id as arm_b_id
    from {{ ref('int_compared_cells') }} as cell_a
    inner join {{ ref('int_compared_cells') }} as cell_b
        on cell_a.comparison_number = cell_b.comparison_number and cell_a.arm_id < cell_b.arm_id

)

select
    pairs.arm_a_id,
    pairs.arm_b_id,
    split(concat_ws(
        ','
        {%- for factor in arm_fields() %},
        case when arm_a.{{ factor }} <> arm_b.{{ factor }} then '{{ factor }}' end
        {%- endfor %}
    ), ',') as differing_factors,
    {% for factor in arm_fields() -%}
    'unstated' in (arm_a.{{ factor }}, arm_b.{{ factor }}){{ ' or' if not loop.last }}
    {% endfor -%}
    as is_unstated_factor,
    concat_ws(
        '; '
        {%- for column, factor, sentence in settings %},
        case
            when
                {% if factor %}arm_a.{{ factor }} = arm_b.{{ factor }} and {% endif -%}
                arm_a.{{ column }} is distinct from arm_b.{{ column }}
                then '{{ sentence }}'
        end
        {%- endfor %}
        {%- for side in ['a', 'b'] %},
        case
            when arm_{{ side }}.has_mixed_settings
                then concat('the runs of ', arm_{{ side }}.arm_label, ' have several settings')
        end
        {%- endfor %}
    ) as settings_warning
from pairs
inner join arms as arm_a on pairs.arm_a_id = arm_a.arm_id
inner join arms as arm_b on pairs.arm_b_id = arm_b.arm_id

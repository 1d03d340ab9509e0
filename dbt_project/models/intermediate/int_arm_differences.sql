-- In which of the five factors two compared arms differ, and what else differs between their runs. One row per pair of
-- compared cells.
{% set settings = [
    ('harness_versions', 'harness', 'the versions of the harness differ'),
    ('harness_wrapper_versions', 'harness', 'the versions of what drove the harness differ'),
    ('llm_wire_names', 'llm', 'the LLM was asked for under different names'),
    ('budgets', none, 'the budgets differ'),
] %}
with

cells as (

    select
        cells.*,
        recorded.harness_versions,
        recorded.harness_wrapper_versions,
        recorded.llm_wire_names,
        recorded.budgets,
        coalesce(recorded.has_mixed_settings, false) as has_mixed_settings
    from {{ ref('int_compared_cells') }} as cells
    left join {{ ref('int_cell_settings') }} as recorded on {{ same_arm('cells', 'recorded') }}

)

select
    arm_a.cell_number as cell_a_number,
    arm_b.cell_number as cell_b_number,
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
from cells as arm_a
inner join cells as arm_b on arm_a.comparison_number = arm_b.comparison_number and arm_a.arm_id < arm_b.arm_id

-- What was recorded of a cell's runs beside its five factors. One row per dataset, version, split and arm.
select
    dataset,
    dataset_version,
    split,
    arm_id,
    {{ sorted_values('harness_version') }} as harness_versions,
    {{ sorted_values('harness_wrapper_version') }} as harness_wrapper_versions,
    {{ sorted_values('llm_wire_name') }} as llm_wire_names,
    {{ sorted_values(budget_text()) }} as budgets,
    {% for setting in ['harness_version', 'harness_wrapper_version', 'llm_wire_name', 'skill_hash', budget_text()] -%}
    count(distinct {{ setting }}) > 1{{ ' or' if not loop.last }}
    {% endfor -%}
    as has_mixed_settings
from {{ ref('int_runs') }}
where kind = 'attempt' and dataset is not null and not is_excluded
group by dataset, dataset_version, split, arm_id

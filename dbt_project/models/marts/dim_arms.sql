-- Every arm: its five declared strings, and everything else that was recorded of its attempts. A session is no arm's.
with

runs as (

    select * from {{ ref('int_runs') }}
    where kind = 'attempt'

)

select
    arm_id,
    harness,
    llm,
    serving_path,
    skill,
    effort,
    arm_label,
    {% for column, plural in [
        ('harness_version', 'harness_versions'),
        ('harness_wrapper', 'harness_wrappers'),
        ('harness_wrapper_version', 'harness_wrapper_versions'),
        ('llm_wire_name', 'llm_wire_names'),
        ('seller', 'sellers'),
        ('hosting', 'hostings'),
        ('region', 'regions'),
        ('instance_type', 'instance_types'),
        ('precision', 'precisions'),
        ('declared_cost_basis', 'declared_cost_bases'),
        ('client_price', 'client_prices'),
        ('source', 'sources'),
        ('dataset', 'datasets'),
    ] -%}
    {{ sorted_values(column) }} as {{ plural }},
    {% endfor -%}
    {{ sorted_values(budget_text()) }} as budgets,
    {{ whole('count(*)') }} as runs,
    count(distinct harness_version) > 1
    or count(distinct harness_wrapper_version) > 1
    or count(distinct llm_wire_name) > 1
    or count(distinct skill_hash) > 1
    or count(distinct {{ budget_text() }}) > 1 as has_mixed_settings,
    min(started_at) as first_run_at,
    max(started_at) as last_run_at
from runs
group by arm_id, harness, llm, serving_path, skill, effort, arm_label

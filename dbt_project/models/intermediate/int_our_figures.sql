-- Our side of every number that somebody may have printed, by the name that seeds/claim_metrics.csv uses.
-- `is_exact` is false for a DOUBLE, which cannot tell on which side of a tie it is.
-- One row per scope, arm and dataset (or run), and figure.
{% set inexact = ['solve_rate', 'mean_score_scored_only', 'wall_minutes', 'wall_s_per_task', 'server_hit_rate'] %}
{% set raw_fields = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] %}

with

cells_ranked as (

    select
        *,
        row_number() over (
            partition by dataset, dataset_version, split, arm_id
            order by graded desc, verifier_id
        ) as choice
    from {{ ref('cost_per_task') }}
    where is_headline

),

arms as (

    select * from cells_ranked
    where choice = 1

),

raw_counts as (

    select
        usages.run_id,
        {% for field in raw_fields -%}
        coalesce(
            usages.raw_counts['{{ field }}'],
            max(case when conventions.raw_field = '{{ field }}' and conventions.when_absent = 'zero' then 0 end)
        ) as raw_{{ field }}{{ ',' if not loop.last }}
        {% endfor %}
    from {{ ref('int_usages') }} as usages
    left join {{ ref('token_conventions') }} as conventions on usages.usage_format = conventions.usage_format
    where usages.subject_kind = 'run'
    group by
        usages.run_id
        {%- for field in raw_fields %},
        usages.raw_counts['{{ field }}']
        {%- endfor %}

),

raw_sums as (

    select
        runs.dataset,
        runs.dataset_version,
        runs.split,
        runs.arm_id,
        {% for field in raw_fields -%}
        {{ sum_if_all_known('raw_counts.raw_' ~ field) }} as raw_{{ field }}{{ ',' if not loop.last }}
        {% endfor %}
    from {{ ref('int_runs') }} as runs
    left join raw_counts on runs.run_id = raw_counts.run_id
    where runs.kind = 'attempt' and runs.dataset is not null and not runs.is_excluded
    group by runs.dataset, runs.dataset_version, runs.split, runs.arm_id

),

runs as (

    select
        runs.*,
        {{ ratio('raw_counts.raw_cache_read_tokens', 'raw_counts.raw_cache_read_tokens + raw_counts.raw_cache_write_tokens') }}
            as server_hit_rate
    from {{ ref('fct_runs') }} as runs
    left join raw_counts on runs.run_id = raw_counts.run_id
    where runs.kind = 'attempt' and runs.dataset is not null

),

scores as (

    select run_id, max(score) as score
    from {{ ref('fct_run_grades') }}
    where is_headline
    group by run_id

)

{% for figure, value, status, reason in [
    ('solve_rate', 'solve_rate', "'known'", "'not graded by tests'"),
    ('solved', 'solved', "'known'", "'not graded by tests'"),
    ('attempts', 'attempts', "'known'", 'null'),
    ('scored', 'scored', "'known'", "'not scored by a judge'"),
    ('mean_score_scored_only', 'mean_score_scored_only', "'known'", "'not scored by a judge'"),
    ('spend_usd', 'spend_low_usd', 'cost_status', 'cost_reason'),
    ('cost_per_task_usd', 'cost_per_task_low_usd', 'cost_status', 'cost_reason'),
    ('wall_minutes', 'wall_s_total / 60e0', "'known'", "'wall time not reported'"),
    ('wall_s_per_task', 'wall_s_per_task', "'known'", "'wall time not reported'"),
    ('tokens_processed', 'input_total_tokens + output_total_tokens', 'usage_status', 'usage_reason'),
] -%}
select
    'arm' as scope, dataset, dataset_version, split, arm_id, cast(null as string) as run_id,
    '{{ figure }}' as our_metric,
    {{ usd(value) }} as our_value,
    {{ status }} as our_status,
    cast({{ reason }} as string) as our_reason,
    {{ 'false' if figure in inexact else 'true' }} as is_exact
from arms

union all

{% endfor -%}

{% for field in raw_fields -%}
select
    'arm' as scope, dataset, dataset_version, split, arm_id, cast(null as string) as run_id,
    'raw_{{ field }}' as our_metric,
    {{ usd('raw_' ~ field) }} as our_value,
    'known' as our_status,
    'tokens not reported' as our_reason,
    true as is_exact
from raw_sums

union all

{% endfor -%}

{% for figure, value, status, reason in [
    ('tokens_processed', 'input_total_tokens + output_total_tokens', 'usage_status', 'usage_reason'),
    ('server_hit_rate', 'server_hit_rate', "'known'", "'the share of the cache is not reported'"),
    ('cost_usd', 'headline_cost_low_usd', 'headline_cost_status', 'headline_cost_reason'),
] -%}
select
    'run' as scope, dataset, dataset_version, split, arm_id, run_id,
    '{{ figure }}' as our_metric,
    {{ usd(value) }} as our_value,
    {{ status }} as our_status,
    cast({{ reason }} as string) as our_reason,
    {{ 'false' if figure in inexact else 'true' }} as is_exact
from runs

union all

{% endfor -%}

select
    'run' as scope, runs.dataset, runs.dataset_version, runs.split, runs.arm_id, runs.run_id,
    'score' as our_metric,
    {{ usd('scores.score') }} as our_value,
    'known' as our_status,
    'not scored by a judge' as our_reason,
    false as is_exact
from runs
left join scores on runs.run_id = scores.run_id

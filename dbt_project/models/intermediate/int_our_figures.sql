-- Our side of every number that somebody may have printed, by the name that seeds/claim_metrics.csv uses.
-- One row per scope, arm and dataset (or run), and figure.
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

raw_sums as (

    select
        runs.dataset,
        runs.dataset_version,
        runs.split,
        runs.arm_id,
        {% for field in ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] -%}
        {{ sum_if_all_known("usages.raw_counts['" ~ field ~ "']") }} as raw_{{ field }}{{ ',' if not loop.last }}
        {% endfor %}
    from {{ ref('int_runs') }} as runs
    left join {{ ref('int_run_usage_chosen') }} as usages on runs.run_id = usages.run_id
    where runs.kind = 'attempt' and runs.dataset is not null and not runs.is_excluded
    group by runs.dataset, runs.dataset_version, runs.split, runs.arm_id

),

runs as (

    select * from {{ ref('fct_runs') }}
    where kind = 'attempt' and dataset is not null

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
    ('tokens_processed', 'input_total_tokens + output_total_tokens', 'usage_status', "'tokens not reported, or contradictory'"),
] -%}
select
    'arm' as scope, dataset, dataset_version, split, arm_id, cast(null as string) as run_id,
    '{{ figure }}' as our_metric,
    {{ usd(value) }} as our_value,
    {{ status }} as our_status,
    cast({{ reason }} as string) as our_reason
from arms

union all

{% endfor -%}

{% for field in ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] -%}
select
    'arm' as scope, dataset, dataset_version, split, arm_id, cast(null as string) as run_id,
    'raw_{{ field }}' as our_metric,
    {{ usd('raw_' ~ field) }} as our_value,
    'known' as our_status,
    'tokens not reported' as our_reason
from raw_sums

union all

{% endfor -%}

{% for figure, value, status, reason in [
    ('tokens_processed', 'input_total_tokens + output_total_tokens', 'usage_status', 'usage_reason'),
    ('cache_read_share', ratio('cache_read_tokens', 'input_total_tokens'), "'known'", "'the share of the cache is not reported'"),
    ('cost_usd', 'headline_cost_low_usd', 'headline_cost_status', 'headline_cost_reason'),
] -%}
select
    'run' as scope, dataset, dataset_version, split, arm_id, run_id,
    '{{ figure }}' as our_metric,
    {{ usd(value) }} as our_value,
    {{ status }} as our_status,
    cast({{ reason }} as string) as our_reason
from runs

union all

{% endfor -%}

select
    'run' as scope, runs.dataset, runs.dataset_version, runs.split, runs.arm_id, runs.run_id,
    'score' as our_metric,
    {{ usd('scores.score') }} as our_value,
    'known' as our_status,
    'not scored by a judge' as our_reason
from runs
left join scores on runs.run_id = scores.run_id

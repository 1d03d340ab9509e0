-- Quality and cost of every cell. A point is null unless every attempt's cost is known; then the low column is "at least".
with

quality as (

    select * from {{ ref('int_cell_quality') }}

),

costs as (

    select * from {{ ref('int_cell_costs') }}

),

bootstrap as (

    select * from {{ ref('int_arm_bootstrap') }}

)

select
    {{ cell_columns('quality') }},
    costs.cost_basis,
    costs.cost_method,
    costs.is_current,
    costs.is_headline,
    quality.tasks,
    quality.attempts,
    quality.graded,
    quality.ungraded,
    quality.solved,
    quality.solve_rate,
    case
        when quality.verifier_kind <> 'tests' then null
        when quality.attempts > quality.tasks then bootstrap.solve_rate_low
        else {{ wilson_low('quality.solved', 'quality.attempts') }}
    end as solve_rate_low,
    case
        when quality.verifier_kind <> 'tests' then null
        when quality.attempts > quality.tasks then bootstrap.solve_rate_high
        else {{ wilson_high('quality.solved', 'quality.attempts') }}
    end as solve_rate_high,
    quality.solve_rate_graded_only,
    case
        when quality.verifier_kind <> 'tests' then null
        when quality.attempts > quality.tasks then 'cluster_bootstrap'
        else 'wilson'
    end as interval_method,
    quality.scored,
    quality.mean_score_with_zeros,
    quality.mean_score_scored_only,
    quality.score_scale_max,
    costs.spend_usd,
    costs.spend_low_usd,
    costs.spend_high_usd,
    {% for amount in ['', '_low', '_high'] -%}
    {{ usd(ratio('costs.spend' ~ amount ~ '_usd', 'quality.attempts')) }} as cost_per_task{{ amount }}_usd,
    {% endfor -%}
    {% for amount in ['', '_low', '_high'] -%}
    {{ usd(ratio('costs.spend' ~ amount ~ '_usd', 'quality.solved')) }} as cost_per_solved{{ amount }}_usd,
    {% endfor -%}
    bootstrap.cost_per_solved_ci_low_usd,
    bootstrap.cost_per_solved_ci_high_usd,
    {{ whole('costs.known_attempts') }} as cost_known_attempts,
    {{ ratio('costs.known_attempts', 'quality.attempts') }} as cost_known_share,
    costs.cost_status,
    costs.cost_reason,
    quality.wall_s_total,
    quality.wall_s_per_task,
    quality.wall_s_p50,
    quality.wall_s_p90,
    quality.turns,
    {% for column in token_columns() -%}
    quality.{{ column }},
    {% endfor -%}
    quality.usage_status,
    quality.usage_reason,
    quality.budget_stopped_attempts,
    quality.budget_stopped_share,
    case
        when costs.spend_usd is not null and quality.verifier_kind = 'tests'
            then {{ ratio('coalesce(costs.unsolved_usd, 0)', 'costs.spend_usd') }}
    end as unsolved_spend_share,
    quality.excluded_attempts,
    costs.excluded_usd
from quality
inner join costs
    on {{ same_arm('quality', 'costs') }} and quality.verifier_id = costs.verifier_id
left join bootstrap
    on
        {{ same_arm('costs', 'bootstrap') }}
        and costs.verifier_id = bootstrap.verifier_id
        and costs.cost_basis = bootstrap.cost_basis
        and costs.cost_method = bootstrap.cost_method

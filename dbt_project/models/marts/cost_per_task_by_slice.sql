-- Cost and quality of a cell on one slice of its tasks.
with

attempts as (

    select * from {{ ref('int_cell_attempts') }}
    where not is_excluded

),

slices as (

    select * from {{ ref('int_task_slices') }}

),

cell_costs as (

    select * from {{ ref('int_cell_costs') }}

),

run_costs as (

    select * from {{ ref('fct_run_costs') }}

),

attempts_sliced as (

    select
        {{ cell_columns('attempts') }},
        slices.slice_kind,
        slices.slice_value,
        cell_costs.cost_basis,
        cell_costs.cost_method,
        cell_costs.is_current,
        cell_costs.is_headline,
        attempts.task_id,
        attempts.is_graded,
        attempts.is_solved,
        attempts.score,
        attempts.score_status,
        run_costs.low_usd,
        run_costs.high_usd
    from attempts
    inner join slices on {{ same_tasks('attempts', 'slices') }} and attempts.task_id = slices.task_id
    inner join cell_costs
        on {{ same_arm('attempts', 'cell_costs') }} and attempts.verifier_id = cell_costs.verifier_id
    left join run_costs
        on
            attempts.run_id = run_costs.run_id
            and cell_costs.cost_basis = run_costs.cost_basis
            and cell_costs.cost_method = run_costs.cost_method

),

summed as (

    select
        {{ cell_columns() }},
        slice_kind,
        slice_value,
        cost_basis,
        cost_method,
        is_current,
        is_headline,
        count(distinct task_id) as tasks,
        count(*) as attempts,
        sum(case when is_graded then 1 else 0 end) as graded,
        sum(case when is_solved then 1 else 0 end) as solves,
        sum(case when score_status = 'scored' then 1 else 0 end) as scored,
        {{ exact_sum('coalesce(score, 0)') }} as score_sum,
        {{ exact_sum("case when score_status = 'scored' then score end") }} as scored_sum,
        sum(low_usd) as low_usd,
        count(low_usd) as known_attempts,
        sum(case when low_usd < high_usd then 1 else 0 end) as ranged_attempts
    from attempts_sliced
    group by
        {{ cell_columns() }},
        slice_kind, slice_value, cost_basis, cost_method, is_current, is_headline

),

statuses_given as (

    select
        *,
        case
            when known_attempts = 0 then 'unknown'
            when known_attempts < attempts then 'lower_bound'
            when ranged_attempts > 0 then 'range'
            else 'known'
        end as cost_status
    from summed

)

select
    {{ cell_columns() }},
    slice_kind,
    slice_value,
    cost_basis,
    cost_method,
    is_current,
    is_headline,
    {{ whole('tasks') }} as tasks,
    {{ whole('attempts') }} as attempts,
    {{ whole('graded') }} as graded,
    case when verifier_kind = 'tests' then {{ whole('solves') }} end as solved,
    case when verifier_kind = 'tests' then {{ ratio('solves', 'attempts') }} end as solve_rate,
    case when verifier_kind = 'tests' then {{ wilson_low('solves', 'attempts') }} end as solve_rate_low,
    case when verifier_kind = 'tests' then {{ wilson_high('solves', 'attempts') }} end as solve_rate_high,
    case when verifier_kind = 'judge' then {{ whole('scored') }} end as scored,
    case when verifier_kind = 'judge' then {{ ratio('score_sum', 'attempts') }} end as mean_score_with_zeros,
    case when verifier_kind = 'judge' then {{ ratio('scored_sum', 'scored') }} end as mean_score_scored_only,
    case when cost_status = 'known' then {{ usd('low_usd') }} end as spend_usd,
    {{ usd('low_usd') }} as spend_low_usd,
    case when cost_status = 'known' then {{ usd(ratio('low_usd', 'attempts')) }} end as cost_per_task_usd,
    {{ usd(ratio('low_usd', 'attempts')) }} as cost_per_task_low_usd,
    case
        when cost_status = 'known' and verifier_kind = 'tests' then {{ usd(ratio('low_usd', 'solves')) }}
    end as cost_per_solved_usd,
    {{ whole('known_attempts') }} as cost_known_attempts,
    cost_status
from statuses_given

-- Two arms, paired by task: what each solved that the other did not, whether that can be chance, and what b costs
-- beside a.
with

cells as (

    select * from {{ ref('int_compared_cells') }}

),

counts as (

    select * from {{ ref('int_paired_counts') }}

),

p_values as (

    select * from {{ ref('int_mcnemar_p_values') }}

),

smallest_gaps as (

    select
        discordant,
        greatest(6, coalesce(min(case when p_value <= 0.05 then discordant - 2 * fewer end), 6)) as tasks
    from p_values
    group by discordant

),

costs as (

    select * from {{ ref('int_paired_costs') }}

),

differences as (

    select * from {{ ref('int_arm_differences') }}

),

paired as (

    select
        arm_a.dataset,
        arm_a.dataset_version,
        arm_a.split,
        arm_a.verifier_id,
        arm_a.verifier,
        arm_a.verifier_version,
        arm_a.rubric_hash,
        arm_a.verifier_kind,
        arm_a.arm_id as arm_a_id,
        arm_a.arm_label as arm_a_label,
        arm_b.arm_id as arm_b_id,
        arm_b.arm_label as arm_b_label,
        arm_a.verifier_kind = 'tests' and counts.shared_tasks > 0 as is_tested,
        counts.*
    from counts
    inner join cells as arm_a on counts.cell_a_number = arm_a.cell_number
    inner join cells as arm_b on counts.cell_b_number = arm_b.cell_number

)

select
    paired.dataset,
    paired.dataset_version,
    paired.split,
    paired.verifier_id,
    paired.verifier,
    paired.verifier_version,
    paired.rubric_hash,
    paired.verifier_kind,
    paired.arm_a_id,
    paired.arm_a_label,
    paired.arm_b_id,
    paired.arm_b_label,
    paired.shared_tasks,
    {% for count in ['both_solved', 'only_a_solved', 'only_b_solved', 'neither_solved'] -%}
    case when paired.is_tested then paired.{{ count }} end as {{ count }},
    {% endfor -%}
    paired.set_aside_tasks,
    paired.set_aside_task_ids,
    case
        when paired.is_tested then {{ ratio('paired.both_solved + paired.only_a_solved', 'paired.shared_tasks') }}
    end as solve_rate_a,
    case
        when paired.is_tested then {{ ratio('paired.both_solved + paired.only_b_solved', 'paired.shared_tasks') }}
    end as solve_rate_b,
    case
        when paired.is_tested then {{ ratio('paired.only_b_solved - paired.only_a_solved', 'paired.shared_tasks') }}
    end as solve_rate_difference,
    case when paired.is_tested then p_values.p_value end as mcnemar_p,
    case when paired.is_tested then {{ ratio('smallest_gaps.tasks', 'paired.shared_tasks') }} end
        as smallest_separable_gap,
    case when paired.is_tested then p_values.p_value <= 0.05 end as is_separable,
    {{ ratio('paired.score_sum_a', 'paired.shared_tasks') }} as mean_score_a,
    {{ ratio('paired.score_sum_b', 'paired.shared_tasks') }} as mean_score_b,
    {{ ratio('paired.score_sum_b - paired.score_sum_a', 'paired.shared_tasks') }} as mean_score_difference,
    costs.cost_basis,
    costs.cost_ratio,
    costs.cost_ratio_low,
    costs.cost_ratio_high,
    costs.cost_ratio_reason,
    differences.differing_factors,
    differences.is_unstated_factor,
    nullif(concat_ws(
        '; ',
        case when paired.shared_tasks = 0 then 'no shared tasks' end,
        case
            when paired.ambiguous_tasks > 0 then concat(
                cast(paired.ambiguous_tasks as string), ' tasks with several first attempts are set aside'
            )
        end,
        nullif(differences.settings_warning, '')
    ), '') as warning
from paired
inner join costs
    on paired.cell_a_number = costs.cell_a_number and paired.cell_b_number = costs.cell_b_number
inner join differences
    on paired.cell_a_number = differences.cell_a_number and paired.cell_b_number = differences.cell_b_number
left join p_values
    on
        paired.only_a_solved + paired.only_b_solved = p_values.discordant
        and least(paired.only_a_solved, paired.only_b_solved) = p_values.fewer
left join smallest_gaps on paired.only_a_solved + paired.only_b_solved = smallest_gaps.discordant

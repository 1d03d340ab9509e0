-- Where every cell stands on every frontier. Dominance is judged on unrounded values; a lower bound never dominates.
{% set frontier = [
    'dataset', 'dataset_version', 'split', 'verifier_id', 'quality_metric', 'frontier_basis', 'frontier_method', 'axis'
] %}

with

candidates as (

    select * from {{ ref('int_frontier_candidates') }}

),

placeable as (

    select * from candidates
    where not_comparable_reason is null

),

dominations as (

    select
        {% for field in frontier -%}
        beaten.{{ field }},
        {% endfor -%}
        beaten.arm_id,
        better.arm_id as dominated_by_arm_id,
        better.arm_label as dominated_by_arm_label,
        row_number() over (
            partition by {% for field in frontier %}beaten.{{ field }}, {% endfor %}beaten.arm_id
            order by better.quality desc, better.cost_per_task_low_usd, better.wall_s_per_task, better.arm_id
        ) as choice
    from placeable as beaten
    inner join placeable as better
        on
            {% for field in frontier -%}
            beaten.{{ field }} = better.{{ field }}
            and {% endfor -%}
            beaten.arm_id <> better.arm_id
    where
        (better.is_cost_exact or not better.is_cost_used)
        and better.quality >= beaten.quality
        and (not better.is_cost_used or better.cost_per_task_low_usd <= beaten.cost_per_task_low_usd)
        and (not better.is_time_used or better.wall_s_per_task <= beaten.wall_s_per_task)
        and (
            better.quality > beaten.quality
            or (better.is_cost_used and not beaten.is_cost_exact)
            or (better.is_cost_used and better.cost_per_task_low_usd < beaten.cost_per_task_low_usd)
            or (better.is_time_used and better.wall_s_per_task < beaten.wall_s_per_task)
        )

),

bases_mixed as (

    select
        {{ frontier | join(', ') }},
        min(cost_basis) <> max(cost_basis) as is_mixed
    from placeable
    group by {{ frontier | join(', ') }}

)

select
    {{ cell_columns('candidates') }},
    candidates.quality_metric,
    candidates.frontier_basis as cost_basis,
    candidates.cost_basis as actual_cost_basis,
    candidates.frontier_method as cost_method,
    candidates.axis,
    candidates.quality,
    candidates.solve_rate_low as quality_low,
    candidates.solve_rate_high as quality_high,
    candidates.quality_graded_only,
    candidates.cost_per_task_usd,
    candidates.cost_per_task_low_usd,
    candidates.cost_status,
    candidates.wall_s_per_task,
    case
        when candidates.not_comparable_reason is not null then 'not_comparable'
        when dominations.arm_id is not null then 'dominated'
        when candidates.is_cost_used and not candidates.is_cost_exact then 'undecided'
        else 'on_frontier'
    end as status,
    dominations.dominated_by_arm_id,
    dominations.dominated_by_arm_label,
    case
        when candidates.not_comparable_reason is not null then candidates.not_comparable_reason
        when dominations.arm_id is not null
            then concat(
                'no better than ', dominations.dominated_by_arm_label,
                case candidates.axis
                    when 'cost' then ', and costs no less'
                    when 'wall_time' then ', and takes no less time'
                    else ', costs no less and takes no less time'
                end
            )
        when candidates.is_cost_used and not candidates.is_cost_exact
            then concat('only a lower bound of the cost is known: ', coalesce(candidates.cost_reason, ''))
    end as reason,
    candidates.tasks as tasks_attempted,
    candidates.tasks_total,
    candidates.task_list_source,
    candidates.attempts,
    candidates.solved,
    candidates.graded,
    candidates.frontier_basis = 'headline'
    and candidates.is_cost_used
    and coalesce(bases_mixed.is_mixed, false) as is_directional
from candidates
left join dominations
    on
        {% for field in frontier -%}
        candidates.{{ field }} = dominations.{{ field }}
        and {% endfor -%}
        candidates.arm_id = dominations.arm_id
        and dominations.choice = 1
left join bases_mixed
    on
        {% for field in frontier -%}
        candidates.{{ field }} = bases_mixed.{{ field }}{{ ' and ' if not loop.last }}
        {%- endfor %}

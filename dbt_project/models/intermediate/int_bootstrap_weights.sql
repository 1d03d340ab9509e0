-- How often each attempted task is drawn; draws that leave it out have no row. One row per dataset, task and draw.
with

tasks as (

    select distinct
        dataset,
        task_id
    from {{ ref('int_cell_attempts') }}
    where not is_excluded

),

fractions as (

    select
        tasks.dataset,
        tasks.task_id,
        draws.draw,
        {{ bootstrap_digits('tasks.dataset', 'tasks.task_id', 'draws.draw') }} as digits
    from tasks
    cross join {{ ref('int_bootstrap_draws') }} as draws

),

weights as (

    select
        dataset,
        task_id,
        draw,
        cast({{ bootstrap_weight('digits') }} as double) as weight
    from fractions

)

select * from weights
where weight > 0

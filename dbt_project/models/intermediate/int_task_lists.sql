-- How many tasks a dataset has: what was defined, else the tasks that all arms share. One row per dataset, version and split.
with

attempts as (

    select * from {{ ref('int_runs') }}
    where kind = 'attempt' and dataset is not null and not is_excluded

),

defined as (

    select dataset, dataset_version, split, count(*) as tasks
    from {{ ref('int_tasks') }}
    group by dataset, dataset_version, split

),

arms_counted as (

    select dataset, dataset_version, split, count(distinct arm_id) as arms
    from attempts
    group by dataset, dataset_version, split

),

arms_per_task as (

    select dataset, dataset_version, split, task_id, count(distinct arm_id) as arms
    from attempts
    group by dataset, dataset_version, split, task_id

),

shared as (

    select
        arms_counted.dataset,
        arms_counted.dataset_version,
        arms_counted.split,
        sum(case when arms_per_task.arms = arms_counted.arms then 1 else 0 end) as tasks
    from arms_counted
    inner join arms_per_task on {{ same_tasks('arms_counted', 'arms_per_task') }}
    group by arms_counted.dataset, arms_counted.dataset_version, arms_counted.split

)

select
    shared.dataset,
    shared.dataset_version,
    shared.split,
    {{ whole('coalesce(defined.tasks, shared.tasks)') }} as tasks,
    case when defined.dataset is not null then 'defined' else 'shared by all arms' end as task_list_source
from shared
left join defined on {{ same_tasks('shared', 'defined') }}

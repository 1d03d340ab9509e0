-- The slices that a task belongs to: its complexity, its language, each of its tags. One row per task and slice.
with

tasks as (

    select * from {{ ref('int_tasks') }}

)

select dataset, dataset_version, split, task_id, 'complexity' as slice_kind, complexity as slice_value
from tasks
where complexity is not null

union all

select dataset, dataset_version, split, task_id, 'language' as slice_kind, language as slice_value
from tasks
where language is not null

union all

select dataset, dataset_version, split, task_id, 'tag' as slice_kind, {{ exploded('tags') }} as slice_value
from tasks
where tags is not null

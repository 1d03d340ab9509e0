-- The newest stated value of each attribute of a task, over its revisions. One row per dataset, version, split and task.
with

revisions as (

    select
        *,
        row_number() over (
            partition by dataset, dataset_version, split, task_id
            order by occurred_at desc, recorded_at desc, event_id
        ) as recency
    from {{ ref('stg_events__task_defined') }}

)

select
    dataset,
    dataset_version,
    split,
    task_id,
    {% for column in ['repo', 'ref', 'complexity', 'tags', 'language', 'declared_verifier'] -%}
    min_by({{ column }}, case when {{ column }} is not null then recency end) as {{ column }}{{ ',' if not loop.last }}
    {% endfor %}
from revisions
group by dataset, dataset_version, split, task_id

-- The latest decision about each run that was ever excluded. One row per run.
with

decisions as (

    select
        *,
        row_number() over (partition by run_id order by occurred_at desc, recorded_at desc, event_id) as recency
    from {{ ref('stg_events__run_excluded') }}

),

first_grades as (

    select run_id, min(occurred_at) as first_graded_at
    from (
        select run_id, occurred_at from {{ ref('stg_events__run_graded') }}
        union all
        select run_id, occurred_at from {{ ref('stg_events__run_judged') }}
    ) as grades
    group by run_id

)

select
    decisions.run_id,
    decisions.is_excluded,
    decisions.reason as excluded_reason,
    decisions.is_excluded
    and coalesce(first_grades.first_graded_at < decisions.occurred_at, false) as is_excluded_after_grade
from decisions
left join first_grades on decisions.run_id = first_grades.run_id
where decisions.recency = 1

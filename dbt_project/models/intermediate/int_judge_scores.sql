-- One score per judged attempt: the mean of its artifacts' totals. Criteria are detail and do not enter.
-- One row per attempt, judge, rubric and evaluation.
with

totals as (

    select * from {{ ref('stg_events__run_judged') }}
    where criterion is null

),

scored as (

    select
        run_id,
        judge as verifier,
        judge_version as verifier_version,
        rubric_hash,
        evaluation_number,
        {{ ratio(exact_sum("case when status = 'parsed' then score end"), "count(case when status = 'parsed' then score end)") }}
            as parsed_score,
        max(scale_max) as score_scale_max,
        sum(case when status = 'no_artifact' then 1 else 0 end) as missing_artifacts,
        sum(case when status in ('unparsed', 'out_of_range') then 1 else 0 end) as unreadable_scores,
        sum(case when status = 'parsed' then 1 else 0 end) as parsed_scores,
        min(occurred_at) as graded_at,
        max(conflicting_fields) as conflicting_fields
    from totals
    group by run_id, judge, judge_version, rubric_hash, evaluation_number

)

select
    *,
    case
        when parsed_scores = 0 and missing_artifacts > 0 then 'no_artifact'
        when parsed_scores = 0 then 'unscored'
        else 'scored'
    end as score_status,
    case
        when parsed_scores = 0 and missing_artifacts > 0 then cast(0 as double)
        else parsed_score
    end as score
from scored

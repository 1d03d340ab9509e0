-- Every attempt under every verifier that looked at its arm: what that verifier said first, or that it said nothing.
-- One row per attempt and verifier; an arm that nobody graded has the verifier `none`.
with

attempts as (

    select * from {{ ref('fct_runs') }}
    where kind = 'attempt' and dataset is not null

),

grades as (

    select * from {{ ref('fct_run_grades') }}
    where is_first_evaluation

),

verifiers as (

    select distinct
        dataset,
        dataset_version,
        split,
        arm_id,
        verifier_id,
        verifier,
        verifier_version,
        rubric_hash,
        verifier_kind
    from grades

),

attempts_under_verifiers as (

    select
        attempts.*,
        coalesce(verifiers.verifier_id, 'none') as verifier_id,
        coalesce(verifiers.verifier, 'none') as verifier,
        coalesce(verifiers.verifier_version, 'unstated') as verifier_version,
        coalesce(verifiers.rubric_hash, 'unstated') as rubric_hash,
        coalesce(verifiers.verifier_kind, 'none') as verifier_kind
    from attempts
    left join verifiers
        on
            attempts.dataset = verifiers.dataset
            and attempts.dataset_version = verifiers.dataset_version
            and attempts.split = verifiers.split
            and attempts.arm_id = verifiers.arm_id

)

select
    cells.*,
    grades.is_resolved,
    grades.status as grade_status,
    grades.score,
    grades.score_scale_max,
    grades.score_status,
    case
        when cells.verifier_kind = 'tests' then grades.is_resolved is not null
        when cells.verifier_kind = 'judge' then coalesce(grades.score_status in ('scored', 'no_artifact'), false)
        else false
    end as is_graded,
    coalesce(grades.is_resolved, false) as is_solved
from attempts_under_verifiers as cells
left join grades on cells.run_id = grades.run_id and cells.verifier_id = grades.verifier_id

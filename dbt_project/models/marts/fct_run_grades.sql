-- Every evaluation of an attempt, by tests or by a judge.
with

runs as (

    select * from {{ ref('int_runs') }}
    where kind = 'attempt' and dataset is not null

),

tasks as (

    select * from {{ ref('int_tasks') }}

),

tested as (

    select
        run_id,
        verifier,
        verifier_version,
        rubric_hash,
        'tests' as verifier_kind,
        evaluation_number,
        is_resolved,
        status,
        status_reason,
        cast(null as double) as score,
        cast(null as double) as score_scale_max,
        cast(null as string) as score_status,
        occurred_at as graded_at
    from {{ ref('stg_events__run_graded') }}

),

judged as (

    select
        run_id,
        verifier,
        verifier_version,
        rubric_hash,
        'judge' as verifier_kind,
        evaluation_number,
        cast(null as boolean) as is_resolved,
        score_status as status,
        case
            when unreadable_scores > 0
                then concat(cast(unreadable_scores as string), ' scores could not be used')
        end as status_reason,
        score,
        score_scale_max,
        score_status,
        graded_at
    from {{ ref('int_judge_scores') }}

),

evaluations as (

    select * from tested
    union all
    select * from judged

),

evaluations_ranked as (

    select
        evaluations.*,
        {{ verifier_id() }} as verifier_id,
        row_number() over (
            partition by run_id, verifier, verifier_version, rubric_hash
            order by evaluation_number
        ) = 1 as is_first_evaluation
    from evaluations

)

select
    evaluations_ranked.run_id,
    runs.arm_id,
    runs.harness,
    runs.llm,
    runs.serving_path,
    runs.skill,
    runs.effort,
    runs.arm_label,
    runs.dataset,
    runs.dataset_version,
    runs.split,
    runs.task_id,
    runs.attempt_number,
    evaluations_ranked.verifier_id,
    evaluations_ranked.verifier,
    evaluations_ranked.verifier_version,
    evaluations_ranked.rubric_hash,
    evaluations_ranked.verifier_kind,
    evaluations_ranked.evaluation_number,
    evaluations_ranked.is_first_evaluation,
    evaluations_ranked.is_first_evaluation
    and coalesce(tasks.declared_verifier = evaluations_ranked.verifier, true) as is_headline,
    evaluations_ranked.is_resolved,
    evaluations_ranked.status,
    evaluations_ranked.status_reason,
    evaluations_ranked.score,
    evaluations_ranked.score_scale_max,
    evaluations_ranked.score_status,
    evaluations_ranked.graded_at,
    runs.is_excluded
from evaluations_ranked
inner join runs on evaluations_ranked.run_id = runs.run_id
left join tasks
    on
        runs.dataset = tasks.dataset
        and runs.dataset_version = tasks.dataset_version
        and runs.split = tasks.split
        and runs.task_id = tasks.task_id

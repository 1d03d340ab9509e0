-- Every revision of every task that was defined.
select
    event_id as task_revision_id,
    dataset,
    dataset_version,
    split,
    task_id,
    repo,
    ref,
    complexity,
    tags,
    language,
    declared_verifier,
    published_at,
    statement_hash,
    occurred_at as defined_at,
    row_number() over (
        partition by dataset, dataset_version, split, task_id
        order by occurred_at desc, recorded_at desc, event_id
    ) = 1 as is_current
from {{ ref('stg_events__task_defined') }}

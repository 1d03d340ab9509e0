-- Amounts that were stated for a whole submission of attempts, and for how many attempts each is.
-- One row per batch and cost basis.
with

stated as (

    select * from {{ ref('stg_events__cost_reported') }}
    where subject_kind = 'batch' and currency = 'USD'

),

batches as (

    select
        batch_id,
        min(arm_id) as arm_id,
        min(dataset) as dataset,
        min(dataset_version) as dataset_version,
        min(split) as split,
        count(*) as attempts,
        count(distinct concat(arm_id, dataset, dataset_version, split)) as cells
    from {{ ref('int_runs') }}
    where batch_id is not null
    group by batch_id

)

select
    stated.subject_id as batch_id,
    batches.arm_id,
    batches.dataset,
    batches.dataset_version,
    batches.split,
    stated.cost_basis,
    {{ usd('stated.amount') }} as amount_usd,
    batches.attempts
from stated
inner join batches on stated.subject_id = batches.batch_id
where batches.cells = 1

-- Every attempt's and session's cost on each basis that somebody stated, and an attempt's on its declared basis even where
-- nobody did.
with

runs as (

    select * from {{ ref('int_runs') }}
    where kind = 'session' or dataset is not null

),

attempts as (

    select * from runs
    where kind = 'attempt'

),

priced as (

    select * from {{ ref('int_costs_priced') }}

),

methods as (

    select * from {{ ref('int_cost_methods') }}

),

batch_costs as (

    select * from {{ ref('int_batch_costs') }}

),

stated as (

    select
        priced.run_id,
        priced.cost_basis,
        priced.cost_method,
        priced.amount_usd,
        priced.low_usd,
        priced.high_usd,
        priced.status,
        priced.reason,
        priced.amount_source,
        priced.stated_amount,
        priced.stated_currency,
        priced.cost_event_id,
        priced.price_event_id
    from priced

),

silent as (

    select
        attempts.run_id,
        attempts.declared_cost_basis as cost_basis,
        coalesce(methods.cost_method, 'as_stated') as cost_method,
        cast(null as decimal(38, 12)) as amount_usd,
        cast(null as decimal(38, 12)) as low_usd,
        cast(null as decimal(38, 12)) as high_usd,
        'unknown' as status,
        case
            when batch_costs.batch_id is not null then 'stated for the whole submission only'
            when attempts.declared_cost_basis = 'hardware'
                then 'own GPUs: no throughput and hourly rate have been turned into a cost yet'
            else 'not reported by the source'
        end as reason,
        cast(null as string) as amount_source,
        cast(null as decimal(38, 12)) as stated_amount,
        cast(null as string) as stated_currency,
        cast(null as string) as cost_event_id,
        cast(null as string) as price_event_id
    from attempts
    left join stated
        on attempts.run_id = stated.run_id and attempts.declared_cost_basis = stated.cost_basis
    left join methods on attempts.declared_cost_basis = methods.cost_basis and methods.is_current
    left join batch_costs
        on attempts.batch_id = batch_costs.batch_id and attempts.declared_cost_basis = batch_costs.cost_basis
    where attempts.declared_cost_basis is not null and stated.run_id is null

),

every_cost as (

    select * from stated
    union all
    select * from silent

)

select
    every_cost.run_id,
    runs.arm_id,
    runs.dataset,
    runs.dataset_version,
    runs.split,
    runs.task_id,
    every_cost.cost_basis,
    every_cost.cost_method,
    coalesce(methods.is_current, false) as is_current,
    coalesce(every_cost.cost_basis = runs.declared_cost_basis, false) as is_declared_basis,
    every_cost.amount_usd,
    every_cost.low_usd,
    every_cost.high_usd,
    every_cost.status,
    every_cost.reason,
    every_cost.amount_source,
    every_cost.stated_amount,
    every_cost.stated_currency,
    every_cost.cost_event_id,
    case when every_cost.price_event_id is not null then array[every_cost.price_event_id] end as price_event_ids
from every_cost
inner join runs on every_cost.run_id = runs.run_id
left join methods
    on every_cost.cost_basis = methods.cost_basis and every_cost.cost_method = methods.cost_method

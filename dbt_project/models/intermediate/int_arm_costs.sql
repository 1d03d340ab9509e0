-- What an arm's attempts at a dataset cost together, and how many of those amounts are known.
-- One row per dataset, version, split, arm, cost basis and method; excluded attempts are left out.
with

attempts as (

    select * from {{ ref('int_runs') }}
    where kind = 'attempt' and dataset is not null

),

costs as (

    select * from {{ ref('fct_run_costs') }}

),

batch_costs as (

    select * from {{ ref('int_batch_costs') }}

),

attempts_counted as (

    select
        dataset,
        dataset_version,
        split,
        arm_id,
        sum(case when not is_excluded then 1 else 0 end) as attempts
    from attempts
    group by dataset, dataset_version, split, arm_id

),

amounts_summed as (

    select
        costs.dataset,
        costs.dataset_version,
        costs.split,
        costs.arm_id,
        costs.cost_basis,
        costs.cost_method,
        costs.is_current,
        sum(case when not attempts.is_excluded then costs.low_usd end) as low_usd,
        sum(case when not attempts.is_excluded then costs.high_usd end) as high_usd,
        sum(case when not attempts.is_excluded and costs.status not in ('unknown', 'lower_bound') then 1 else 0 end)
            as known_attempts,
        sum(case when not attempts.is_excluded and costs.status = 'conflict' then 1 else 0 end) as conflicting_attempts,
        sum(case when not attempts.is_excluded and costs.low_usd < costs.high_usd then 1 else 0 end) as ranged_attempts,
        sum(case when attempts.is_excluded then costs.low_usd end) as excluded_usd,
        min(case when not attempts.is_excluded and costs.status in ('unknown', 'lower_bound') then costs.reason end)
            as unknown_reason,
        min(case when not attempts.is_excluded and costs.status not in ('unknown', 'lower_bound') then costs.reason end)
            as known_reason
    from costs
    inner join attempts on costs.run_id = attempts.run_id
    group by
        costs.dataset, costs.dataset_version, costs.split, costs.arm_id,
        costs.cost_basis, costs.cost_method, costs.is_current

),

batches_summed as (

    select
        dataset,
        dataset_version,
        split,
        arm_id,
        cost_basis,
        sum(amount_usd) as batch_usd,
        sum(attempts) as batch_attempts
    from batch_costs
    group by dataset, dataset_version, split, arm_id, cost_basis

),

batches_added as (

    select
        amounts.dataset,
        amounts.dataset_version,
        amounts.split,
        amounts.arm_id,
        amounts.cost_basis,
        amounts.cost_method,
        amounts.is_current,
        attempts_counted.attempts,
        amounts.known_attempts + coalesce(batches.batch_attempts, 0) as known_attempts,
        case
            when amounts.low_usd is not null or batches.batch_usd is not null
                then coalesce(amounts.low_usd, 0) + coalesce(batches.batch_usd, 0)
        end as known_low_usd,
        case
            when amounts.high_usd is not null or batches.batch_usd is not null
                then coalesce(amounts.high_usd, 0) + coalesce(batches.batch_usd, 0)
        end as known_high_usd,
        amounts.conflicting_attempts,
        amounts.ranged_attempts,
        amounts.excluded_usd,
        amounts.unknown_reason,
        amounts.known_reason
    from amounts_summed as amounts
    inner join attempts_counted
        on
            amounts.dataset = attempts_counted.dataset
            and amounts.dataset_version = attempts_counted.dataset_version
            and amounts.split = attempts_counted.split
            and amounts.arm_id = attempts_counted.arm_id
    left join batches_summed as batches
        on
            amounts.dataset = batches.dataset
            and amounts.dataset_version = batches.dataset_version
            and amounts.split = batches.split
            and amounts.arm_id = batches.arm_id
            and amounts.cost_basis = batches.cost_basis
            and amounts.cost_method = 'as_stated'

),

statuses_given as (

    select
        *,
        case
            when attempts = 0 or (known_attempts = 0 and known_low_usd is null) then 'unknown'
            when known_attempts < attempts then 'lower_bound'
            when conflicting_attempts > 0 then 'conflict'
            when ranged_attempts > 0 then 'range'
            else 'known'
        end as cost_status
    from batches_added

)

select
    dataset,
    dataset_version,
    split,
    arm_id,
    cost_basis,
    cost_method,
    is_current,
    attempts,
    {{ whole('least(known_attempts, attempts)') }} as known_attempts,
    case when cost_status in ('known', 'conflict') then {{ usd('known_low_usd') }} end as spend_usd,
    case when cost_status <> 'unknown' then {{ usd('known_low_usd') }} end as spend_low_usd,
    case when cost_status not in ('unknown', 'lower_bound') then {{ usd('known_high_usd') }} end as spend_high_usd,
    {{ usd('excluded_usd') }} as excluded_usd,
    cost_status,
    case
        when cost_status = 'unknown' then unknown_reason
        when cost_status = 'lower_bound' then concat(
            cast(known_attempts as string), ' of ', cast(attempts as string), ' known; the others: ',
            coalesce(unknown_reason, 'not stated on this basis')
        )
        when cost_status = 'conflict' then concat(
            'the source states several amounts for ', cast(conflicting_attempts as string), ' attempts'
        )
        else known_reason
    end as cost_reason
from statuses_given

-- Every number that somebody printed beside ours. `reproduced`: ours, rounded half up to the printed decimals, is the same.
with

published as (

    select
        *,
        case when harness is not null then {{ arm_id() }} end as arm_id,
        case when harness is not null then {{ arm_label() }} end as arm_label,
        case
            when lower(value_text) like '%e%' then 12
            when position('.' in value_text) = 0 then 0
            else length(value_text) - position('.' in value_text)
        end as claimed_decimals
    from {{ ref('stg_events__claim_published') }}

),

metrics as (

    select * from {{ ref('claim_metrics') }}

),

figures as (

    select * from {{ ref('int_our_figures') }}

),

attempted as (

    select distinct dataset, dataset_version, split, arm_id from {{ ref('int_runs') }}

),

claims_met as (

    select
        published.event_id as claim_id,
        published.source,
        published.table_name,
        published.era,
        published.scope,
        published.dataset,
        published.task_id,
        published.run_id,
        published.arm_id,
        published.arm_label,
        published.source_arm,
        published.metric,
        published.value_text as claimed_text,
        published.value as claimed_value,
        published.claimed_decimals,
        published.unit,
        metrics.our_metric,
        metrics.why_not,
        metrics.metric is not null as is_mapped,
        attempted.arm_id is not null as is_attempted,
        {{ usd('figures.our_value * cast(coalesce(metrics.scale, 1) as decimal(18, 6))') }} as our_value,
        figures.our_status,
        figures.our_reason,
        figures.is_exact,
        {{ usd('0.5 * power(10, -least(published.claimed_decimals, 13))') }} as half_a_digit
    from published
    left join metrics
        on
            published.source = metrics.source
            and published.scope = metrics.scope
            and published.metric = metrics.metric
    left join attempted
        on
            published.dataset = attempted.dataset
            and coalesce(published.dataset_version, 'unstated') = attempted.dataset_version
            and coalesce(published.split, 'unstated') = attempted.split
            and published.arm_id = attempted.arm_id
    left join figures
        on
            metrics.our_metric = figures.our_metric
            and published.scope = figures.scope
            and published.dataset = figures.dataset
            and coalesce(published.dataset_version, 'unstated') = figures.dataset_version
            and coalesce(published.split, 'unstated') = figures.split
            and published.arm_id = figures.arm_id
            and coalesce(published.run_id, '') = coalesce(figures.run_id, '')

),

judged as (

    select
        *,
        case
            when why_not is not null then why_not
            when not is_mapped then 'no figure of ours answers to it'
            when claimed_value is null then 'what was printed is not a number'
            when arm_id is null then 'the arm is not in the declared table'
            when not is_attempted then 'no attempts of this arm at this dataset were collected'
            when our_value is null then coalesce(our_reason, 'unknown here')
            when our_status = 'lower_bound' and our_value <= claimed_value
                then concat('ours is a lower bound: ', coalesce(our_reason, ''))
        end as not_computed_reason,
        our_value - claimed_value as difference,
        our_value = claimed_value
        or (our_value >= claimed_value - half_a_digit and our_value < claimed_value + half_a_digit)
        or (not is_exact and our_value = claimed_value + half_a_digit) as is_equal
    from claims_met

)

select
    claim_id,
    source,
    table_name,
    era,
    scope,
    dataset,
    task_id,
    run_id,
    arm_id,
    arm_label,
    source_arm,
    metric,
    claimed_text,
    claimed_value,
    {{ whole('claimed_decimals') }} as claimed_decimals,
    unit,
    our_metric,
    our_value,
    our_status,
    {{ usd('difference') }} as difference,
    {{ ratio('difference', 'claimed_value') }} as difference_share,
    case
        when not_computed_reason is not null then 'not_computed'
        when is_equal then 'reproduced'
        else 'differs'
    end as status,
    case
        when not_computed_reason is not null then not_computed_reason
        when is_equal then null
        when era is not null then concat('a print of an older method: ', era)
        else 'recomputed from the facts'
    end as reason,
    coalesce(our_value is not null and not is_equal, false) as is_gap,
    era is not null as is_older_method
from judged

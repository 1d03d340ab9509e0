-- Everything that a reader should know before trusting a figure, one finding at a time.
with

checks as (

    select * from {{ ref('quality_checks') }}

),

runs as (

    select * from {{ ref('fct_runs') }}

),

cells as (

    select * from {{ ref('cost_per_task') }}

),

claims as (

    select * from {{ ref('claim_gaps') }}

),

arm_sources as (

    select dataset, dataset_version, split, arm_id, min(source) as source
    from runs
    group by dataset, dataset_version, split, arm_id

),

headline_cells as (

    select
        cells.*,
        arm_sources.source,
        concat(cells.arm_label, ' on ', cells.dataset) as subject,
        row_number() over (
            partition by cells.dataset, cells.dataset_version, cells.split, cells.arm_id
            order by cells.verifier_id
        ) as cell_number
    from cells
    inner join arm_sources on {{ same_arm('cells', 'arm_sources') }}
    where cells.is_headline

),

usages_counted as (

    select
        source,
        concat(arm_label, ' on ', dataset) as subject,
        usage_status,
        usage_reason,
        concat(cast(count(*) as string), ' attempts') as counted
    from runs
    where kind = 'attempt' and not is_excluded and usage_status in ('lower_bound', 'unknown')
    group by source, arm_label, dataset, usage_status, usage_reason

    union all

    select
        source,
        harness as subject,
        usage_status,
        usage_reason,
        concat(cast(count(*) as string), case when count(*) = 1 then ' session' else ' sessions' end) as counted
    from runs
    where kind = 'session' and not is_excluded and usage_status = 'unknown'
    group by source, harness, usage_status, usage_reason

),

runs_named as (

    select
        run_id,
        kind,
        source,
        harness,
        usage_status,
        usage_reason,
        is_excluded,
        case
            when kind = 'session' then concat(harness, ' ', coalesce(session_id, run_id))
            else concat(arm_label, ' on ', dataset, ': ', task_id)
        end as subject
    from runs

),

turns as (

    select * from {{ ref('int_turns_counted') }}

),

bad_texts as (

    select
        run_id,
        source_ref,
        sum(bad_utf8_bytes) as bad_utf8_bytes
    from turns
    where bad_utf8_bytes > 0
    group by run_id, source_ref

),

duplicates as (

    select
        min(source) as source,
        concat(arm_label, ' on ', dataset) as subject,
        concat('task ', task_id, ', attempt ', cast(attempt_number as string), ': ', cast(count(*) as string), ' runs')
            as detail
    from runs
    where kind = 'attempt' and not is_excluded and attempt_number is not null
    group by arm_id, arm_label, dataset, dataset_version, split, task_id, attempt_number
    having count(*) > 1

),

findings as (

    select
        'record_set_aside' as check_name,
        collector as source,
        path as subject,
        reason as detail,
        source_ref,
        source_offset,
        occurred_at as found_at
    from {{ ref('int_open_records') }}

    union all

    select
        'conflicting_facts', producer, concat(event_type, ' ', subject),
        concat(
            cast(versions as string), ' versions differ in ', conflicting_fields,
            case
                when other_source_offset is not null
                    then concat('; not counted: ', other_source_ref, ', offset ', cast(other_source_offset as string))
                else ''
            end
        ),
        source_ref, source_offset, recorded_at
    from {{ ref('int_conflicts') }}

    union all

    select 'duplicate_attempt', source, subject, detail, null, null, null
    from duplicates

    union all

    select 'unknown_cost', source, subject, cost_reason, null, null, null
    from headline_cells
    where cell_number = 1 and cost_status = 'unknown'

    union all

    select 'lower_bound_cost', source, subject, cost_reason, null, null, null
    from headline_cells
    where cell_number = 1 and cost_status = 'lower_bound'

    union all

    select
        'foreign_price', runs.source, runs.subject,
        concat('stated ', cast(costs.stated_amount as string), ' ', costs.stated_currency), null, null, null
    from {{ ref('fct_run_costs') }} as costs
    inner join runs_named as runs on costs.run_id = runs.run_id
    where costs.reason = 'priced as another model'

    union all

    select
        'zero_kept_aside', source, concat(source_arm, ' on ', dataset, ': ', metric),
        concat(cast(count(*) as string), ' attempts report 0'), null, null, null
    from claims
    where scope = 'run' and claimed_value = 0 and our_value is null
    group by source, source_arm, dataset, metric

    union all

    select
        case when usage_status = 'lower_bound' then 'lower_bound_tokens' else 'unknown_tokens' end,
        source, subject, concat(counted, ': ', usage_reason), null, null, null
    from usages_counted

    union all

    select 'lower_bound_tokens', source, subject, usage_reason, null, null, null
    from runs_named
    where kind = 'session' and not is_excluded and usage_status = 'lower_bound'

    union all

    select
        'usage_identity', runs.source, concat(runs.subject, ', request ', turns.turn_id),
        concat(
            'printed ', cast(turns.printed_total_tokens as string),
            ', ours ', cast(turns.input_total_tokens + turns.output_total_tokens as string)
        ),
        turns.source_ref, turns.source_offset, turns.occurred_at
    from turns
    inner join runs_named as runs on turns.run_id = runs.run_id
    where turns.printed_total_tokens <> turns.input_total_tokens + turns.output_total_tokens

    union all

    select
        'bad_utf8', runs.source, runs.subject, concat(cast(bad_texts.bad_utf8_bytes as string), ' bytes'),
        bad_texts.source_ref, null, null
    from bad_texts
    inner join runs_named as runs on bad_texts.run_id = runs.run_id

    union all

    select
        'run_flagged', coalesce(runs.source, flags.producer), coalesce(runs.subject, flags.run_id),
        case when flags.detail is null then flags.flag else concat(flags.flag, ': ', flags.detail) end,
        flags.source_ref, flags.source_offset, flags.occurred_at
    from {{ ref('stg_events__run_flagged') }} as flags
    left join runs_named as runs on flags.run_id = runs.run_id

    union all

    select
        'ungraded_attempts', source, subject,
        concat(cast(ungraded as string), ' of ', cast(attempts as string), ' attempts'), null, null, null
    from headline_cells
    where ungraded > 0

    union all

    select
        'excluded_attempts', source, subject, concat(cast(excluded_attempts as string), ' attempts'), null, null, null
    from headline_cells
    where cell_number = 1 and excluded_attempts > 0

    union all

    select
        'claim_differs', source, concat(coalesce(arm_label, source_arm), ' on ', dataset, ': ', metric),
        concat('printed ', claimed_text, ', ours ', cast(our_value as string), '; ', reason), table_name, null, null
    from claims
    where status = 'differs'

    union all

    select
        'unit_alarm', source, concat(coalesce(arm_label, source_arm), ' on ', dataset, ': ', metric),
        concat('printed ', claimed_text, ', ours ', cast(our_value as string)), table_name, null, null
    from claims
    where
        unit = 'USD'
        and our_value > 0
        and (
            {{ ratio('claimed_value', 'our_value') }} between 90 and 110
            or {{ ratio('our_value', 'claimed_value') }} between 90 and 110
        )

)

select
    findings.check_name,
    findings.source,
    checks.severity,
    findings.subject,
    findings.detail,
    findings.source_ref,
    findings.source_offset,
    findings.found_at
from findings
inner join checks on findings.check_name = checks.check_name

-- Each raw count met by each convention row of its format. One row per usage, raw field and token kind.
-- A view: writing nine rows a usage takes ten times as long as making them again.
{{ config(materialized='view') }}

with

usages as (

    select * from {{ ref('int_usages') }}

),

conventions as (

    select
        *,
        case
            when token_kind = 'reasoning' then 'of_which'
            when token_kind = 'output' then 'output'
            else 'input'
        end as side
    from {{ ref('token_conventions') }}

),

newest_rules as (

    select usage_format, max(rule_version) as rule_version
    from conventions
    group by usage_format

)

select
    usages.event_id,
    conventions.side,
    conventions.token_kind,
    conventions.raw_field,
    conventions.coefficient,
    conventions.when_absent,
    coalesce(
        usages.raw_counts[conventions.raw_field],
        case when conventions.when_absent = 'zero' then 0 end
    ) as counted_tokens
from usages
inner join newest_rules on usages.usage_format = newest_rules.usage_format
inner join conventions
    on
        newest_rules.usage_format = conventions.usage_format
        and newest_rules.rule_version = conventions.rule_version

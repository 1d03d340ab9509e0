-- Every check with the number of its findings; a check that found nothing says so.
with

checks as (

    select * from {{ ref('quality_checks') }}

),

counted as (

    select
        check_name,
        source,
        count(*) as findings,
        min(concat(subject, ': ', coalesce(detail, ''))) as example
    from {{ ref('data_quality_findings') }}
    group by check_name, source

)

select
    checks.check_name,
    coalesce(counted.source, 'all') as source,
    checks.severity,
    {{ whole('coalesce(counted.findings, 0)') }} as findings,
    counted.example,
    checks.meaning
from checks
left join counted on checks.check_name = counted.check_name

-- Every LLM that a run named, with the other names that it went by.
select
    llm,
    {{ sorted_values('llm_wire_name') }} as aliases,
    {{ sorted_values('harness') }} as harnesses,
    {{ whole('count(*)') }} as runs,
    min(started_at) as first_run_at,
    max(started_at) as last_run_at
from {{ ref('int_runs') }}
where kind = 'attempt' or llm <> 'unstated'
group by llm

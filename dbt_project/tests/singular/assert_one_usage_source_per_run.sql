-- Tokens of two sources never meet in one run.
select run_id
from {{ ref('int_run_usage') }}
group by run_id
having count(*) > 1

union all

select run_id
from {{ ref('fct_turns') }}
group by run_id
having count(distinct source) > 1

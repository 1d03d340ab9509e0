-- A run whose usage source tells of single requests has the sum of their tokens, and null where one of them is unknown.
with

request_sums as (

    select
        run_id,
        source,
        count(*) as requests,
        count(input_total_tokens) as known_inputs,
        count(output_total_tokens) as known_outputs,
        sum(input_total_tokens) as input_total_tokens,
        sum(output_total_tokens) as output_total_tokens
    from {{ ref('int_turns_counted') }}
    where has_usage
    group by run_id, source

)

select runs.run_id
from {{ ref('fct_runs') }} as runs
inner join request_sums as sums on runs.run_id = sums.run_id and runs.usage_source = sums.source
where
    runs.requests <> sums.requests
    or (sums.known_inputs = sums.requests and runs.input_total_tokens is distinct from sums.input_total_tokens)
    or (sums.known_outputs = sums.requests and runs.output_total_tokens is distinct from sums.output_total_tokens)
    or (sums.known_inputs < sums.requests and runs.input_total_tokens is not null)

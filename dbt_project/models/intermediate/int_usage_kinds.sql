-- A kind's count is the sum of coefficient times raw count; null as soon as one raw count is unknown.
-- One row per usage and token kind.
select
    event_id,
    side,
    token_kind,
    {{ whole(sum_if_all_known('coefficient * counted_tokens')) }} as tokens
from {{ ref('int_usage_terms') }}
group by event_id, side, token_kind

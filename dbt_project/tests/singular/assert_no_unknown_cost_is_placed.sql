-- An arm of unknown cost is listed beside a frontier that weighs cost: never on it, never dominated.
select *
from {{ ref('frontier_points') }}
where axis <> 'wall_time' and cost_status = 'unknown' and status <> 'not_comparable'

with

{{ resolved_events('cost_reported') }}

select * from resolved

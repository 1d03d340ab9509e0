with

{{ resolved_events('turn_completed') }}

select * from resolved

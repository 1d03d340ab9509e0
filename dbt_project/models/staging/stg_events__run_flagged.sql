with

{{ resolved_events('run_flagged') }}

select * from resolved

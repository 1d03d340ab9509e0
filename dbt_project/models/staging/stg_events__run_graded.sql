with

{{ resolved_events('run_graded') }}

select * from resolved

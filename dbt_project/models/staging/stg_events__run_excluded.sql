with

{{ resolved_events('run_excluded') }}

select * from resolved

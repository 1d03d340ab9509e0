with

{{ resolved_events('run_judged') }}

select * from resolved

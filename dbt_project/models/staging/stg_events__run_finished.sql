with

{{ resolved_events('run_finished') }}

select * from resolved

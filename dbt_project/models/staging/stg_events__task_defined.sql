with

{{ resolved_events('task_defined') }}

select * from resolved

with

{{ resolved_events('split_opened') }}

select * from resolved

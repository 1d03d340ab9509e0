with

{{ resolved_events('record_set_aside') }}

select * from resolved

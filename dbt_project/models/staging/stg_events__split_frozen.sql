with

{{ resolved_events('split_frozen') }}

select * from resolved

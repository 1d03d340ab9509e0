with

{{ resolved_events('tokens_reported') }}

select * from resolved

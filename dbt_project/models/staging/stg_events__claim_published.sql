with

{{ resolved_events('claim_published') }}

select * from resolved

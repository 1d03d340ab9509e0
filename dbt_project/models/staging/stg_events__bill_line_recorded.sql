with

{{ resolved_events('bill_line_recorded') }}

select * from resolved

with

{{ resolved_events('price_observed') }}

select * from resolved

-- A table, as two models read it and a hundred thousand requests, a third of them copied, take seconds to resolve.
{{ config(materialized='table') }}

with

{{ resolved_events('turn_completed') }}

select * from resolved

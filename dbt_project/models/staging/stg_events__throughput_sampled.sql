with

{{ resolved_events('throughput_sampled') }}

select * from resolved

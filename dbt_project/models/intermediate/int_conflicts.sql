-- Natural keys under which different values were collected. One row per event type and key.
{% set subjects = {
    'run_started': 'run_id',
    'run_finished': 'run_id',
    'turn_completed': 'turn_id',
    'tokens_reported': 'subject_id',
    'cost_reported': 'subject_id',
    'price_observed': 'meter',
    'bill_line_recorded': 'line_key',
    'throughput_sampled': 'server',
    'run_graded': 'run_id',
    'run_judged': 'run_id',
    'run_excluded': 'run_id',
} %}

{% for event_type, subject in subjects.items() -%}
select
    '{{ event_type }}' as event_type,
    event_id,
    {{ subject }} as subject,
    trim(conflicting_fields) as conflicting_fields,
    versions,
    producer,
    source_ref,
    source_offset,
    other_source_ref,
    other_source_offset,
    recorded_at
from {{ ref('stg_events__' ~ event_type) }}
where conflicting_fields is not null
{{ 'union all' if not loop.last }}
{% endfor %}

-- Where every kind of input is known they add up to its total, and none is negative.
{% for relation in ['fct_runs', 'fct_turns'] -%}
select run_id
from {{ ref(relation) }}
where
    input_uncached_tokens < 0
    or cache_read_tokens < 0
    or cache_write_tokens < 0
    or output_tokens < 0
    or (
        usage_status = 'complete'
        and input_uncached_tokens + cache_read_tokens + cache_write_5m_tokens
        + cache_write_1h_tokens + cache_write_other_tokens <> input_total_tokens
    )
{{ 'union all' if not loop.last }}
{% endfor %}

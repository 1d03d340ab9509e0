-- The cost methods that existed on the as-of day; all of them in a build without one. One row per basis and method.
{% set as_of = env_var('METERHOUSE_AS_OF', '') %}

select
    cost_method,
    cost_basis,
    is_current,
    since,
    description
from {{ ref('cost_methods') }}
{% if as_of -%}
where since <= cast(substr('{{ as_of }}', 1, 10) as date)
{%- endif %}

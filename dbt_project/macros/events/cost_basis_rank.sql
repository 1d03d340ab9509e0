{# The order of standing: what was invoiced first, what a client estimates last. #}
{% macro cost_basis_rank(column) -%}
    case {{ column }}
        when 'invoiced' then 1
        when 'provider_reported' then 2
        when 'list_price' then 3
        when 'hardware' then 4
        when 'credits' then 5
        when 'client_estimate' then 6
    end
{%- endmacro %}

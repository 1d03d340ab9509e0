{#- Fails with every value of the key that more than one row has. Two nulls in one key column are equal here. -#}
{% test unique_key(model, columns) %}

select
    {{ columns | join(', ') }},
    count(*) as rows_count
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1

{% endtest %}

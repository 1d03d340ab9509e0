-- ln(n!) for every n that the exact tests need. Summed as decimals: exact but for the rounding of each logarithm, so
-- that differences of two of them keep 14 digits. One row per number.
with

numbers as (

    {{ counting_numbers(5) }}

),

bound as (

    select greatest(2000, count(distinct concat_ws(chr(31), dataset, task_id))) as largest
    from {{ ref('int_cell_attempts') }}

),

logarithms as (

    select
        numbers.number,
        case
            when numbers.number = 0 then cast(0 as decimal(20, 18))
            else cast(ln(numbers.number) as decimal(20, 18))
        end as logarithm
    from numbers
    inner join bound on numbers.number <= bound.largest

)

select
    number,
    cast(sum(logarithm) over (order by number) as decimal(30, 18)) as log_factorial
from logarithms

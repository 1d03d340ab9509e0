-- The exact two-sided McNemar test: twice the chance that, of the tasks that only one arm solved, the arm with fewer of
-- them has that few or fewer on fair coins, and at most 1. One row per number of discordant tasks that occurs and
-- smaller part of it.
with

discordant_numbers as (

    select distinct only_a_solved + only_b_solved as discordant
    from {{ ref('int_paired_counts') }}

),

log_factorials as (

    select * from {{ ref('int_log_factorials') }}

),

splits as (

    select
        discordant_numbers.discordant,
        fewer.number as fewer,
        exp(cast(
            all_of_them.log_factorial - fewer.log_factorial - more.log_factorial
            - cast(discordant_numbers.discordant as decimal(9, 0)) * cast(0.693147180559945309 as decimal(19, 18))
            as double
        )) as probability
    from discordant_numbers
    inner join log_factorials as all_of_them on discordant_numbers.discordant = all_of_them.number
    inner join log_factorials as fewer on discordant_numbers.discordant >= 2 * fewer.number
    inner join log_factorials as more on discordant_numbers.discordant - fewer.number = more.number

),

tails as (

    select
        discordant,
        fewer,
        sum(probability) over (partition by discordant order by fewer) as tail
    from splits

)

-- Where the parts are as even as they can be, every split is at least as uneven: exactly 1.
select
    discordant,
    fewer,
    case when discordant - 2 * fewer <= 1 then cast(1 as double) else least(2 * tail, cast(1 as double)) end as p_value
from tails

-- The draws of every bootstrap. 500: over 28 arms and 500 tasks the ends of an interval are then off by 2.4% of its width on
-- average (1,000 draws: 1.8%, 2,000: 1.3%), at half the time of 1,000. One row per draw.
select number as draw
from ({{ counting_numbers(3) }}) as numbers
where number < 500

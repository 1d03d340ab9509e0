-- The draws of every bootstrap. 481, so that both ends of a 95% interval are draws, the 13th from either side: nothing
-- is interpolated. Over 28 arms and 500 tasks an end is then off by 2.4% of the interval's width on average; twice the
-- draws, and twice the time, would make it 1.8%. One row per draw.
select number as draw
from ({{ counting_numbers(3) }}) as numbers
where number < 481

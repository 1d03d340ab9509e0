-- The draws of every bootstrap. 1,000: see the model's description for the measurement. One row per draw.
select number as draw
from ({{ counting_numbers(3) }}) as numbers

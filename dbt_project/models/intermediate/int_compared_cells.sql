-- The cells that a verifier looked at, numbered, with their headline basis. Cells of one `comparison_number` may be
-- compared. One row per cell.
with

cells as (

    select distinct
        {{ cell_columns() }},
        headline_cost_basis,
        headline_cost_method
    from {{ ref('int_cell_attempts') }}
    where verifier_kind <> 'none'

)

select
    *,
    row_number() over (order by dataset, dataset_version, split, verifier_id, arm_id) as cell_number,
    dense_rank() over (order by dataset, dataset_version, split, verifier_id) as comparison_number
from cells

"""Published results of other benchmarks: one module a source, and how all of them meet foreign JSON.

openhands_index      per-task outcomes and costs of the OpenHands Index, and its published scores
reference_benchmark  judged attempts of the reference benchmark, as result folders and as CSVs
swe_bench            SWE-bench evaluation reports and per-instance results
theirs               foreign records in classes of their own shape
"""

from collectors import Collector
from collectors.results import openhands_index, reference_benchmark, swe_bench

COLLECTORS: dict[str, Collector] = {
    openhands_index.name: openhands_index,
    reference_benchmark.name: reference_benchmark,
    swe_bench.name: swe_bench,
}

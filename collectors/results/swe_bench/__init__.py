"""SWE-bench results: the evaluation harness's report, and per-instance results by model.

Neither states its dataset, its date or its harness. An `arm.yaml` in the same folder does, for every result file there:

    dataset: swe-bench-verified         # which tasks
    date: 2026-06-01                    # the day of the run; or `snapshot_date`, the day the files were copied
    harness: mini-swe-agent             # and serving_path, skill, effort; each `unstated` unless given
    llm: gpt-5.4                        # else the file's own model name: `<model>.<run_id>.json`, or the model's key

and, where they apply: `dataset_version`, `split`, `verifier_version`, `cost_basis` (else `client_estimate`),
`attempt_number` (a repeat has a folder of its own), `tasks` (every task id, where the files do not name them all).

Without a date an attempt has no time that is a fact: a file's mtime is none, and the day of the collection would give
the same attempt another id tomorrow. So a file without arm.yaml is set aside, and the reason says what to write.

declared  arm.yaml
records   the files' shapes, and what is read out of them
report    which of five states each task of a report is in, and whether its counts agree
reader    files in, records out
decider   records in, events out
"""

from collectors.results.swe_bench.decider import decide
from collectors.results.swe_bench.reader import expects, read, units
from collectors.results.swe_bench.records import name, version

__all__ = ["decide", "expects", "name", "read", "units", "version"]

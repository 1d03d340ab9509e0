"""The OpenHands Index: per-task outcomes and costs of coding agents, and the scores that its authors published.

One folder an arm: `results/<model>/` or `alternative_agents/<agent>/<model>/`, with metadata.json, scores.json and
instance_results/<benchmark>.json. Every row is an attempt that was made, so a cost of 0 or null is *not reported*.

records   the files' shapes, and what is read out of them
reader    files in, records out
decider   records in, events out
"""

from collectors.results.openhands_index.decider import decide
from collectors.results.openhands_index.reader import expects, read, units
from collectors.results.openhands_index.records import name, version

__all__ = ["decide", "expects", "name", "read", "units", "version"]

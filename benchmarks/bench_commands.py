"""How long the commands take from the shell, on the shipped data: `python benchmarks/bench_commands.py [RUNS]`.

Wall seconds, the median of several runs (5 unless told), each beside what it may take. Figures, not tests: another
machine, and another load, has others.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

METERHOUSE = Path(sys.executable).parent / "meterhouse"
DATA = Path(__file__).resolve().parent.parent / "datasets" / "published"
COLLECTS = [["collect", source, str(DATA / source)] for source in ("openhands-index", "reference-benchmark")]


@dataclass(frozen=True)
class Bench:
    name: str
    may_take_s: float | None
    commands: list[list[str]]
    is_fresh: bool = False
    """Whether every run starts with an empty home."""


BENCHES = [
    Bench("demo, empty home", 30, [["demo", "--no-app"]], is_fresh=True),
    Bench("demo again", None, [["demo", "--no-app"]]),
    Bench("collect both and build, nothing new", 3, [*COLLECTS, ["build"]]),
    Bench("build, nothing new", 0.5, [["build"]]),
    Bench("sql", None, [["sql", "select * from cost_per_task"]]),
    Bench("--help", None, [["--help"]]),
]


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        print(f"{runs} runs each, {os.cpu_count()} cores")
        print(f"{'what':<38}{'median s':>9}{'least s':>9}{'may take s':>12}{'share':>7}")
        for bench in BENCHES:
            seconds = [_run(bench, home) for _ in range(runs)]
            print(_line(bench, statistics.median(seconds), min(seconds)), flush=True)


def _run(bench: Bench, home: Path) -> float:
    if bench.is_fresh:
        shutil.rmtree(home, ignore_errors=True)
    return _timed(lambda: [_meterhouse(home, command) for command in bench.commands])


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _meterhouse(home: Path, command: list[str]) -> None:
    environment = {**os.environ, "METERHOUSE_HOME": str(home)}
    subprocess.run([METERHOUSE, *command], env=environment, stdout=subprocess.DEVNULL, check=True)


def _line(bench: Bench, median: float, least: float) -> str:
    limit = "" if bench.may_take_s is None else f"{bench.may_take_s:g}"
    share = "" if bench.may_take_s is None else f"{median / bench.may_take_s:.0%}"
    return f"{bench.name:<38}{median:>9.2f}{least:>9.2f}{limit:>12}{share:>7}"


if __name__ == "__main__":
    main()

"""How long the event store takes for 110,000 events, the size of the shipped data: `python benchmarks/bench_store.py`.

Wall seconds, the median of several runs (3 unless told), each beside what it may take and as a multiple of the append.
Figures, not tests: another machine, and another load, has others.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from collectors.store import LocalStore
from models import Event, RunFinished

EVENTS = 110_000
MONTHS = 4
FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
MAY_TAKE_S = {"append": 3.0}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    measured: dict[str, list[float]] = {}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            for name, work in _works(LocalStore(Path(folder) / "events")):
                measured.setdefault(name, []).append(_timed(work))
    print(f"{runs} runs each, {EVENTS:,} events in {MONTHS} files")
    print(f"{'what':<18}{'median s':>9}{'least s':>9}{'may take s':>12}{'share':>7}{'x append':>10}")
    append_s = statistics.median(measured["append"])
    for name, seconds in measured.items():
        print(_line(name, statistics.median(seconds), min(seconds), append_s))


def _works(store: LocalStore) -> list[tuple[str, Callable[[], object]]]:
    """What is measured, in this order: each finds what the one before left behind."""
    first, again = _events(), _events()
    return [
        ("append", lambda: store.append(first)),
        ("the same again", lambda: store.append(again)),
        ("first listing", store.files),
        ("listing", store.files),
        ("verify", store.verify),
    ]


def _events() -> list[Event]:
    """Events whose ids nobody has asked for yet."""
    return [_finished(number) for number in range(EVENTS)]


def _finished(number: int) -> RunFinished:
    return RunFinished(
        occurred_at=FIRST_DAY + timedelta(days=31 * (number % MONTHS), seconds=number),
        producer="bench/1",
        source_ref="bench.json",
        source_offset=number,
        run_id=f"run-{number}",
        outcome="completed",
        wall_s=number / 8,
        turns=number % 90,
    )


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _line(name: str, median: float, least: float, append_s: float) -> str:
    limit = MAY_TAKE_S.get(name)
    allowed = "" if limit is None else f"{limit:g}"
    share = "" if limit is None else f"{median / limit:.0%}"
    return f"{name:<18}{median:>9.3f}{least:>9.3f}{allowed:>12}{share:>7}{median / append_s:>10.2f}"


if __name__ == "__main__":
    main()

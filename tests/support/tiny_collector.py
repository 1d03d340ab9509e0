"""A collector of tiny files: each a JSON list of run ids. As a process: tiny_collector.py HOME ROOT [kill FOLDER].

With `kill`, copies of HOME, FOLDER/1 …, collect ROOT and are killed at their first, second … step of I/O.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from batches import grade
from dying import kill_at_each_step
from samples import NOON

from collectors import Unit
from collectors.collect import Collected, collect
from collectors.event_files import to_table
from collectors.home import Home
from collectors.reading import read_json, relative_ref
from collectors.store import LocalStore
from models import Event
from models.errors import UnreadableRecord

IMPOSSIBLE = "a run that nobody can decide on"


class Record(NamedTuple):
    """One run, and where it was."""

    source_ref: str
    source_offset: int
    run_id: str


class TinyCollector:
    """Satisfies `collectors.Collector`, and remembers which units it read."""

    name = "tiny"
    expects = "files *.json"

    def __init__(self, version: int = 1) -> None:
        self.version = version
        self.was_read: list[str] = []

    def units(self, root: Path) -> list[Unit]:
        return [Unit(path.name, (path,)) for path in root.glob("*.json")]

    def read(self, root: Path, unit: Unit) -> Iterator[Record | UnreadableRecord]:
        self.was_read.append(unit.key)
        [path] = unit.files
        for place, run_id in enumerate(read_json(path), start=1):
            if isinstance(run_id, str):
                yield Record(relative_ref(root, path), place, run_id)
            else:
                yield UnreadableRecord(path, "no text", place)

    def decide(self, records: Iterable[Any]) -> list[Event]:
        return [decided(*record) for record in records]


def decided(ref: str, place: int, run_id: str) -> Event:
    if run_id == IMPOSSIBLE:
        raise ValueError(run_id)
    return grade(0, run_id=run_id, source_ref=ref, source_offset=place)


def collect_tiny(home: Home, root: Path, collector: TinyCollector | None = None) -> Collected:
    return collect(collector or TinyCollector(), root, LocalStore(home.events), home)


def main(home: Path, root: Path, *more: str) -> int:
    if not more:
        collect_tiny(Home(home), root)
        return 0
    # What is imported at the first use is imported here, and not in every child.
    to_table([grade(0)], NOON)
    return kill_at_each_step(home, Path(more[1]), lambda copy: collect_tiny(Home(copy), root))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]))

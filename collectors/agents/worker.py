"""Reads a share of the logs and appends what they say.

`python -m collectors.agents.worker HOME` takes jobs on standard input and answers on standard output.
"""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from collectors.agents import LinesAgent, WholeAgent
from collectors.agents.jobs import Job, Share, Told
from collectors.agents.progress import LogSeen, settled
from collectors.agents.records import Session, Turn
from collectors.agents.registry import AGENTS
from collectors.agents.tail import Buffer, LineFault, Pass, read_on
from collectors.home import Home
from collectors.store import Appended, LocalStore
from models.errors import UnreadableRecord
from models.identity import digest

if TYPE_CHECKING:
    from collectors.agents.batch import Batch


def work(jobs: Iterable[Job], home: Home) -> Share:
    """Read the logs one after another, and append whenever there is enough."""
    share, store, buffer = Share(), LocalStore(home.events), Buffer()
    with _in_a_hurry():
        from collectors.agents.batch import Batch

        for name, mine in groupby(jobs, key=lambda job: job.agent):
            agent = AGENTS[name]
            batch, waiting = Batch(name, agent.version), []
            for job in mine:
                waiting.append(_read(agent, job, batch, buffer))
                if batch.is_full:
                    _append(batch, waiting, store, share)
                    waiting = []
            _append(batch, waiting, store, share)
    return share


def _read(agent: LinesAgent | WholeAgent, job: Job, batch: Batch, buffer: Buffer) -> tuple[Told, bool]:
    """What one log says, into the batch; and whether it was read on from where the last pass ended."""
    from collectors.agents.batch import Log

    path = Path(job.path)
    before = job.seen.mark if job.seen else None
    try:
        found = _whole(agent, path) if hasattr(agent, "read") else read_on(path, agent.reader, before, buffer)  # type: ignore[union-attr]
    except OSError as error:
        found = Pass([], before, [LineFault(0, f"does not open: {error.strerror}", hashlib.sha256().hexdigest())])
    batch.add(Log(job.ref, job.stat[1] // 1000), found.records, found.faults)
    told = Told(
        job,
        LogSeen(settled(job.stat), found.mark),
        turns=sum(isinstance(record, Turn) for record in found.records),
        sessions=sum(isinstance(record, Session) for record in found.records),
        set_aside=[(fault.offset, fault.reason) for fault in found.faults],
        pending_bytes=found.pending_bytes,
    )
    return told, bool(found.records or found.faults)


def _whole(agent: WholeAgent, path: Path) -> Pass:
    """A log that is read whole."""
    try:
        every = list(agent.read(path))
    except UnreadableRecord as error:
        every = [error]
    faults = [record for record in every if isinstance(record, UnreadableRecord)]
    fingerprint = _fingerprint(path) if faults else ""
    return Pass(
        [record for record in every if not isinstance(record, UnreadableRecord)],
        None,
        [LineFault(fault.offset, fault.reason, fingerprint) for fault in faults],
    )


def _fingerprint(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _append(batch: Batch, waiting: list[tuple[Told, bool]], store: LocalStore, share: Share) -> None:
    """Append the batch, and note with each of its logs where its events are."""
    done = batch.append(store)
    name = _note(done, store, share)
    for told, has_events in waiting:
        kept = told.job.seen.batches if told.job.seen and told.seen.mark else ()
        batches = (*kept, name) if has_events and name and name not in kept else kept
        share.told.append(msgspec.structs.replace(told, seen=LogSeen(told.seen.stat, told.seen.mark, batches)))


def _note(done: list[Appended], store: LocalStore, share: Share) -> str | None:
    if not done:
        return None
    files = sorted(path.relative_to(store.root).as_posix() for each in done for path in each.files)
    name = digest(*files)[:16]
    share.batches[name] = files
    share.events += sum(each.events for each in done)
    share.new_files += sum(each.new_files for each in done)
    return name


class _Without(MetaPathFinder):
    """Says of packages that they are not installed."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname in self._names:
            raise ModuleNotFoundError(f"{fullname} is left out here", name=fullname)


@contextmanager
def _in_a_hurry() -> Iterator[None]:
    """Spare what takes long and helps nobody here.

    Arrow looks for NumPy when it is imported, 0.2 s, and for pandas when it makes its first array, half a second; it
    needs neither. Records have no cycles, so looking for them in vain costs a twentieth of the time.
    """
    finder, was_collecting = _Without("numpy", "pandas"), gc.isenabled()
    sys.meta_path.insert(0, finder)
    gc.disable()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if was_collecting:
            gc.enable()


def main() -> None:
    """Jobs as JSON on stdin, what was done as JSON on stdout."""
    jobs = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Job])
    sys.stdout.buffer.write(msgspec.json.encode(work(jobs, Home(Path(sys.argv[1])))))


if __name__ == "__main__":
    main()

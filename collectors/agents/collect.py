"""All logs under some roots: read what is new, in two processes where it is much, append, remember."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from collectors.agents.find import LogFile, Root, logs_in
from collectors.agents.jobs import Job, Share, Told
from collectors.agents.progress import Progress, key_of, load, progress_file, save, stat_of, stored
from collectors.agents.registry import AGENTS
from collectors.home import Home
from collectors.reading import relative_ref

SECOND_PROCESS_FROM_BYTES = 32_000_000
"""Of new bytes: a process takes as long to start as this takes to read."""


@dataclass
class Collected:
    """What came of one root. Counts are of what was new."""

    root: Root
    logs: int = 0
    logs_read: int = 0
    sessions: int = 0
    turns: int = 0
    pending: int = 0
    """Logs whose last line is still being written."""
    set_aside: list[tuple[str, int, str]] = field(default_factory=list)
    """File as events name it, offset, reason."""


@dataclass
class CollectedAll:
    """What came of all roots; those that are not there are left out."""

    roots: list[Collected]
    events: int
    new_files: int


def collect_logs(roots: Iterable[Root], home: Home) -> CollectedAll:
    """Append what is new under the roots that are there. A line that is not understood is set aside; the rest lands."""
    there = [root for root in roots if root.path.exists()]
    before = {root: stored(load(_memory(home, root), AGENTS[root.agent].version), home.events) for root in there}
    found = {root: logs_in(root, before[root].logs) for root in there}
    jobs = [job for root, logs in found.items() for log in logs if (job := _job(root, log, before[root]))]
    share = _read(jobs, home) if jobs else Share()
    told = {(each.job.root, each.job.agent, each.job.path): each for each in share.told}
    done = []
    for root, logs in found.items():
        new = [told[key] for log in logs if (key := (str(root.path), root.agent, str(log.path))) in told]
        if new:
            _remember(home, root, before[root], new, share)
        done.append(_summed(root, len(logs), new))
    return CollectedAll(done, share.events, share.new_files)


def _memory(home: Home, root: Root) -> Path:
    return progress_file(home.progress, root.agent, root.path)


def _job(root: Root, log: LogFile, before: Progress) -> Job | None:
    """What there is to do about a log; nothing where its stat has not moved."""
    seen = before.logs.get(key_of(root.path, log.path))
    try:
        stat = stat_of((log.path, *companions(root.agent, log.path)))
    except OSError:
        stat = (0, 0, 0)
    if seen and seen.stat == stat:
        return None
    return Job(root.agent, str(root.path), str(log.path), relative_ref(root.path, log.path), stat, seen)


def companions(agent: str, path: Path) -> tuple[Path, ...]:
    """Files whose change is a change of a log."""
    beside = getattr(AGENTS[agent], "companions", None)
    return beside(path) if beside else ()


def _read(jobs: Sequence[Job], home: Home) -> Share:
    mine, other = _dealt(jobs)
    if not other:
        return _work(mine, home)
    # Not multiprocessing: its children would import the command line again.
    command = [sys.executable, "-m", "collectors.agents.worker", str(home.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(msgspec.json.encode(other))
        child.stdin.close()
        done = _work(mine, home)
        answer = child.stdout.read()
    if child.returncode:
        return _both(done, _work(other, home))  # whatever ended the other process, its logs are read
    return _both(done, msgspec.json.decode(answer, type=Share))


def _work(jobs: Sequence[Job], home: Home) -> Share:
    """The work of this process; its imports wait until the other process is on its way."""
    from collectors.agents.worker import work

    return work(jobs, home)


def _dealt(jobs: Sequence[Job]) -> tuple[list[Job], list[Job]]:
    """The jobs in two shares of about the same size; the second is empty where one process is enough."""
    sizes = {id(job): job.stat[0] - (job.seen.mark.offset if job.seen and job.seen.mark else 0) for job in jobs}
    if sum(sizes.values()) < SECOND_PROCESS_FROM_BYTES:
        return list(jobs), []
    mine, other = set(), set()
    weights = [0, 0]
    for job in sorted(jobs, key=lambda job: sizes[id(job)], reverse=True):
        lighter = 0 if weights[0] <= weights[1] else 1
        (mine, other)[lighter].add(id(job))
        weights[lighter] += sizes[id(job)]
    return [job for job in jobs if id(job) in mine], [job for job in jobs if id(job) in other]


def _both(one: Share, other: Share) -> Share:
    return Share(
        [*one.told, *other.told],
        one.batches | other.batches,
        one.events + other.events,
        one.new_files + other.new_files,
    )


def _remember(home: Home, root: Root, before: Progress, new: Sequence[Told], share: Share) -> None:
    logs = {key_of(root.path, Path(each.job.path)): each.seen for each in new}
    save(_memory(home, root), Progress(before.version, before.logs | logs, before.batches | share.batches))


def _summed(root: Root, logs: int, new: Sequence[Told]) -> Collected:
    return Collected(
        root=root,
        logs=logs,
        logs_read=len(new),
        sessions=sum(each.sessions for each in new),
        turns=sum(each.turns for each in new),
        pending=sum(each.pending_bytes > 0 for each in new),
        set_aside=[(each.job.ref, offset, reason) for each in new for offset, reason in each.set_aside],
    )

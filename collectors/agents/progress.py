"""How far each log was read, and which event files hold what it said. Kept in the store's home, one file per root.

Progress only saves work. Without it, or with an old one, the same events are found again and change nothing.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from collectors import atomic
from collectors.agents.tail import Mark
from collectors.reading import full_path
from models.identity import digest

SETTLES_AFTER_NS = 2_000_000_000
"""A file may change twice within one tick of its clock; a younger one is looked at again."""

Stat = tuple[int, int, int]
"""Size in bytes, mtime in ns, inode; of a file's companions too, in sum."""


class LogSeen(msgspec.Struct, frozen=True):
    """One log as it was when it was read."""

    stat: Stat | None
    """None for a file that had just changed."""
    mark: Mark | None = None
    """How far; None for a file that is read whole."""
    batches: tuple[str, ...] = ()
    """The appends that hold what it said."""


class Progress(msgspec.Struct, frozen=True):
    """What was read under one root."""

    version: int
    logs: dict[str, LogSeen] = {}
    """By path, relative to the root."""
    batches: dict[str, list[str]] = {}
    """Append -> its event files, relative to the store's root."""


def progress_file(folder: Path, agent: str, root: Path) -> Path:
    """Where the progress of one agent's logs under one root is kept."""
    return folder / agent / f"{digest(str(full_path(root)))[:16]}.json"


def load(path: Path, version: int) -> Progress:
    """The progress that was saved; none of it where the reader has changed, or the file is no progress."""
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=Progress)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return Progress(version)
    return saved if saved.version == version else Progress(version)


def save(path: Path, progress: Progress) -> None:
    """Write it, without the appends that no log needs any more."""
    needed = {batch for seen in progress.logs.values() for batch in seen.batches}
    kept = {batch: files for batch, files in progress.batches.items() if batch in needed}
    atomic.replace(path, msgspec.json.encode(Progress(progress.version, progress.logs, kept)))


def stored(progress: Progress, events: Path) -> Progress:
    """The progress whose event files are all still there; a log whose are not is read again."""
    there = {batch for batch, files in progress.batches.items() if all((events / name).exists() for name in files)}
    logs = {ref: seen for ref, seen in progress.logs.items() if there.issuperset(seen.batches)}
    return Progress(progress.version, logs, progress.batches)


def stat_of(paths: tuple[Path, ...]) -> Stat:
    """The stat of a log with its companions. Raises OSError for the log itself."""
    first = paths[0].stat()
    size, mtime = first.st_size, first.st_mtime_ns
    for path in paths[1:]:
        try:
            other = path.stat()
        except OSError:
            continue
        size, mtime = size + other.st_size, max(mtime, other.st_mtime_ns)
    return size, mtime, first.st_ino


def settled(stat: Stat) -> Stat | None:
    """A stat that tells of the next change, whatever the file's clock."""
    return stat if time.time_ns() - stat[1] > SETTLES_AFTER_NS else None


def key_of(root: Path, path: Path) -> str:
    """A log's name in its root's progress."""
    return os.path.relpath(path, root)

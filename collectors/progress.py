"""What was collected already: per unit its files as they were then, and the event files that hold what they said.

Progress only saves work. Without it, or with an old one, the same events are found again and change nothing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from collectors import Unit, atomic
from collectors.reading import full_path, open_file, relative_ref
from models.identity import digest

SETTLES_AFTER_NS = 2_000_000_000
"""A file may change twice within one tick of its clock; a younger one is compared by content next time."""


class FileSeen(BaseModel):
    """One file as it was: its stat where that can be trusted, and the sha256 of its bytes."""

    model_config = ConfigDict(frozen=True)

    stat: tuple[int, int, int] | None
    """Size in bytes, mtime in ns, inode; null for a file that had just changed, or does not open."""
    sha256: str | None
    """Null for a file that does not open."""


class UnitSeen(BaseModel):
    """One unit as it was read."""

    model_config = ConfigDict(frozen=True)

    files: dict[str, FileSeen]
    batch: str
    """The append that holds its events."""

    def says(self) -> dict[str, str | None]:
        """The content of the unit, without the stat that a copy changes."""
        return {name: seen.sha256 for name, seen in self.files.items()}


class Progress(BaseModel):
    """How far one collector has read one root."""

    version: int
    batches: dict[str, list[str]] = {}
    """Per append its event files, relative to the store's root."""
    units: dict[str, UnitSeen] = {}

    def with_units(self, units: Mapping[str, UnitSeen], batches: Mapping[str, list[str]]) -> Progress:
        """This progress and more; appends that no unit needs any more are forgotten."""
        known = {**self.units, **units}
        needed = {seen.batch for seen in known.values()}
        kept = {batch: files for batch, files in {**self.batches, **batches}.items() if batch in needed}
        return Progress(version=self.version, batches=kept, units=known)


def progress_file(folder: Path, collector: str, root: Path) -> Path:
    """Where the progress of one collector over one root is kept."""
    return folder / collector / f"{digest(str(full_path(root)))[:16]}.json"


def load(path: Path, version: int) -> Progress:
    """The progress that was saved; none of it where the collector has changed, or the file is no progress."""
    try:
        saved = Progress.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return Progress(version=version)
    return saved if saved.version == version else Progress(version=version)


def save(path: Path, progress: Progress) -> None:
    atomic.replace(path, progress.model_dump_json().encode())


def look(root: Path, unit: Unit, before: UnitSeen | None) -> dict[str, FileSeen]:
    """A unit's files as they are now; one whose stat has not moved is not read."""
    known = before.files if before else {}
    refs = {relative_ref(root, path): path for path in unit.files}
    return {ref: _look(path, known.get(ref)) for ref, path in refs.items()}


def _look(path: Path, before: FileSeen | None) -> FileSeen:
    try:
        found = path.stat()
        stat = (found.st_size, found.st_mtime_ns, found.st_ino)
        if before and before.stat == stat:
            return before
        is_settled = time.time_ns() - found.st_mtime_ns > SETTLES_AFTER_NS
        return FileSeen(stat=stat if is_settled else None, sha256=sha256_of(path))
    except OSError:
        return FileSeen(stat=None, sha256=None)


def sha256_of(path: Path) -> str:
    """sha256 of a file's bytes. Raises OSError."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

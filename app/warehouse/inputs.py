"""What a build is made of. The list of files is taken once; nothing later in a build looks at the folder again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from collectors.home import Home
from collectors.store import LocalStore
from models.errors import UsageError

TARGET = "duckdb"
_NOT_PROJECT = frozenset({"target", "logs", "dbt_packages", "__pycache__"})


@dataclass(frozen=True)
class Inputs:
    """Frozen inputs. Equal inputs have equal ids, in any home."""

    events: Path
    files: dict[str, list[str]]
    """Event type -> paths under `events`, schema file first."""
    project: Path
    project_files: dict[str, str]
    """Path in the dbt project -> sha256 of its bytes."""
    as_of: datetime | None

    @cached_property
    def build_id(self) -> str:
        return hashlib.sha256(json.dumps(self._identity, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def _identity(self) -> dict[str, object]:
        return {
            "files": self.files,
            "project": self.project_files,
            "as_of": self.as_of and self.as_of.isoformat(),
            "target": TARGET,
            "version": version("meterhouse"),
        }

    def to_json(self) -> bytes:
        """inputs.json: the identity, the id, and when the build began."""
        content = {"build_id": self.build_id, "created_at": datetime.now(UTC).isoformat(), **self._identity}
        return json.dumps(content, indent=1).encode()


def freeze(home: Home, project: Path, as_of: datetime | None = None) -> Inputs:
    """Take the list of event files and hash the project."""
    files = LocalStore(home.events).files()
    names = {kind: [path.relative_to(home.events).as_posix() for path in paths] for kind, paths in files.items()}
    hashes = {name: hashlib.sha256((project / name).read_bytes()).hexdigest() for name in _project_files(project)}
    return Inputs(home.events, names, project, hashes, as_of)


def _project_files(project: Path) -> Iterator[str]:
    """Every file that dbt may read, and none that it or an editor writes."""
    for folder, folders, names in os.walk(project):
        folders[:] = sorted(name for name in folders if name not in _NOT_PROJECT and not name.startswith("."))
        yield from ((Path(folder) / name).relative_to(project).as_posix() for name in sorted(names) if name[0] != ".")


def parse_as_of(text: str) -> datetime:
    """A date is the end of that day in UTC; a time needs its offset and is that instant. Raises UsageError."""
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), time.max, UTC)
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageError(f"expected a date like 2026-11-30 or a time like 2026-11-30T10:00:00Z, got {text!r}")
    return moment.astimezone(UTC)

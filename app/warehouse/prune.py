"""What nobody reads any more: superseded builds, leftovers of killed builds, old temporary files."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Literal

from app.warehouse.builds import INPUTS, PARTIAL, all_builds, leftovers
from app.warehouse.lock import build_lock
from collectors.atomic import TEMPORARY_PREFIX
from collectors.home import Home
from models.errors import DamagedStore

GRACE = timedelta(days=1)
"""Younger builds stay, as somebody may be reading one; younger temporary files, as somebody may be writing one."""


@dataclass(frozen=True)
class Pruned:
    """One thing removed, or to be removed."""

    path: Path
    kind: Literal["superseded build", "unfinished build", "temporary file"]
    bytes: int


def prune(home: Home, older_than: timedelta = GRACE, is_dry_run: bool = False) -> list[Pruned]:
    """Remove what is superseded. CURRENT's build always stays. Waits for a build that is running.

    Raises DamagedStore where CURRENT names none of the builds: the published one may be among them.
    """
    if not home.path.is_dir():
        return []
    with build_lock(home):
        found = [*_builds(home, older_than), *_unfinished(home), *_temporary(home)]
        if not is_dry_run:
            for item in found:
                _remove(item)
    return found


def _builds(home: Home, older_than: timedelta) -> list[Pruned]:
    current, builds = home.current_build(), all_builds(home)
    if builds and current and current not in {path.name for path in builds}:
        raise DamagedStore(f"expected {home.current} to name a build that is there; run `meterhouse build` first")
    old = (path for path in builds if path.name != current and _age(path / INPUTS, path) >= older_than)
    return [Pruned(path, "superseded build", size(path)) for path in old]


def _unfinished(home: Home) -> list[Pruned]:
    return [Pruned(path, "unfinished build", size(path)) for path in leftovers(home)]


def _temporary(home: Home) -> list[Pruned]:
    files = (path for path in temporary_files(home) if _age(path) >= GRACE)
    return [Pruned(path, "temporary file", size(path)) for path in files]


def temporary_files(home: Home) -> list[Path]:
    """Files that are being written, or whose writer was killed."""
    folders = (home.path, home.events, home.progress)
    found = (path for folder in folders for path in folder.glob(_depth(home, folder)) if path.is_file())
    return sorted(found)


def _depth(home: Home, folder: Path) -> str:
    return f"{TEMPORARY_PREFIX}*" if folder == home.path else f"**/{TEMPORARY_PREFIX}*"


def _age(*paths: Path) -> timedelta:
    """Since the first of them that is there was written."""
    for path in paths:
        if path.exists():
            return timedelta(seconds=time.time() - path.stat().st_mtime)
    return timedelta(0)


def size(path: Path) -> int:
    """Bytes of a file, or of every file in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def _remove(item: Pruned) -> None:
    """A build loses its name first, so that no half of one is ever listed."""
    if item.kind == "temporary file":
        item.path.unlink(missing_ok=True)
        return
    away = item.path
    if PARTIAL not in item.path.name:
        away = item.path.rename(item.path.with_name(f"{item.path.name}{PARTIAL}pruned"))
    shutil.rmtree(away)

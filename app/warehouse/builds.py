"""The builds on disk: which are whole, which one is published, what killed ones left."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from collectors import atomic
from collectors.home import Home
from models.errors import NoWarehouse

INPUTS, CONTRACTS = "inputs.json", "contracts.json"
PARTIAL = ".partial-"
"""In the name of a folder that is no build: one that is being made, or was when its maker was killed."""


@dataclass(frozen=True)
class Published:
    """Which build is being read."""

    build_id: str
    created_at: datetime
    as_of: datetime | None


def published(home: Home, build_id: str | None = None) -> Published:
    """The published build, or the one asked for. Raises NoWarehouse."""
    folder = home.marts(build_id).parent
    try:
        inputs = json.loads((folder / INPUTS).read_bytes())
    except FileNotFoundError:
        raise NoWarehouse(home.path) from None
    as_of = inputs["as_of"] and datetime.fromisoformat(inputs["as_of"])
    return Published(folder.name, datetime.fromisoformat(inputs["created_at"]), as_of)


def is_whole(home: Home, build_id: str) -> bool:
    """Whether every mart that a build promises is there, in its size. `check` reads the bytes."""
    contracts = read_contracts(home, build_id)
    sizes = {path.stem: path.stat().st_size for path in (home.builds / build_id / "marts").glob("*.parquet")}
    return bool(contracts) and all(sizes.get(mart) == contract["bytes"] for mart, contract in contracts.items())


def read_contracts(home: Home, build_id: str) -> dict[str, Any]:
    """Mart -> description, rows, bytes, sha256 and columns; empty where the build promises nothing."""
    try:
        return json.loads((home.builds / build_id / CONTRACTS).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}


def point_at(home: Home, build_id: str) -> None:
    """Make a build the published one. Readers see the one before or this one, never anything between."""
    if home.current_build() != build_id:
        atomic.replace(home.current, f"{build_id}\n".encode())


def all_builds(home: Home) -> list[Path]:
    """The folders of finished builds."""
    return sorted(path for path in home.builds.glob("*") if path.is_dir() and PARTIAL not in path.name)


def leftovers(home: Home) -> list[Path]:
    """Folders of builds that were killed, or of the one that runs now: only the lock's holder can tell."""
    return sorted(home.builds.glob(f"*{PARTIAL}*"))


def remove_leftovers(home: Home) -> None:
    """Remove what killed builds left. Under the build lock only."""
    for folder in leftovers(home):
        shutil.rmtree(folder)

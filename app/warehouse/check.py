"""Whether published files are what was written, and what they and the collectors name is there; reads every byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from app.warehouse.builds import CONTRACTS, INPUTS, read_contracts
from app.warehouse.publish import file_hash
from collectors.home import Home
from collectors.verify import Damage


def find_damage(home: Home) -> list[Damage]:
    """What of the published build is not as it was written; nothing where nothing is published."""
    build_id = home.current_build()
    if build_id is None:
        return []
    folder = home.builds / build_id
    if not folder.is_dir():
        return [Damage(home.current, "names no build that is there")]
    contracts = read_contracts(home, build_id)
    if not contracts:
        return [Damage(folder / CONTRACTS, "is missing or does not read")]
    hashes = {folder / "marts" / f"{mart}.parquet": contract["sha256"] for mart, contract in contracts.items()}
    faults = {path: _fault(path, expected) for path, expected in hashes.items()}
    return [Damage(path, fault) for path, fault in faults.items() if fault]


def find_missing(home: Home) -> list[Damage]:
    """Event files that are gone, though the published build or a collector's progress names them."""
    named = dict.fromkeys(_collected(home), "a collect wrote it")
    named |= dict.fromkeys(_built_of(home), "the published build was made of it")
    gone = sorted(name for name in named if not (home.events / name).is_file())
    return [Damage(home.events / name, f"is gone; {named[name]}") for name in gone]


def _collected(home: Home) -> Iterator[str]:
    for path in sorted(home.progress.rglob("*.json")):
        yield from _names(path, "batches")


def _built_of(home: Home) -> Iterator[str]:
    build_id = home.current_build()
    return _names(home.builds / build_id / INPUTS, "files") if build_id else iter(())


def _names(path: Path, field: str) -> Iterator[str]:
    """The names in lists under one field; none where the file does not read: a progress may be thrown away."""
    try:
        lists = json.loads(path.read_bytes())[field].values()
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return
    yield from (name for names in lists for name in names)


def _fault(path: Path, expected: str) -> str | None:
    try:
        return None if file_hash(path) == expected else "is not the file that was published"
    except OSError as error:
        return f"does not open: {error.strerror}"

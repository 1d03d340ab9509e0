"""Whether published files are what was written; reads every byte."""

from __future__ import annotations

from pathlib import Path

from app.warehouse.builds import CONTRACTS, read_contracts
from app.warehouse.publish import file_hash
from collectors.home import Home
from collectors.verify import Damage


def find_damage(home: Home) -> list[Damage]:
    """What of the published build is not as it was written; nothing where nothing is published."""
    build_id = home.current_build()
    if build_id is None:
        return []
    folder = home.builds / build_id
    contracts = read_contracts(home, build_id)
    if not contracts:
        return [Damage(folder / CONTRACTS, "is missing or does not read")]
    hashes = {folder / "marts" / f"{mart}.parquet": contract["sha256"] for mart, contract in contracts.items()}
    faults = {path: _fault(path, expected) for path, expected in hashes.items()}
    return [Damage(path, fault) for path, fault in faults.items() if fault]


def _fault(path: Path, expected: str) -> str | None:
    try:
        return None if file_hash(path) == expected else "is not the file that was published"
    except OSError as error:
        return f"does not open: {error.strerror}"

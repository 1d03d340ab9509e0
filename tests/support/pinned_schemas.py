"""The published schemas of each event type: `python tests/support/pinned_schemas.py` writes them again.

Do so after a nullable field was added. Where anything else changes, raise the contract's `schema_version` first: the
old version's files then stay as they are.
"""

from __future__ import annotations

import json
from pathlib import Path

from models import EVENTS, Event
from models.schemas import arrow_schema

FOLDER = Path(__file__).parent.parent / "golden" / "schemas"


def pinned(kind: type[Event]) -> dict[Path, str]:
    """The files that pin an event type's current version, and what they must say."""
    described = json.dumps(kind.model_json_schema(), indent=2, ensure_ascii=False)
    columns = "\n".join(
        f"{field.name}: {field.type}{'' if field.nullable else ' not null'}" for field in arrow_schema(kind)
    )
    return {pinned_file(kind, "json"): f"{described}\n", pinned_file(kind, "arrow.txt"): f"{columns}\n"}


def pinned_file(kind: type[Event], ending: str, version: int | None = None) -> Path:
    """Where one schema of an event type is pinned, by default of its current version."""
    return FOLDER / f"{kind.event_type}.v{version or kind.schema_version}.{ending}"


def pin() -> None:
    """Write the files of every event type's current version."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for kind in EVENTS.values():
        for path, text in pinned(kind).items():
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    pin()

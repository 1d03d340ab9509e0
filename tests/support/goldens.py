"""Golden pairs: a folder that a collector reads, and the events that come out of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from collectors import Collector
from models import Event
from models.errors import UnreadableRecord

FOLDER = Path(__file__).parents[1] / "golden"


def read_all(module: Collector, root: Path) -> tuple[list[Event], list[tuple[str, int, str]]]:
    """Every event under a root, and of every record that was not understood its file, its place and the reason."""
    read = [record for unit in module.units(root) for record in module.read(root, unit)]
    events = module.decide(record for record in read if not isinstance(record, UnreadableRecord))
    faults = [record for record in read if isinstance(record, UnreadableRecord)]
    return events, [(Path(fault.path).relative_to(root).as_posix(), fault.offset, fault.reason) for fault in faults]


def only(kind: type[Any], events: Iterable[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    """Damage a JSON file."""
    path.write_text(json.dumps(change(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")


def written(event: Event) -> dict[str, Any]:
    return {"event_type": event.event_type, **event.model_dump(mode="json", exclude_none=True)}


def golden(path: Path, came: list[Event]) -> list[dict[str, Any]]:
    """The events that were written down. METERHOUSE_GOLDEN=write writes what came; read the difference."""
    if os.environ.get("METERHOUSE_GOLDEN") == "write":
        path.write_text("".join(f"{json.dumps(written(event))}\n" for event in came), encoding="utf-8")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

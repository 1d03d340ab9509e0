"""What is to be read, and what came of it, in terms that pass between processes as JSON."""

from __future__ import annotations

import msgspec

from collectors.agents.progress import LogSeen, Stat


class Job(msgspec.Struct):
    """One log to read, in terms that another process understands."""

    agent: str
    root: str
    path: str
    ref: str
    stat: Stat
    seen: LogSeen | None


class Told(msgspec.Struct):
    """What reading one log came to."""

    job: Job
    seen: LogSeen
    turns: int = 0
    sessions: int = 0
    set_aside: list[tuple[int, str]] = []
    """Offset and reason."""
    pending_bytes: int = 0


class Share(msgspec.Struct):
    """What one process did."""

    told: list[Told] = []
    batches: dict[str, list[str]] = {}
    events: int = 0
    new_files: int = 0

"""One build: frozen inputs, dbt, Parquet, CURRENT. It may be killed anywhere, and run again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from app.warehouse.builds import is_whole, point_at, remove_leftovers
from app.warehouse.inputs import Inputs, freeze
from app.warehouse.lock import build_lock
from collectors.home import Home, resources
from models.errors import BuildFailed

Status = Literal["already_current", "republished", "built"]


@dataclass(frozen=True)
class Built:
    """What a build did: nothing as CURRENT had it, a flip back to a build that was still there, or the work."""

    build_id: str
    status: Status


@dataclass(frozen=True)
class Watch:
    """What to call while a build goes on."""

    on_wait: Callable[[], None] = lambda: None
    """Another build or prune is at work in this home."""
    on_step: Callable[[int, int], None] = lambda step, steps: None
    """dbt starts this step of so many."""


def build(home: Home, project: Path | None = None, as_of: datetime | None = None, watch: Watch | None = None) -> Built:
    """Build what the home holds now, or held at `as_of`, and publish it. Raises BuildFailed, NothingThatEarly."""
    watch = watch or Watch()
    project = (project or resources("dbt_project")).absolute()
    build_id = freeze(home, project, as_of).build_id
    if home.current_build() == build_id and is_whole(home, build_id):
        return Built(build_id, "already_current")
    with build_lock(home, watch.on_wait):
        # Frozen again: while this one waited, another may have published newer inputs.
        return _build(home, freeze(home, project, as_of), watch)


def prepare(home: Home, project: Path | None = None) -> None:
    """Bring dbt into this process and parse the project, so that a build that follows starts with its first model.

    For whoever waits for something else meanwhile. A failure is left for the build to tell.
    """
    from app.warehouse import dbt_runner
    from app.warehouse.make import DATABASE

    with build_lock(home), suppress(BuildFailed):
        dbt_runner.parse((project or resources("dbt_project")).absolute(), home.dbt_target, DATABASE)


def _build(home: Home, inputs: Inputs, watch: Watch) -> Built:
    status: Status = "already_current" if home.current_build() == inputs.build_id else "republished"
    if not is_whole(home, inputs.build_id):
        from app.warehouse.make import make

        status = "built"
        remove_leftovers(home)
        make(home, inputs, watch.on_step)
    point_at(home, inputs.build_id)
    return Built(inputs.build_id, status)

"""The options and lines that several commands have."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from datetime import datetime

    from app.warehouse.build import Built
    from collectors.collect import Collected
    from collectors.home import Home

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

_LINES_OF_SET_ASIDE = 20


def complain(text: str) -> None:
    """One line on standard error."""
    print(f"meterhouse: {text}", file=sys.stderr)


def print_json(rows: Sequence[Mapping[str, Any]]) -> None:
    """One array of objects on standard output."""
    from app.exports import to_json

    lines = ",\n".join(f"  {to_json(dict(row))}" for row in rows)
    print(f"[\n{lines}\n]" if rows else "[]")


def collect_one(home: Home, source: str, path: Any) -> Collected:
    """Collect one path of one source, with a spinner; what was set aside goes to standard error."""
    from app.terminal import Spinner
    from collectors.collect import collect
    from collectors.results import COLLECTORS
    from collectors.store import LocalStore
    from models.errors import UsageError

    if source not in COLLECTORS:
        raise UsageError(
            f"expected a source ({', '.join(COLLECTORS)}), got {source!r}; see `meterhouse collect --help`"
        )
    with Spinner(f"collecting {source}"):
        collected = collect(COLLECTORS[source], path, LocalStore(home.events), home)
    _name_what_was_set_aside(collected)
    return collected


def _name_what_was_set_aside(collected: Collected) -> None:
    for record in collected.set_aside[:_LINES_OF_SET_ASIDE]:
        place = f"{record.path} at {record.offset}" if record.offset else record.path
        complain(f"{collected.source}: set aside {place}: {record.reason}")
    more = len(collected.set_aside) - _LINES_OF_SET_ASIDE
    if more > 0:
        complain(f"{collected.source}: and {more} more; after a build the mart data_quality_findings lists all")


def collected_line(collected: Collected) -> str:
    """What a collect did, in one line."""
    from app.formats import count

    if not collected.units_read:
        return f"{collected.source}: nothing new in {collected.root} ({count(collected.units_skipped)} unchanged)"
    text = f"{count(collected.events)} events in {count(collected.new_files)} new files"
    aside = f", {count(len(collected.set_aside))} records set aside" if collected.set_aside else ""
    return f"{collected.source}: {text} from {count(collected.units_read)} of {collected.root}{aside}"


def build_with_spinner(home: Home, as_of: datetime | None = None) -> Built:
    """Build, with a spinner that says which step of how many."""
    from app.terminal import Spinner
    from app.warehouse.build import Watch, build

    with Spinner("building the marts") as spinner:

        def on_step(step: int, steps: int) -> None:
            spinner.text = f"building the marts, step {step} of {steps}"

        def on_wait() -> None:
            spinner.text = "waiting for another build in this home"

        return build(home, as_of=as_of, watch=Watch(on_wait, on_step))


def built_line(built: Built) -> str:
    """What a build did, in one line."""
    match built.status:
        case "already_current":
            return f"build {built.build_id} is already current: no event and no dbt file has changed"
        case "republished":
            return f"build {built.build_id} was there already and is published again"
    return f"build {built.build_id} is published"

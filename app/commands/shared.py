"""The options and lines that several commands have."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from datetime import datetime

    from app.warehouse.build import Built
    from collectors.home import Home

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def complain(text: str) -> None:
    """One line on standard error, also where a name or a message in it has line breaks or escape sequences."""
    from app.formats import printable

    print(f"meterhouse: {printable(text)}", file=sys.stderr)


def print_json(rows: Sequence[Mapping[str, Any]]) -> None:
    """One array of objects on standard output."""
    from app.exports import to_json

    lines = ",\n".join(f"  {to_json(dict(row))}" for row in rows)
    print(f"[\n{lines}\n]" if rows else "[]")


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

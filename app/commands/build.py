"""`meterhouse build`: dbt, published atomically."""

from __future__ import annotations

from typing import Annotated

import typer

from app.commands.shared import build_with_spinner, built_line


def build(
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only events that this store had by then, and only methods of that time. A date is the end of that day"
            " in UTC; a time needs its offset.",
        ),
    ] = None,
) -> None:
    """Derive the marts from the events and publish them at once; readers see the old marts until the new are whole.

    With nothing new it says so and stops. It may be killed anywhere and run again.

    \b
    Exits 0 when the marts are published or were current, 1 when dbt or a data
    test failed (what was published stays), 2 when DATE is none or too early.

    \b
    Examples:
      meterhouse build
      meterhouse build --as-of 2026-11-30
    """
    from app.warehouse.inputs import parse_as_of
    from collectors.home import find_home

    print(built_line(build_with_spinner(find_home(), parse_as_of(as_of) if as_of else None)))

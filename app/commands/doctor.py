"""`meterhouse doctor`: what is installed, stale or missing, and the command that fixes it."""

from __future__ import annotations

import typer

from app.commands.shared import AsJson, print_json


def doctor(as_json: AsJson = False) -> None:
    """Say what is installed, what the home holds, and what is stale, missing or broken, with the command that fixes it.

    \b
    Exits 0, or 1 when something is broken.

    \b
    Example:
      meterhouse doctor --json
    """
    from app.health import findings
    from collectors.home import find_home

    found = findings(find_home())
    if as_json:
        print_json([vars(each) for each in found])
    else:
        for each in found:
            print(f"{each.status:<8}{each.check}: {each.found}")
            if each.fix:
                print(f"{'':<8}  fix: {each.fix}")
    if any(each.status == "broken" for each in found):
        raise typer.Exit(1)

"""`meterhouse demo`: the main job on real data that ships with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.serve import Port, run_app
from app.commands.shared import AsJson, build_with_spinner, built_line, collect_one, collected_line, print_json

if TYPE_CHECKING:
    from pathlib import Path

    from collectors.home import Home

SHIPPED = {"openhands-index": "published/openhands-index", "reference-benchmark": "published/reference-benchmark"}
"""Source -> its folder under datasets/."""


def demo(
    has_app: Annotated[bool, typer.Option("--app/--no-app", help="Start the app at the end, or stop before.")] = True,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Collect the shipped results, build the marts, print the cost frontier, start the app.

    The data: 43 real arms on the 500 tasks of SWE-bench Verified, and 25 on a reference benchmark. A second run
    collects and builds nothing. --json prints every arm's place and starts no app.

    \b
    Exits 0, or 1 when a step failed.

    \b
    Example:
      meterhouse demo --no-app
    """
    from app.warehouse.ahead import parsed_ahead
    from collectors.home import find_home

    home = find_home()
    with parsed_ahead(home):
        collected = [collect_one(home, source, _folder(source)) for source in SHIPPED]
    if not as_json:
        print(*map(collected_line, collected), sep="\n", flush=True)
    built = build_with_spinner(home)
    if not as_json:
        print(built_line(built), flush=True)
    _print_frontier(home, as_json)
    if any(each.set_aside for each in collected):
        raise typer.Exit(1)
    if has_app and not as_json:
        raise typer.Exit(run_app(home, port))


def _folder(source: str) -> Path:
    from collectors.home import resources

    return resources("datasets") / SHIPPED[source]


def _print_frontier(home: Home, as_json: bool) -> None:
    from app.commands.frontier import frontier_rows, frontier_text
    from app.warehouse.query import connect

    with connect(home) as connection:
        rows = frontier_rows(connection)
    if as_json:
        print_json(rows)
    else:
        print(f"\n{frontier_text(rows)}\n", flush=True)

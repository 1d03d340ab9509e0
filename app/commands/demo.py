"""`meterhouse demo`: the main job on real data that ships with the package."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.serve import Port, run_app
from app.commands.shared import AsJson, build_with_spinner, built_line, print_json

if TYPE_CHECKING:
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
    from collectors.home import find_home

    home = find_home()
    say = (lambda line: None) if as_json else (lambda line: print(line, flush=True))
    code = _collect(home, say)
    if code > 1:
        raise typer.Exit(code)
    say(built_line(build_with_spinner(home)))
    _print_frontier(home, as_json)
    if code:
        raise typer.Exit(code)
    if has_app and not as_json:
        raise typer.Exit(run_app(home, port))


def _collect(home: Home, say: Callable[[str], None]) -> int:
    """Collect in a process of its own, and get dbt ready meanwhile where nothing is built yet; its exit code.

    Either takes one core some ten seconds.
    """
    from app.terminal import Spinner
    from app.warehouse.build import prepare

    with Spinner("collecting the shipped results"), _collector(home) as collecting:
        if home.current_build() is None:
            prepare(home)
        said = collecting.communicate()[0]
    say(said.rstrip())
    return collecting.returncode


@contextmanager
def _collector(home: Home) -> Iterator[subprocess.Popen[str]]:
    """`meterhouse collect` of all that is shipped, one source after the other; ends with this process."""
    from collectors.home import resources

    collects = [["collect", source, str(resources("datasets") / folder)] for source, folder in SHIPPED.items()]
    script = f"import sys; from app import cli; sys.exit(max([cli.run(collect) for collect in {collects}]))"
    environment = {**os.environ, "METERHOUSE_HOME": str(home.path), "TERM": "dumb"}
    command = [sys.executable, "-P", "-c", script]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def _print_frontier(home: Home, as_json: bool) -> None:
    from app.commands.frontier import frontier_rows, frontier_text
    from app.warehouse.query import connect

    with connect(home) as connection:
        rows = frontier_rows(connection)
    if as_json:
        print_json(rows)
    else:
        print(f"\n{frontier_text(rows)}\n", flush=True)

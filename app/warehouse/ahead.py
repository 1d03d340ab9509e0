"""The first parsing of the dbt project takes as long as collecting the shipped data: on two cores, both at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.warehouse.make import DATABASE
from collectors.home import Home, resources
from models.errors import BuildFailed


@contextmanager
def parsed_ahead(home: Home) -> Iterator[None]:
    """Parse in a process of its own while the block runs, where this home has never built.

    A failure is left for the build to tell.
    """
    if (home.dbt_target / "partial_parse.msgpack").exists():
        yield
        return
    arguments = [sys.executable, "-m", "app.warehouse.ahead", str(resources("dbt_project")), str(home.dbt_target)]
    parsing = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
        parsing.wait()
    finally:
        parsing.terminate()
        parsing.wait()


def main(project: str, target_path: str) -> None:
    from app.warehouse.dbt_runner import parse

    try:
        parse(Path(project), Path(target_path), DATABASE)
    except BuildFailed:
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])

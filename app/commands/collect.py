"""`meterhouse collect`: what is new, into the store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.commands.shared import AsJson, collect_one, collected_line, complain, print_json


def collect(
    source: Annotated[str, typer.Argument(help="openhands-index, reference-benchmark or swe-bench.")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Folders or files to read.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Append what is new under each PATH to the store. Safe to run twice, to kill, and to race itself.

    A record that is not understood is set aside with its file and reason; everything else lands.

    \b
    Exits 0 when all was understood, 1 when a record was set aside or a folder
    held nothing of this source, 2 when a path or the source is not there.

    \b
    Example:
      meterhouse collect openhands-index datasets/published/openhands-index
    """
    from collectors.home import find_home
    from models.errors import MeterhouseError

    home, done, code = find_home(), [], 0
    for path in paths:
        try:
            done.append(collect_one(home, source, path))
        except MeterhouseError as error:
            complain(str(error))
            code = max(code, error.exit_code)
            continue
        code = max(code, 1 if done[-1].set_aside else 0)
        if not as_json:
            print(collected_line(done[-1]))
    if as_json:
        print_json([{**vars(each), "set_aside": [vars(record) for record in each.set_aside]} for each in done])
    raise typer.Exit(code)

"""`meterhouse verify`: whether every stored and published file is what was written."""

from __future__ import annotations

import typer

from app.commands.shared import AsJson, complain, print_json


def verify(as_json: AsJson = False) -> None:
    """Read every byte of every stored event file and every published mart, and name each that is not what was written.

    Also each event file that is gone, though a collect wrote it or the published build was made of it.

    \b
    Exits 0 when all are sound, 1 when one is damaged, is gone or does not belong.

    \b
    Example:
      meterhouse verify --json
    """
    from app.terminal import Spinner, table
    from app.warehouse import check
    from collectors.home import find_home
    from collectors.store import LocalStore

    home = find_home()
    with Spinner("reading every file"):
        damaged = [*LocalStore(home.events).verify(), *check.find_missing(home), *check.find_damage(home)]
        files = sum(path.is_file() for path in home.events.rglob("*.parquet"))
    rows = [{"path": str(each.path), "reason": each.reason} for each in damaged]
    if as_json:
        print_json(rows)
    elif rows:
        print(table(["path", "reason"], [list(row.values()) for row in rows]))
    else:
        marts = "and the published marts" if home.current_build() else "(nothing is published yet)"
        print(f"{files} event files {marts} are what was written")
    if rows:
        complain(f"expected sound files, found {len(rows)} that are not; move them away, then collect and build again")
        raise typer.Exit(1)

"""`meterhouse prune`: what nobody reads any more."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated

import typer

from app.commands.shared import AsJson, print_json

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def prune(
    older_than: Annotated[
        str, typer.Option(metavar="AGE", help="Keep superseded builds younger than this: 30m, 24h, 7d, 0s.")
    ] = "24h",
    is_dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove superseded builds, what killed builds left, and temporary files older than a day.

    The published build and every event stay.

    \b
    Exits 0; 1 when CURRENT names no build that is there; 2 when AGE is none.

    \b
    Example:
      meterhouse prune --older-than 7d
    """
    from app.terminal import table
    from app.warehouse.prune import prune as remove
    from collectors.home import find_home

    removed = remove(find_home(), _age(older_than), is_dry_run)
    rows = [{"kind": each.kind, "path": str(each.path), "bytes": each.bytes} for each in removed]
    if as_json:
        print_json(rows)
        return
    if rows:
        print(table(["kind", "path", "bytes"], [list(row.values()) for row in rows]))
    freed = sum(each.bytes for each in removed) / 1e6
    print(f"{'would remove' if is_dry_run else 'removed'} {len(rows)} things, {freed:,.1f} MB")


def _age(text: str) -> timedelta:
    from models.errors import UsageError

    match = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if match is None:
        raise UsageError(f"expected an age like 30m, 24h or 7d for --older-than, got {text!r}")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})

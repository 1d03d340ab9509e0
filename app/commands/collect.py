"""`meterhouse collect`: what is new, into the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.collect_agents import collect_agents, is_about_agents
from app.commands.shared import AsJson, complain, print_json

if TYPE_CHECKING:
    from collectors.collect import Collected
    from collectors.home import Home

_LINES_OF_SET_ASIDE = 20


def collect(
    source: Annotated[str, typer.Argument(help="What to read; the sources are listed above.")],
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH…", help="Folders or files to read.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Append what is new under each PATH to the store. Safe to run twice, to kill, and to race itself.

    A record that is not understood is set aside with its file and reason; everything else lands.

    \b
    Sources:
      agents    all logs that coding agents keep on this machine; needs no PATH
      claude-code, codex, gemini-cli, kimi-cli, kimi-code, kiro,
      mini-swe-agent, opencode, pi          the logs of one agent
      openhands-index, reference-benchmark, swe-bench    published results

    \b
    Exits 0 when all was understood, 1 when a record was set aside or a folder
    held nothing of this source, 2 when a path or the source is not there.

    \b
    Examples:
      meterhouse collect agents
      meterhouse collect codex ~/.codex
      meterhouse collect openhands-index datasets/published/openhands-index
    """
    if is_about_agents(source):
        raise typer.Exit(collect_agents(source, paths or [], as_json=as_json))
    from collectors.home import find_home
    from models.errors import MeterhouseError, UsageError

    if not paths:
        raise UsageError(f"{source}: expected a PATH to read, got none; see `meterhouse collect --help`")
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


def collect_one(home: Home, source: str, path: Path) -> Collected:
    """Collect one path of one source, with a spinner; what was set aside goes to standard error."""
    from app.terminal import Spinner
    from collectors.collect import collect
    from collectors.results import COLLECTORS
    from collectors.store import LocalStore
    from models.errors import UsageError

    if source not in COLLECTORS:
        raise UsageError(
            f"expected a source (agents, {', '.join(COLLECTORS)}), got {source!r}; see `meterhouse collect --help`"
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

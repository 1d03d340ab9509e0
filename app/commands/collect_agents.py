"""`meterhouse collect agents`: the logs of the agents on this machine, or under a path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.shared import complain, print_json

if TYPE_CHECKING:
    from collectors.agents.collect import Collected, CollectedAll
    from collectors.agents.find import Root

ALL = "agents"
_LINES_OF_SET_ASIDE = 20


def is_about_agents(source: str) -> bool:
    """Whether a source is `agents` or the name of one."""
    if source == ALL:
        return True
    from collectors.agents.registry import AGENTS

    return source in AGENTS


def collect_agents(source: str, paths: Sequence[Path], *, as_json: bool) -> int:
    """Collect logs and say what was found and what was not; the exit code."""
    from app.terminal import Spinner
    from collectors.agents.collect import collect_logs
    from collectors.home import find_home

    roots = _roots(source, paths)
    with Spinner("collecting logs of agents"):
        done = collect_logs(roots, find_home())
    code = _say_what_is_wrong(roots, done, are_given=bool(paths))
    if as_json:
        print_json([_as_json(each) for each in done.roots if each.logs])
    else:
        _print(roots, done, are_given=bool(paths))
    return code


def _roots(source: str, paths: Sequence[Path]) -> list[Root]:
    from collectors.agents.find import default_roots, given_roots
    from collectors.agents.registry import AGENTS
    from models.errors import SourceNotFound

    agents = list(AGENTS) if source == ALL else [source]
    missing = next((path for path in paths if not path.exists()), None)
    if missing:
        raise SourceNotFound(source, missing)
    if paths:
        return list(dict.fromkeys(root for path in paths for root in given_roots(path, agents)))
    return default_roots(os.environ, Path.home(), agents)


def _say_what_is_wrong(roots: Sequence[Root], done: CollectedAll, *, are_given: bool) -> int:
    """Complain of lines that were not understood, and of folders that hold no log; 1 where there is either."""
    set_aside = [(each, aside) for each in done.roots for aside in each.set_aside]
    for each, (path, offset, reason) in set_aside[:_LINES_OF_SET_ASIDE]:
        complain(f"{each.root.agent}: set aside {path} at {offset}: {reason}")
    if len(set_aside) > _LINES_OF_SET_ASIDE:
        more = len(set_aside) - _LINES_OF_SET_ASIDE
        complain(f"and {more} more; after a build the mart data_quality_findings lists all")
    empty = _without_logs(roots, done, are_given=are_given)
    for line in empty:
        complain(line)
    return 1 if set_aside or empty else 0


def _without_logs(roots: Sequence[Root], done: CollectedAll, *, are_given: bool) -> list[str]:
    """A known folder without a log is no data found, and never a clean 0."""
    from collectors.agents.registry import AGENTS

    if are_given:
        places = ", ".join(dict.fromkeys(str(root.path) for root in roots))
        has_logs = any(each.logs for each in done.roots)
        return [] if has_logs else [f"expected logs of an agent under {places}, found none; nothing was collected"]
    lines = [
        f"{each.root.agent}: no data found: expected {AGENTS[each.root.agent].expects} in {each.root.path}"
        for each in done.roots
        if not each.logs
    ]
    return lines if done.roots else [f"no agent keeps logs here: none of {len(roots)} default folders exists"]


def _print(roots: Sequence[Root], done: CollectedAll, *, are_given: bool) -> None:
    for each in done.roots:
        if each.logs:
            print(_line(each))
    there = {each.root.agent for each in done.roots if each.logs}
    absent = {root.agent: root.path for root in reversed(roots) if root.agent not in there}
    if absent and not are_given:
        listed = ", ".join(f"{agent} ({path})" for agent, path in sorted(absent.items()))
        print(f"not found: {listed}")
    if done.new_files:
        print(f"{_many(done.events, 'event')} in {_many(done.new_files, 'new file')}")


def _line(each: Collected) -> str:
    """What one root gave, in one line."""
    where = f"{each.root.path} ({each.root.found_by})" if each.root.found_by.isupper() else str(each.root.path)
    if not each.logs_read:
        return f"{each.root.agent}: nothing new in {_many(each.logs, 'log')} of {where}"
    told = f"{_many(each.turns, 'request')} and {_many(each.sessions, 'new session')}"
    aside = f", {_many(len(each.set_aside), 'line')} set aside" if each.set_aside else ""
    pending = f", {_many(each.pending, 'log')} still being written" if each.pending else ""
    read = "" if each.logs_read == each.logs else f"{each.logs_read:,} of "
    return f"{each.root.agent}: {told} from {read}{_many(each.logs, 'log')} of {where}{aside}{pending}"


def _many(number: int, thing: str) -> str:
    from app.formats import count

    return f"{count(number)} {thing}{'' if number == 1 else 's'}"


def _as_json(each: Collected) -> dict[str, Any]:
    named = {"agent": each.root.agent, "path": str(each.root.path), "found_by": each.root.found_by}
    counts = {name: value for name, value in vars(each).items() if name not in ("root", "set_aside")}
    aside = [{"path": path, "offset": offset, "reason": reason} for path, offset, reason in each.set_aside]
    return named | counts | {"set_aside": aside}

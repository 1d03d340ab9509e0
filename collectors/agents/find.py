"""Where agents keep their logs, and whose log a file is."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from collectors.agents import Agent
from collectors.agents.registry import AGENTS

HEAD_BYTES = 4096


@dataclass(frozen=True)
class Root:
    """A folder or file in which an agent's logs are looked for."""

    agent: str
    path: Path
    found_by: str
    """The environment variable that named it, `default`, or `given`."""


@dataclass(frozen=True)
class LogFile:
    """One log of one agent."""

    agent: str
    path: Path


def default_roots(environ: Mapping[str, str], home: Path, agents: Sequence[str]) -> list[Root]:
    """Where each agent keeps its logs on this machine, whether or not it is there."""
    return [
        Root(name, *_folder(place.variable, place.under, place.default, environ, home))
        for name in agents
        for place in AGENTS[name].places
    ]


def _folder(variable: str | None, under: str, default: str, environ: Mapping[str, str], home: Path) -> tuple[Path, str]:
    moved = environ.get(variable or "")
    if variable and moved:
        return Path(moved).expanduser() / under, variable
    return home / default, "default"


def given_roots(path: Path, agents: Sequence[str]) -> list[Root]:
    """What a path that somebody names means: a user's home folder, or else a folder or a file of logs."""
    in_home = [Root(name, path / place.default, "given") for name in agents for place in AGENTS[name].places]
    there = [root for root in in_home if root.path.exists()]
    return there or [Root(name, path, "given") for name in agents]


def logs_in(root: Root, known: Container[str] = ()) -> list[LogFile]:
    """The logs under a root, by path; `known` ones by their path below it.

    A given folder is anybody's, so the beginning of each file that is not known yet tells whose it is.
    """
    agent = AGENTS[root.agent]
    if root.path.is_file():
        return [LogFile(root.agent, root.path)] if _is_log(agent, root.path) else []
    found = [LogFile(root.agent, path) for path in _files(root.path) if agent.reads(path)]
    if root.found_by != "given":
        return found
    return [log for log in found if os.path.relpath(log.path, root.path) in known or _is_log(agent, log.path)]


def _files(folder: Path) -> Iterator[Path]:
    """Every regular file below a folder, by path: to open a pipe would be to wait for its writer."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file():
            yield Path(entry.path)


def _is_log(agent: Agent, path: Path) -> bool:
    if not agent.reads(path):
        return False
    try:
        with path.open("rb") as file:
            return agent.knows(file.read(HEAD_BYTES))
    except OSError:
        return True  # its reader will say what is wrong

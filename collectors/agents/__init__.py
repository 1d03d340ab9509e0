"""Agents' own session logs: one module an agent, and how all of them are found, read on and told as events.

find         where an agent keeps its logs, and whose log a file is
tail         the lines of a log that are new, however it is being written
records      what a log says: turns, sessions, amounts
turns        several lines that tell of one request
times        the times that logs print
batch        records to events, a column at a time
progress     how far each log was read
jobs         what is to be read, and what came of it
worker       reads a share of the logs
collect      all logs under some roots, in two processes
registry     the agents by name: claude_code, codex, pi, opencode, kimi_code, gemini_cli, mini_swe_agent, kiro
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from collectors.agents.records import Record
from models.errors import UnreadableRecord

State = Mapping[str, Any]
"""What a reader must know of the lines before: plain JSON values. Empty at a file's beginning."""


@dataclass(frozen=True)
class Place:
    """A folder in which an agent keeps logs by default."""

    default: str
    """Relative to the user's home folder: `.claude/projects`."""
    variable: str | None = None
    """The environment variable that moves the agent's folder."""
    under: str = ""
    """Where the logs are inside the folder that the variable names: `projects`."""


class LineReader(Protocol):
    """Reads one file of lines, from where the last pass ended."""

    @property
    def markers(self) -> tuple[bytes, ...]:
        """Only lines that hold one of these are given to `line`, where the file is written without spaces; () is all.

        A reader with an attribute `is_opening` is given every line for as long as that is true, and each file's first.
        One with a method `skips(data, at, offset)` is first asked whether the beginning of a line, which is at `at` in
        `data`, says all that it wants to know.
        """
        ...

    def line(self, raw: bytes, offset: int) -> bool | None:
        """Take one line, without its end; False where it told nothing.

        Raises msgspec.DecodeError or UnreadableRecord where it is not understood.
        """
        ...

    def state(self) -> State:
        """What the next pass has to know."""
        ...

    def records(self) -> Iterable[Record]:
        """What the lines since the reader was made have told."""
        ...


class LinesAgent(Protocol):
    """An agent that appends lines to files. A module with these names is one."""

    name: str
    version: int
    expects: str

    @property
    def places(self) -> tuple[Place, ...]: ...

    def reads(self, path: Path) -> bool:
        """Whether a file of this name could be a log of this agent."""
        ...

    def knows(self, head: bytes) -> bool:
        """Whether a file that begins like this (4 KB) is one."""
        ...

    def reader(self, path: Path, state: State) -> LineReader:
        """A reader of the file from where `state` was taken."""
        ...


class WholeAgent(Protocol):
    """An agent whose files are read whole, and again when they have changed. A module with these names is one."""

    name: str
    version: int
    expects: str

    @property
    def places(self) -> tuple[Place, ...]: ...

    def reads(self, path: Path) -> bool: ...

    def knows(self, head: bytes) -> bool: ...

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Files whose change is a change of this one, such as a database's write-ahead log."""
        ...

    def read(self, path: Path) -> Iterable[Record | UnreadableRecord]:
        """Everything that the file tells. Raises UnreadableRecord where it is none of this agent's."""
        ...


Agent = LinesAgent | WholeAgent

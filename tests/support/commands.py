"""The `meterhouse` command as a process."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from collectors.home import Home

COMMAND = str(Path(sys.executable).parent / "meterhouse")


def environment(home: Home, **more: str) -> dict[str, str]:
    return {**os.environ, "METERHOUSE_HOME": str(home.path), **more}


def meterhouse(home: Home, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [COMMAND, *arguments], capture_output=True, text=True, check=False, env=environment(home, **more), timeout=300
    )


def start(home: Home, *arguments: str, cwd: Path | None = None, **more: str) -> subprocess.Popen[str]:
    """Start a command in a session of its own, so that a signal to it reaches nobody else."""
    return subprocess.Popen(
        [COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home, **more),
        cwd=cwd,
        start_new_session=True,
    )


def in_terminal(home: Home, *arguments: str, **more: str) -> str:
    """What a person at a terminal sees of a command, with every control character."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, *arguments], stdout=follower, stderr=follower, env=environment(home, TERM="xterm", **more)
    )
    os.close(follower)
    seen = b""
    while chunk := _read(leader):
        seen += chunk
    os.close(leader)
    process.wait()
    return seen.decode()


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65_536)
    except OSError:  # what Linux says when the other side is closed
        return b""

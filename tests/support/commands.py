"""The `meterhouse` command as a process."""

from __future__ import annotations

import os
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


def start(home: Home, *arguments: str, **more: str) -> subprocess.Popen[str]:
    """Start a command in a session of its own, so that a signal to it reaches nobody else."""
    return subprocess.Popen(
        [COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home, **more),
        start_new_session=True,
    )

"""Processes that are killed at one step of their I/O after the other."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any


def kill_at_each_step(original: Path, folder: Path, work: Callable[[Path], object]) -> int:
    """Work on copies of a folder, FOLDER/1 …, killed at the first, second … step; the exit code of the first to end."""
    for step in count(1):
        copy = Path(shutil.copytree(original, folder / str(step), symlinks=True))
        child = os.fork()
        if child == 0:
            _die_at(step)
            work(copy)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if os.WIFEXITED(status):
            return os.waitstatus_to_exitcode(status)
    return 0


def _die_at(number: int) -> None:
    """Count every call that changes what is on disk for good; kill this process at one of them."""
    left = number

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return counting

    for name in ("fsync", "replace", "rename", "mkdir", "link", "unlink", "rmdir"):
        setattr(os, name, counted(getattr(os, name)))

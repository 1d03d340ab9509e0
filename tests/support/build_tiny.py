"""Build the tiny project in a process of its own, and die when told to.

build_tiny.py HOME fake        build, and print what was done
build_tiny.py HOME kill FOLDER build copies of HOME, FOLDER/1 …, killed at their first, second … step of I/O
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import duckdb  # noqa: F401 (before the fork, to save time)
from tiny import PROJECT, fake_dbt

from app.warehouse import dbt_runner, make  # noqa: F401 (before the fork, to save time)
from app.warehouse.build import build
from collectors.home import Home


def die_at(number: int) -> None:
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


def kill_at_each_step(home: Path, folder: Path) -> None:
    for step in count(1):
        copy = Path(shutil.copytree(home, folder / str(step), symlinks=True))
        child = os.fork()
        if child == 0:
            die_at(step)
            build(Home(copy), PROJECT)
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            return


if __name__ == "__main__":
    dbt_runner.run = fake_dbt
    if sys.argv[2] == "kill":
        kill_at_each_step(Path(sys.argv[1]), Path(sys.argv[3]))
    else:
        print(build(Home(Path(sys.argv[1])), PROJECT).status)

"""Append batches in a process of its own, and die when told to.

append_batches.py ROOT all NUMBERS…          append these batches
append_batches.py ROOT kill SEED NUMBERS…    append them in ten children, each killed at a random moment
append_batches.py ROOT steps FOLDER NUMBERS… append them to copies of ROOT, killed at their first, second … step of I/O
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from batches import batch
from dying import kill_at_each_step
from samples import NOON

from collectors.event_files import to_table
from collectors.store import LocalStore
from models import Event

KILLS = 10
LATEST_S = 0.1


def append(root: Path, batches: Iterable[list[Event]], has_begun: int | None = None) -> None:
    for events in batches:
        LocalStore(root).append(events)
        if has_begun is not None:
            os.write(has_begun, b".")


def append_until_killed(root: Path, batches: list[list[Event]], after_s: float) -> None:
    """Append in a child, and kill it so long after its first batch is there."""
    begun, has_begun = os.pipe()
    child = os.fork()
    if child == 0:
        append(root, batches, has_begun)
        signal.pause()
    os.close(has_begun)
    os.read(begun, 1)
    os.close(begun)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(root: Path, mode: str, *more: str) -> int:
    first, numbers = (None, more) if mode == "all" else (more[0], more[1:])
    batches = [batch(int(number)) for number in numbers]
    # What is imported at the first use is imported here, and not in every child.
    to_table(batches[0][:1], NOON)
    if mode == "steps":
        return kill_at_each_step(root, Path(str(first)), lambda copy: append(copy, batches))
    if mode == "all":
        append(root, batches)
        return 0
    chance = random.Random(first)
    for _ in range(KILLS):
        append_until_killed(root, chance.sample(batches, len(batches)), chance.uniform(0, LATEST_S))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))

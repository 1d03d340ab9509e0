"""One build or prune at a time in one home. Readers and collectors never take the lock."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from collectors.home import Home


@contextmanager
def build_lock(home: Home, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock, after a wait that `on_wait` is told of. A killed holder's lock is free at once."""
    home.dbt_target.mkdir(parents=True, exist_ok=True)
    handle = os.open(home.dbt_target / "build.lock", os.O_CREAT | os.O_RDWR, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)

"""Files that are there whole or not at all, whatever is killed when."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

TEMPORARY_PREFIX = ".tmp-"
"""How a file begins that is still being written, or whose writer was killed. No reader lists one."""

Write = Callable[[BinaryIO], object]


def publish(path: Path, write: Write) -> bool:
    """Write a new file. False, and nothing changes, where it is there already."""
    make_folder(path.parent)
    with _temporary(path.parent, write) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
    _sync(path.parent)
    return True


def replace(path: Path, content: bytes) -> None:
    """Write a file, or put it in the place of the one that is there."""
    make_folder(path.parent)
    rewrite(path, lambda file: file.write(content))


def rewrite(path: Path, write: Write) -> None:
    """The same, written bit by bit, in a folder that must be there."""
    with _temporary(path.parent, write) as temporary:
        temporary.replace(path)
    _sync(path.parent)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents so that a power cut does not take them away again."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync(folder.parent)


@contextmanager
def _temporary(folder: Path, write: Write) -> Iterator[Path]:
    path = folder / f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}"
    try:
        with path.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        yield path
    finally:
        path.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

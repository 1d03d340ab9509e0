"""Strict JSON, and how a source is named in an event."""

from __future__ import annotations

import errno
import json
import os
import stat
from decimal import Decimal, InvalidOperation
from io import BufferedReader
from pathlib import Path
from typing import Any, NoReturn

from models.errors import UnreadableRecord


class _Refused(ValueError):
    """JSON that Python would accept, and whose meaning is anybody's guess."""


def read_json(path: Path) -> Any:
    """The value in one JSON file; numbers with a fraction are Decimals. Raises UnreadableRecord."""
    return parse_json(read_text(path), path)


FILE = "a file"
_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def kind_of_file(mode: int) -> str:
    """What a path's mode says that it is; `FILE` is the only kind that is read, and replaced."""
    return _KINDS.get(stat.S_IFMT(mode), "something else")


def open_file(path: Path) -> BufferedReader:
    """A file to read. Raises OSError also for what is none: a pipe would keep its reader waiting for ever."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    kind = kind_of_file(os.fstat(handle).st_mode)
    if kind != FILE:
        os.close(handle)
        raise OSError(errno.EINVAL, f"it is {kind}, expected {FILE}", str(path))
    return os.fdopen(handle, "rb")


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, without its byte order mark. Raises UnreadableRecord."""
    try:
        with open_file(path) as file:
            return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableRecord(path, f"not UTF-8 at byte {error.start}", error.start) from None
    except OSError as error:
        raise UnreadableRecord(path, f"does not open: {error.strerror}") from None


def parse_json(text: str, path: Path, line: int = 1) -> Any:
    """The value in a text that starts at a line of a file. Raises UnreadableRecord; its offset is the line."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = line + error.lineno - 1
        what = "ends too early" if not text[error.pos :].strip() else error.msg[0].lower() + error.msg[1:]
        raise UnreadableRecord(path, f"not JSON: {what} (line {at}, column {error.colno})", at) from None
    except _Refused as error:
        raise UnreadableRecord(path, f"not strict JSON: {error}", line) from None
    except InvalidOperation:
        raise UnreadableRecord(path, "not strict JSON: a number has an exponent of 19 digits or more", line) from None
    except RecursionError:
        raise UnreadableRecord(path, "not JSON that anybody meant: nested too deep", line) from None
    except ValueError:
        raise UnreadableRecord(path, "has a whole number with thousands of digits", line) from None


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise _Refused(f"the key {twice!r} is there twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_float=Decimal, parse_constant=_no_constant)


def full_path(path: Path) -> Path:
    """Absolute and without dots; links are not followed, so what is under a root stays under it."""
    return Path(os.path.normpath(path.absolute()))


def relative_ref(root: Path, path: Path) -> str:
    """A file's name in an event: relative to the folder that its root is in, so that no home folder is told."""
    above, full = full_path(root).parent, full_path(path)
    known = full.relative_to(above) if full.is_relative_to(above) else Path(full.name)
    return spelled(known.as_posix())


def spelled(text: str) -> str:
    """A text that UTF-8 can hold: other bytes of a file's name are spelled as \\xff, half a character as \\ud800."""
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "backslashreplace")
    return raw.decode("utf-8", "backslashreplace")

"""Text for a person at a terminal: tables, emphasis, and a spinner that only a terminal sees."""

from __future__ import annotations

import os
import sys
import threading
import time
import unicodedata
from collections.abc import Sequence
from numbers import Number
from types import TracebackType
from typing import Any, TextIO

from app.formats import cell

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_SECONDS_PER_FRAME = 0.1


def is_terminal(stream: TextIO) -> bool:
    """Whether a person watches this stream on something that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """Emphasis on standard output; plain text in a pipe, and where NO_COLOR is set."""
    return f"\x1b[1m{text}\x1b[0m" if is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") else text


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], footer: Sequence[str] = ()) -> str:
    """Columns under their names, numbers to the right. Cells are written by `formats.cell`."""
    cells = [[cell(column, value) for column, value in zip(columns, row, strict=True)] for row in rows]
    lines = [list(columns), *cells, *([list(footer)] if footer else [])]
    widths = [max(_width(line[index]) for line in lines) for index in range(len(columns))]
    is_right = [_is_number_column(column, [row[index] for row in rows]) for index, column in enumerate(columns)]
    rule = "  ".join("─" * width for width in widths)
    written = ["  ".join(map(_pad, line, widths, is_right)).rstrip() for line in lines]
    body = [written[0], rule, *written[1 : 1 + len(rows)]]
    return "\n".join([*body, rule, written[-1]] if footer else body)


def _is_number_column(column: str, values: Sequence[Any]) -> bool:
    known = [value for value in values if value is not None]
    if not known:
        return column.endswith(("_usd", "_tokens"))
    return all(isinstance(value, Number) and not isinstance(value, bool) for value in known)


def _pad(text: str, width: int, is_right: bool) -> str:
    blank = " " * (width - _width(text))
    return blank + text if is_right else text + blank


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


class Spinner:
    """What is going on and for how long, on standard error. Says nothing where no terminal watches."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._spin, daemon=True)

    def __enter__(self) -> Spinner:
        if is_terminal(sys.stderr):
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread.ident is not None:
            self._thread.join()
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _spin(self) -> None:
        start, frame = time.monotonic(), 0
        while not self._done.wait(_SECONDS_PER_FRAME):
            seconds = int(time.monotonic() - start)
            sys.stderr.write(f"\r\x1b[K{_FRAMES[frame % len(_FRAMES)]} {self.text} ({seconds} s)")
            sys.stderr.flush()
            frame += 1

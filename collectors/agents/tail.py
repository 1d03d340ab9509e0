"""The lines of a log that are new since the last pass, however the file is being written.

A last line without its end stays for the next pass. A file that shrank, or whose beginning or last lines before the
mark are other ones, is read again from its beginning: events that were told before change nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from collectors.agents import LineReader, State
from collectors.agents.records import Record, Turn
from models.errors import UnreadableRecord

try:
    from stringzilla import find as _find
except ImportError:  # bytearray's own search is a quarter slower

    def _find(haystack: Any, needle: bytes, start: int, end: int) -> int:
        return haystack.find(needle, start, end)


FIRST_BUFFER = 4 << 20
LONGEST_LINE = 64 << 20
PRINT_BYTES = 256
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GLUED_LINES_TRIED = 200

_is_json = msgspec.json.Decoder(msgspec.Raw).decode


class Mark(msgspec.Struct, frozen=True):
    """How far a file was read: the offset after its last whole line, and what lies at both ends of that."""

    offset: int = 0
    head: str = ""
    tail: str = ""
    state: dict[str, Any] = {}


@dataclass(frozen=True)
class LineFault:
    """A line that was not understood: where it begins, why, and the sha256 of its bytes."""

    offset: int
    reason: str
    fingerprint: str


@dataclass
class Pass:
    """What one pass over a file found."""

    records: list[Record]
    mark: Mark | None
    faults: list[LineFault] = field(default_factory=list)
    pending_bytes: int = 0
    """Of a last line that is not all there yet."""


class Buffer:
    """Bytes that are read into again and again: a fresh one for each file would cost more than reading it."""

    def __init__(self) -> None:
        self.bytes = bytearray(FIRST_BUFFER)

    def grow(self) -> None:
        """Twice the room."""
        self.bytes.extend(bytes(len(self.bytes)))


def read_on(path: Path, make: Callable[[Path, State], LineReader], before: Mark | None, buffer: Buffer) -> Pass:
    """Everything that a file says after `before`, or all of it. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        start = before if before and _goes_on(handle, before) else Mark()
        given = _Lines(make(path, start.state))
        end = start.offset
        rest = b""
        for chunk in _chunks(handle, start.offset, buffer):
            given.take(chunk)
            end, rest = chunk.after, chunk.rest
        state = dict(given.reader.state())
        if rest and _is_whole(rest):
            given.one(rest, end)
        head, tail = _prints(handle, end)
    finally:
        os.close(handle)
    return Pass(given.records(), Mark(end, head, tail, state), given.faults, 0 if _is_whole(rest) else len(rest))


def _goes_on(handle: int, before: Mark) -> bool:
    """Whether what was read is still there, and the file only grew."""
    if os.fstat(handle).st_size < before.offset:
        return False
    return _prints(handle, before.offset) == (before.head, before.tail)


def _prints(handle: int, offset: int) -> tuple[str, str]:
    """Hashes of the first and the last bytes before an offset."""
    size = min(PRINT_BYTES, offset)
    return tuple(hashlib.sha256(os.pread(handle, size, at)).hexdigest()[:16] for at in (0, offset - size))  # type: ignore[return-value]


def _is_whole(rest: bytes) -> bool:
    try:
        _is_json(rest)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


@dataclass
class _Chunk:
    """Whole lines at the beginning of a buffer."""

    data: bytearray
    size: int
    """How much of `data` is whole lines."""
    begins_at: int
    after: int
    rest: bytes
    """What follows the last whole line, at the file's end."""
    too_long: bool = False
    """A line longer than any that is kept; `data` has its beginning."""


def _chunks(handle: int, offset: int, buffer: Buffer) -> Iterator[_Chunk]:
    """The file from an offset in runs of whole lines, in one buffer. The last one says what is left over."""
    begins_at, have = offset, 0
    while True:
        got = os.preadv(handle, [memoryview(buffer.bytes)[have:]], begins_at + have)
        have += got
        last = buffer.bytes.rfind(b"\n", max(0, have - got), have) + 1
        if not got:
            yield _Chunk(buffer.bytes, 0, begins_at, begins_at, bytes(buffer.bytes[:have]))
            return
        if last:
            yield _Chunk(buffer.bytes, last, begins_at, begins_at + last, b"")
            buffer.bytes[: have - last] = buffer.bytes[last:have]
            begins_at, have = begins_at + last, have - last
        elif have == len(buffer.bytes):
            if have >= LONGEST_LINE:
                yield _Chunk(buffer.bytes, 0, begins_at, begins_at, b"", too_long=True)
                begins_at, have = _next_line(handle, begins_at + have, buffer), 0
            else:
                buffer.grow()


def _next_line(handle: int, offset: int, buffer: Buffer) -> int:
    """Where the next line begins after an offset."""
    while got := os.preadv(handle, [buffer.bytes], offset):
        found = buffer.bytes.find(b"\n", 0, got)
        if found >= 0:
            return offset + found + 1
        offset += got
    return offset


_NOT_UNDERSTOOD = (msgspec.DecodeError, UnicodeDecodeError, UnreadableRecord)


class _Lines:
    """Gives a reader its lines, and keeps what it does not understand."""

    def __init__(self, reader: LineReader) -> None:
        self.reader = reader
        self.faults: list[LineFault] = []
        self._skips = getattr(reader, "skips", None)
        self._bad_bytes: dict[int, int] = {}

    def take(self, chunk: _Chunk) -> None:
        if chunk.too_long:
            reason = f"a line of more than {LONGEST_LINE >> 20} MiB"
            self.faults.append(LineFault(chunk.begins_at, reason, _sha256(bytes(chunk.data[:FIRST_BUFFER]))))
            return
        data, begins_at, line = memoryview(chunk.data), chunk.begins_at, self.reader.line
        for start, end in self._wanted(chunk, self._opened(chunk)):
            raw, offset = bytes(data[start:end]), begins_at + start
            try:  # as `one`, which would be one more call a line
                if line(raw, offset) is not False and not raw.isascii():
                    self._bad_bytes_in(raw, offset)
            except _NOT_UNDERSTOOD as error:
                self._not_understood(raw, offset, error)

    def one(self, raw: bytes, offset: int) -> None:
        """Give the reader one line, mended where it has to be."""
        if offset == 0 and raw.startswith(BYTE_ORDER_MARK):
            raw = raw[len(BYTE_ORDER_MARK) :]
        if self._skips and self._skips(raw, 0, offset):
            return
        try:
            if self.reader.line(raw, offset) is not False and not raw.isascii():
                self._bad_bytes_in(raw, offset)
        except _NOT_UNDERSTOOD as error:
            self._not_understood(raw, offset, error)

    def _not_understood(self, raw: bytes, offset: int, error: Exception) -> None:
        match error:
            case msgspec.ValidationError():
                self._fault(raw, offset, f"not as expected: {error}")
            case UnreadableRecord():
                self._fault(raw, offset, error.reason)
            case _:
                self._mend(raw, offset)

    def records(self) -> list[Record]:
        found = list(self.reader.records())
        if self._bad_bytes:
            for record in found:
                if isinstance(record, Turn) and record.offset in self._bad_bytes:
                    record.bad_utf8_bytes = self._bad_bytes[record.offset]
        return found

    def _opened(self, chunk: _Chunk) -> int:
        """Give the reader a file's first line, and each for as long as it is opening; where the next one begins."""
        start, data = 0, memoryview(chunk.data)
        while start < chunk.size and (chunk.begins_at + start == 0 or getattr(self.reader, "is_opening", False)):
            end = chunk.data.find(b"\n", start, chunk.size)
            self.one(bytes(data[start:end]), chunk.begins_at + start)
            start = end + 1
        return start

    def _wanted(self, chunk: _Chunk, start: int) -> Iterable[tuple[int, int]]:
        """Where the lines begin and end that the reader wants, in order."""
        data, size, markers = chunk.data, chunk.size, self.reader.markers
        if start == size:
            return ()
        if not markers or not _is_compact(data, size):
            return self._every_line(chunk, start)
        view = memoryview(data)
        found = [lines for marker in markers if (lines := _lines_with(marker, data, view, start, size))]
        return found[0] if len(found) == 1 else sorted(set(chain.from_iterable(found)))

    def _every_line(self, chunk: _Chunk, start: int) -> Iterator[tuple[int, int]]:
        data, size, begins_at, skips = chunk.data, chunk.size, chunk.begins_at, self._skips
        while start < size:
            end = data.find(b"\n", start, size)
            if not skips or not skips(data, start, begins_at + start):
                yield start, end
            start = end + 1

    def _bad_bytes_in(self, raw: bytes, offset: int) -> None:
        """Count what is no UTF-8 in a line that was read all the same."""
        try:
            raw.decode()
        except UnicodeDecodeError:
            self._bad_bytes[offset] = _replaced(raw)[1]

    def _mend(self, raw: bytes, offset: int) -> None:
        """A line that does not decode: with U+FFFD for what is no UTF-8, else as half a line and a whole one."""
        mended, bad_bytes = _replaced(raw)
        if bad_bytes and _is_whole(mended):
            self.one(mended, offset)
            self._bad_bytes[offset] = bad_bytes
        else:
            self._half_a_line(raw, offset)

    def _half_a_line(self, raw: bytes, offset: int) -> None:
        """A writer that was killed leaves half a line, and the next one goes on right behind it."""
        if not raw.strip():
            return
        start = raw.find(b'{"', 1)
        for _ in range(GLUED_LINES_TRIED):
            if start < 0:
                break
            if _is_whole(raw[start:]):
                self.one(raw[start:], offset + start)
                raw = raw[:start]
                break
            start = raw.find(b'{"', start + 1)
        self._fault(raw, offset, "not JSON: half a line")

    def _fault(self, raw: bytes, offset: int, reason: str) -> None:
        self.faults.append(LineFault(offset, reason, _sha256(raw)))


def _is_compact(data: bytearray, size: int) -> bool:
    """Whether JSON is written without spaces, as markers expect it. The first line tells."""
    head = bytes(data[: min(max(0, data.find(b"\n", 0, size)), 200)])
    return b'": ' not in head and b'" :' not in head


def _lines_with(marker: bytes, data: bytearray, view: memoryview, start: int, size: int) -> list[tuple[int, int]]:
    lines = []
    at = _find(view, marker, start, size)
    while at >= 0:
        end = data.find(b"\n", at, size)
        lines.append((data.rfind(b"\n", 0, at) + 1, end))
        at = _find(view, marker, end, size)
    return lines


def _replaced(raw: bytes) -> tuple[bytes, int]:
    """The line with U+FFFD in place of what is no UTF-8, and how many of those are new."""
    text = raw.decode(errors="replace")
    return text.encode(), text.count("\ufffd") - raw.count("\ufffd".encode())


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()

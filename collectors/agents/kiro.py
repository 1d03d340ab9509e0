"""kiro-cli's credits: the line that it prints after a prompt, or the metering records of its agent client protocol.

Kiro says neither tokens nor dollars of a request. Both are captures that somebody made: no folder holds them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import msgspec

from collectors.agents import Place
from collectors.agents.records import Record, Session, SessionCost, Turn
from models.errors import UnreadableRecord

name = "kiro"
version = 1
expects = "kiro-cli captures (text with its credits line, or JSON-RPC with _kiro.dev/metadata)"
places: tuple[Place, ...] = ()

KIRO_CREDIT = "KIRO_CREDIT"

_SUFFIXES = frozenset({"", ".err", ".jsonl", ".log", ".ndjson", ".out", ".stderr", ".stdout", ".txt"})
_SIGNS = ("▸ Credits:".encode(), b"\x1b[38;5;141m> ", b"Kiro will execute tools")
_ANSI = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_CREDITS = re.compile(
    r"\s*▸\s*Credits:\s*(\d{1,9}(?:\.\d{1,9})?)\s*•\s*Time:\s*\d+(?:\.\d+)?\s*[a-z]+(?:\s+\d+(?:\.\d+)?\s*[a-z]+)*\s*".encode()
)
"""`▸ Credits: 0.21 • Time: 17s`, or `2m 29s`: a whole line of its own, once its colours are taken away."""

_Credits = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class _Metered(msgspec.Struct):
    value: _Credits
    unit: str = ""


class _Metadata(msgspec.Struct, rename="camel"):
    session_id: str
    metering_usage: list[_Metered] | None = None
    turn_duration_ms: Annotated[float, msgspec.Meta(ge=0, le=1e12)] | None = None


class _Named(msgspec.Struct, rename="camel"):
    session_id: str | None = None


class _Frame(msgspec.Struct):
    jsonrpc: str
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"null")
    result: msgspec.Raw = msgspec.Raw(b"null")


_decode = msgspec.json.Decoder(_Frame).decode
_decode_metadata = msgspec.json.Decoder(_Metadata).decode
_decode_named = msgspec.json.Decoder(_Named).decode


def reads(path: Path) -> bool:
    """Whether a file of this name could be a capture."""
    return path.suffix in _SUFFIXES


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one. A text's credits come last, so what it begins with tells too."""
    if head.lstrip().startswith(b"{"):
        return b'"jsonrpc"' in head and b"kiro" in head.lower()
    return any(sign in head for sign in _SIGNS)


def companions(path: Path) -> tuple[Path, ...]:
    """A capture is one file."""
    return ()


def read(path: Path) -> Iterator[Record | UnreadableRecord]:
    """Everything that a capture tells. Raises UnreadableRecord for a file without credits or JSON-RPC."""
    raw = path.read_bytes()
    frames = [(offset, line) for offset, line in _lines(raw) if line.startswith(b"{") and b'"jsonrpc"' in line]
    yield from _metered(path, frames) if frames and b"_kiro.dev/" in raw else _printed(path, raw)


def _printed(path: Path, raw: bytes) -> Iterator[Record]:
    """A text names no session: its file's name, and what it says until its first credits, do."""
    told: dict[int, Decimal] = {}
    for offset, line in _lines(raw):
        if found := _CREDITS.fullmatch(_ANSI.sub(b"", line)):
            told[offset] = Decimal(found[1].decode())
    if not told:
        raise UnreadableRecord(path, "expected kiro-cli's credits line or its JSON-RPC records")
    first = min(told)
    begin = hashlib.sha256(raw[:first] + str(told[first]).encode()).hexdigest()[:16]
    session = f"{path.stem}-{begin}"
    yield Session(session=session)
    yield _cost(session, told)


def _metered(path: Path, frames: list[tuple[int, bytes]]) -> Iterator[Record | UnreadableRecord]:
    """One run: the first session that a capture names, and its sub-agents, which meter under sessions of their own."""
    run = None
    told: dict[int, Decimal] = {}
    prompts: dict[str, int] = {}
    for offset, line in frames:
        try:
            frame = _decode(line)
            if run is None and (run := _session_named(frame)):
                yield Session(session=run, offset=offset)
            if frame.method != "_kiro.dev/metadata":
                continue
            metadata = _decode_metadata(frame.params)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield UnreadableRecord(path, f"not as expected: {error}", offset)
            continue
        credits = [metered for metered in metadata.metering_usage or () if metered.unit == "credit"]
        if run and credits:
            prompts[metadata.session_id] = prompts.get(metadata.session_id, 0) + 1
            told[offset] = sum((Decimal(str(metered.value)) for metered in credits), Decimal())
            yield _turn(run, metadata, prompts[metadata.session_id], offset)
    if run and told:
        yield _cost(run, told)


def _session_named(frame: _Frame) -> str | None:
    """The session that a record is about, or that it says was begun."""
    for part in (frame.params, frame.result):
        try:
            if session := _decode_named(part).session_id:
                return session
        except msgspec.ValidationError:
            continue
    return None


def _turn(run: str, metadata: _Metadata, number: int, offset: int) -> Turn:
    """A prompt that was metered: the requests behind it are not told apart."""
    return Turn(
        session=run,
        key=("metered", metadata.session_id, number),
        offset=offset,
        session_id=metadata.session_id,
        sub_agent_id=metadata.session_id if metadata.session_id != run else None,
        duration_ms=metadata.turn_duration_ms,
        usage_format="kiro.none",
    )


def _cost(session: str, told: dict[int, Decimal]) -> SessionCost:
    """All credits so far. A capture that grew has its last ones farther on."""
    last = max(told)
    return SessionCost(
        session=session, amount=sum(told.values(), Decimal()), currency=KIRO_CREDIT, offset=last, revision=last
    )


def _lines(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line without its end, and where it begins. A terminal's carriage return begins a line anew."""
    offset = 0
    for line in re.split(rb"(?<=[\r\n])", raw):
        yield offset, line.strip(b"\r\n")
        offset += len(line)

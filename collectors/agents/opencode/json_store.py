"""The JSON files: `storage/message/<session>/<message>.json` and `storage/session/<project>/<session>.json`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from collectors.agents.opencode.messages import Message, Place, SessionInfo, flag_of, session_of, turn_of
from collectors.agents.records import Record
from models.errors import UnreadableRecord


class _Role(msgspec.Struct):
    role: str = ""


_role = msgspec.json.Decoder(_Role).decode
_message = msgspec.json.Decoder(Message).decode
_session = msgspec.json.Decoder(SessionInfo).decode


def reads(path: Path) -> bool:
    """Whether the file's place is a message's or a session's."""
    return path.match("message/*/*.json") or path.match("session/*/*.json")


def read(path: Path) -> Iterator[Record | UnreadableRecord]:
    """What one file tells. Raises UnreadableRecord where it is not as expected, OSError where it does not open."""
    raw = path.read_bytes()
    try:
        yield from _of_message(raw, path) if path.match("message/*/*.json") else _of_session(raw, path)
    except msgspec.ValidationError as error:
        raise UnreadableRecord(path, f"not as expected: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableRecord(path, "not JSON") from error


def _of_message(raw: bytes, path: Path) -> Iterator[Record]:
    if _role(raw).role != "assistant":
        return
    message = _message(raw)
    turn = turn_of(message, _place(path))
    yield turn
    if flag := flag_of(message, turn):
        yield flag


def _of_session(raw: bytes, path: Path) -> Iterator[Record]:
    """Ids are the files' names: opencode moved files without writing them again."""
    if session := session_of(_session(raw), path.stem):
        yield session


def _place(path: Path) -> Place:
    session, storage = path.parent.name, path.parents[2]
    root, seen, version = session, {session}, None
    while info := _info(storage, root):
        version = version or info.version
        if not info.parentID or info.parentID in seen:
            break
        root = info.parentID
        seen.add(root)
    return Place(path.stem, session, root, version)


def _info(storage: Path, session: str) -> SessionInfo | None:
    try:
        return _info_of(storage, session)
    except (OSError, msgspec.DecodeError):
        return None


@lru_cache(maxsize=4096)
def _info_of(storage: Path, session: str) -> SessionInfo:
    """A session's description. Its parent and version never change; a session without one is looked for again."""
    for path in storage.glob(f"session/*/{session}.json"):
        return _session(path.read_bytes())
    raise FileNotFoundError(session)

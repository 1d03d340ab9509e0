"""opencode: its SQLite database, and the JSON files that it kept until early 2026.

messages     what a message says, the same in both stores
database     opencode.db with its write-ahead log, through a private copy
json_store   storage/message/<session>/<message>.json

The database was filled from the JSON files, which stayed: both tell of the same requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collectors.agents import Place
from collectors.agents.opencode import database, json_store
from collectors.agents.records import Record
from models.errors import UnreadableRecord

name = "opencode"
version = 1
expects = "opencode's database (opencode.db) or its message files (storage/message/*/*.json)"
places = (Place(".local/share/opencode", "XDG_DATA_HOME", "opencode"),)


def reads(path: Path) -> bool:
    """Whether a file of this name could be a log: a release channel other than the usual has its name in the file's."""
    return path.match("opencode*.db") or json_store.reads(path)


def knows(head: bytes) -> bool:
    """Whether a file that begins like this is one."""
    return head.startswith(database.MAGIC) or (head.lstrip()[:1] == b"{" and b'"id"' in head)


def companions(path: Path) -> tuple[Path, ...]:
    """Files that hold what is not in the database yet, or not any more."""
    return database.companions(path) if path.suffix == ".db" else ()


def read(path: Path) -> Iterator[Record | UnreadableRecord]:
    """Everything that the file tells. Raises UnreadableRecord where it is none of opencode's."""
    return json_store.read(path) if path.suffix == ".json" else database.read(path)

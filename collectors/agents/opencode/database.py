"""opencode.db: sessions, messages, and the parts of messages, each a row with JSON in it.

The database is in use while it is read. So its file and its logs are copied, and the copy is read; nothing is written
beside the user's, and no lock is held on it. Texts stay in SQLite: it picks the fields.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from collectors.agents.opencode.messages import Message, Place, SessionInfo, flag_of, session_of, turn_of
from collectors.agents.records import Record
from models.errors import UnreadableRecord

MAGIC = b"SQLite format 3\0"
COPIES_TRIED = 5
WAL_HEADER_BYTES = 32

_COLUMNS = {
    "session": ("id", "parent_id", "directory", "version", "time_created"),
    "message": ("id", "session_id", "data"),
    "part": ("id", "message_id", "data"),
}

_SESSIONS = """
select
    rowid,
    id,
    json_object(
        'parentID', parent_id,
        'directory', directory,
        'version', version,
        'time', json_object('created', time_created)
    )
from session
where id is not null
order by id
"""

_MESSAGES = """
select
    rowid,
    id,
    session_id,
    case when json_valid(data) then json_object(
        'tokens', json_extract(data, '$.tokens'),
        'modelID', json_extract(data, '$.modelID'),
        'providerID', json_extract(data, '$.providerID'),
        'agent', json_extract(data, '$.agent'),
        'mode', json_extract(data, '$.mode'),
        'finish', json_extract(data, '$.finish'),
        'cost', json_extract(data, '$.cost'),
        'time', json_extract(data, '$.time'),
        'error', case when json_type(data, '$.error') = 'object' then json_object(
            'name', json_extract(data, '$.error.name'),
            'data', json_object('statusCode', json_extract(data, '$.error.data.statusCode'))
        ) end
    ) end
from message
where not json_valid(data) or json_extract(data, '$.role') = 'assistant'
order by id
"""

_TOOL_CALLS = """
select message_id, json_extract(data, '$.callID'), json_extract(data, '$.tool')
from part
where json_valid(data) and json_extract(data, '$.type') = 'tool' and message_id is not null
order by message_id, id
"""

_message = msgspec.json.Decoder(Message).decode
_session = msgspec.json.Decoder(SessionInfo).decode


def companions(path: Path) -> tuple[Path, ...]:
    """The rollback journal and the write-ahead log. (Whoever opens a copy first makes the index, -shm, anew.)"""
    return tuple(path.with_name(path.name + suffix) for suffix in ("-journal", "-wal"))


def read(path: Path) -> Iterator[Record | UnreadableRecord]:
    """Everything in the database. Raises UnreadableRecord where it is none, or none of opencode's."""
    try:
        with _private_copy(path) as connection:
            _check_schema(path, connection)
            infos: dict[str, SessionInfo] = {}
            yield from _sessions(path, connection, infos)
            yield from _messages(path, connection, infos)
    except sqlite3.Error as error:
        raise UnreadableRecord(path, f"SQLite cannot read it: {error}") from error


@contextmanager
def _private_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy in a folder that only this user can open and that is gone afterwards."""
    with TemporaryDirectory(prefix="meterhouse-opencode-") as folder:
        copy = Path(folder) / "copy.db"
        _copy(path, copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.text_factory = bytes
            connection.execute("pragma query_only = on")
            yield connection


def _copy(path: Path, copy: Path) -> None:
    """Copy the database and its logs as of one moment: again, if a checkpoint came in between."""
    for _ in range(COPIES_TRIED):
        before = _state(path)
        shutil.copyfile(path, copy)
        for source, target in zip(companions(path), companions(copy), strict=True):
            target.unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(source, target)
        if _state(path) == before:
            return
    raise UnreadableRecord(path, f"it was written to in each of {COPIES_TRIED} attempts to copy it")


def _state(path: Path) -> tuple[object, ...]:
    """What changes with every write but an append to the write-ahead log, which a copy may hold or not."""
    journal, log = companions(path)
    header: bytes | None = None
    with suppress(FileNotFoundError), log.open("rb") as file:
        header = file.read(WAL_HEADER_BYTES)
    stats = [path.stat()]
    with suppress(FileNotFoundError):
        stats.append(journal.stat())
    return (header, *((stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in stats))


def _check_schema(path: Path, connection: sqlite3.Connection) -> None:
    for table, columns in _COLUMNS.items():
        there = {name.decode() for (name,) in connection.execute("select name from pragma_table_info(?)", [table])}
        for column in columns:
            if column not in there:
                raise UnreadableRecord(path, f"not a schema of opencode's that is known: no {table}.{column}")


def _sessions(
    path: Path, connection: sqlite3.Connection, infos: dict[str, SessionInfo]
) -> Iterator[Record | UnreadableRecord]:
    """The sessions; all of them, with those of sub-agents, are put into `infos`."""
    for rowid, raw_id, raw in connection.execute(_SESSIONS):
        try:
            session, info = raw_id.decode(), _session(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield _unreadable(path, "session", rowid, error)
            continue
        infos[session] = info
        if told := session_of(info, session):
            yield told


def _messages(
    path: Path, connection: sqlite3.Connection, infos: dict[str, SessionInfo]
) -> Iterator[Record | UnreadableRecord]:
    tools = _ToolCalls(connection)
    for rowid, raw_id, raw_session, raw in connection.execute(_MESSAGES):
        if raw_id is None or raw_session is None or raw is None:
            yield UnreadableRecord(path, "message: no id, no session, or data that is not JSON", rowid)
            continue
        try:
            message = _message(raw)
            turn = turn_of(message, _place(raw_id, raw_session, infos, tools))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield _unreadable(path, "message", rowid, error)
            continue
        yield turn
        if flag := flag_of(message, turn):
            yield flag


def _place(raw_id: bytes, raw_session: bytes, infos: dict[str, SessionInfo], tools: _ToolCalls) -> Place:
    session = raw_session.decode()
    info = infos.get(session)
    return Place(raw_id.decode(), session, _root(session, infos), info and info.version, tools.of(raw_id))


def _root(session: str, infos: dict[str, SessionInfo]) -> str:
    """The top of the chain of parents, as far as it is there."""
    seen = {session}
    while (info := infos.get(session)) and info.parentID and info.parentID not in seen:
        session = info.parentID
        seen.add(session)
    return session


class _ToolCalls:
    """The tool calls of messages that are asked for in the order of their ids; one message's are held at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._groups = groupby(connection.execute(_TOOL_CALLS), key=itemgetter(0))
        self._next()

    def of(self, message: bytes) -> tuple[tuple[str, str], ...]:
        while self._message is not None and self._message < message:
            self._next()
        return self._calls if self._message == message else ()

    def _next(self) -> None:
        self._message, group = next(self._groups, (None, ()))
        self._calls = tuple((call.decode(), name.decode()) for _, call, name in group if call and name)


def _unreadable(path: Path, table: str, rowid: int, error: Exception) -> UnreadableRecord:
    detail = f"not as expected: {error}" if isinstance(error, msgspec.ValidationError) else "not readable"
    return UnreadableRecord(path, f"{table}: {detail}", rowid)

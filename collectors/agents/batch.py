"""What logs say, as events: a column at a time, one append per kind of event and batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any

import pyarrow as pa

from collectors.agents.records import Flag, Record, Session, SessionCost, Turn, session_run_id, turn_ids
from collectors.agents.tail import LineFault
from collectors.column_files import rows_of
from collectors.redact import redacted
from collectors.store import Appended, LocalStore
from models.columns import Column, Columns, Constant, Times, column, in_rows
from models.identity import ARM_FIELDS, microseconds
from models.vocabulary import UNSTATED

TURNS_PER_BATCH = 25_000
TURNS_AT_A_TIME = 256
"""Of so many, all that is made on the way to columns stays in the processor's cache: it takes half the time."""

KIRO_CREDIT = "KIRO_CREDIT"
EXACT = "exact"

Row = dict[str, Any]
"""One event as its fields; its time in µs."""


@dataclass
class Log:
    """One file as events name it."""

    ref: str
    written_us: int
    """When the file was last written; the time, by its day, of what has none of its own."""


@dataclass
class Batch:
    """The records of one agent's files until they are appended."""

    agent: str
    version: int
    turns: list[Turn] = field(default_factory=list)
    logs_of_turns: list[Log] = field(default_factory=list)
    others: dict[str, list[Row]] = field(default_factory=dict)
    """Event type -> what is no turn."""
    told: dict[str, list[pa.RecordBatch]] = field(default_factory=dict)
    """Event type -> what was told of turns so far."""
    turns_told: int = 0

    def add(self, log: Log, records: Iterable[Record], faults: Iterable[LineFault]) -> None:
        """Take what one file told."""
        for record in records:
            if isinstance(record, Turn):
                self.turns.append(record)
                self.logs_of_turns.append(log)
            else:
                self._add(*self._event(log, record))
        for fault in faults:
            self._add("record_set_aside", self._set_aside(log, fault))
        if len(self.turns) >= TURNS_AT_A_TIME:
            self._tell_turns()

    def _add(self, event_type: str, row: Row) -> None:
        self.others.setdefault(event_type, []).append(row)

    @property
    def is_full(self) -> bool:
        return self.turns_told >= TURNS_PER_BATCH

    def append(self, store: LocalStore) -> list[Appended]:
        """Append everything, and begin again."""
        for event_type, rows in self.others.items():
            self._tell(event_type, _columns_of(rows), len(rows))
        self._tell_turns()
        done = [store.append_rows(event_type, batches) for event_type, batches in self.told.items()]
        self.others, self.told, self.turns_told = {}, {}, 0
        return done

    def _tell_turns(self) -> None:
        """What there is to tell of the turns that wait, a few hundred at a time."""
        for start in range(0, len(self.turns), TURNS_AT_A_TIME):
            few = slice(start, start + TURNS_AT_A_TIME)
            self._tell_few(self.turns[few], self.logs_of_turns[few])
        self.turns_told += len(self.turns)
        self.turns, self.logs_of_turns = [], []

    def _tell_few(self, turns: Sequence[Turn], logs: Sequence[Log]) -> None:
        ids = turn_ids(self.agent, [turn.key or ("at", turn.session, turn.offset) for turn in turns])
        shared = self._shared(turns, logs)
        self._tell("turn_completed", shared | self._turn_columns(turns, ids), len(turns))
        for event_type, columns_of, has_any in _ABOUT_TURNS:
            rows = [row for row, turn in enumerate(turns) if has_any(turn)]
            if rows:
                columns = columns_of([ids[row] for row in rows], [turns[row] for row in rows])
                of_these = {name: in_rows(each, rows) for name, each in shared.items()}
                self._tell(event_type, of_these | columns, len(rows))

    def _tell(self, event_type: str, columns: Columns, count: int) -> None:
        rows = rows_of(event_type, columns, count, datetime.now(UTC))
        self.told.setdefault(event_type, []).append(rows)

    def _shared(self, turns: Sequence[Turn], logs: Sequence[Log]) -> dict[str, Column]:
        """The envelope of events about turns."""
        timed = [
            _dated(log) if turn.at_us is None else (turn.at_us, EXACT) for turn, log in zip(turns, logs, strict=True)
        ]
        return {
            "occurred_at": Times(at_us for at_us, _ in timed),
            "occurred_at_basis": column([basis for _, basis in timed]),
            "producer": Constant(f"{self.agent}/{self.version}"),
            "source": Constant("agent_log"),
            "source_ref": column([log.ref for log in logs]),
            "source_offset": [turn.offset for turn in turns],
        }

    def _turn_columns(self, turns: Sequence[Turn], ids: Sequence[str | None]) -> dict[str, Column]:
        runs = {session: session_run_id(self.agent, session) for session in {turn.session for turn in turns}}
        rows = map(attrgetter(*_COPIED), turns)
        copied = {name: column(values) for name, values in zip(_COPIED, zip(*rows, strict=True), strict=True)}
        return {
            **copied,
            **_clean({name: copied[name] for name in _TEXTS}),
            "turn_id": ids,
            "run_id": column([runs[turn.session] for turn in turns]),
            "ordinal": [turn.offset for turn in turns],
            "attempt_id": column(turn_ids(self.agent, [turn.attempt for turn in turns])),
            "tool_call_ids": [_sorted_set(turn.tool_call_ids) for turn in turns],
            "tool_names": _clean_sets([turn.tool_names for turn in turns]),
        }

    def _event(self, log: Log, record: Session | SessionCost | Flag) -> tuple[str, Row]:
        at_us, basis = (record.at_us, EXACT) if record.at_us is not None else _dated(log)
        stamp: Row = {
            "occurred_at": at_us,
            "occurred_at_basis": basis,
            "producer": f"{self.agent}/{self.version}",
            "source_ref": log.ref,
            "source_offset": record.offset,
            "run_id": session_run_id(self.agent, record.session),
        }
        match record:
            case Session():
                return "run_started", {**stamp, **self._started(record)}
            case SessionCost():
                return "cost_reported", {**stamp, **_cost(record, stamp["run_id"])}
            case Flag():
                return "run_flagged", {**stamp, "flag": record.flag, "detail": record.detail}

    def _started(self, record: Session) -> Row:
        parent = record.parent_session
        return {
            "kind": "session",
            "source": self.agent,
            **dict.fromkeys(ARM_FIELDS, UNSTATED),
            "harness": self.agent,
            "session_id": redacted(record.session),
            "project": redacted(record.project) if record.project else None,
            "parent_run_id": session_run_id(self.agent, parent) if parent else None,
        }

    def _set_aside(self, log: Log, fault: LineFault) -> Row:
        return {
            "occurred_at": microseconds(datetime.now(UTC)),
            "occurred_at_basis": EXACT,
            "producer": f"{self.agent}/{self.version}",
            "source_ref": log.ref,
            "source_offset": fault.offset,
            "collector": self.agent,
            "path": log.ref,
            "record_offset": fault.offset,
            "reason": redacted(fault.reason),
            "fingerprint": fault.fingerprint,
        }


def _columns_of(rows: Sequence[Row]) -> dict[str, Column]:
    """Rows of one event type as columns."""
    columns = {name: column([row[name] for row in rows]) for name in rows[0]}
    return columns | {"occurred_at": Times(row["occurred_at"] for row in rows)}


_TEXTS = (
    "session_id", "agent", "sub_agent_id", "llm_asked", "llm_answered", "provider_asked", "provider_answered",
    "service_tier", "error_code", "stop_reason", "request_id", "message_id", "response_id", "harness_version",
)  # fmt: skip
_COPIED = (*_TEXTS, "status", "retry_number", "ttft_ms", "duration_ms", "usage_format", "bad_utf8_bytes")
"""What a turn's event takes from its record as it is; texts pass the redactor."""


def _usage_columns(ids: Sequence[str | None], turns: Sequence[Turn]) -> dict[str, Column]:
    return {
        "subject_kind": Constant("turn"),
        "subject_id": ids,
        "usage_format": column([turn.usage_format for turn in turns]),
        "raw_counts": [turn.raw_counts for turn in turns],
        "completeness": column([turn.completeness for turn in turns]),
        "incomplete_reason": column([turn.incomplete_reason for turn in turns]),
    }


def _cost_columns(ids: Sequence[str | None], turns: Sequence[Turn]) -> dict[str, Column]:
    return {
        "subject_kind": Constant("turn"),
        "subject_id": ids,
        "cost_basis": Constant("client_estimate"),
        "amount": [turn.cost_usd and _stored(turn.cost_usd) for turn in turns],
        "currency": Constant("USD"),
    }


_ABOUT_TURNS: tuple[
    tuple[str, Callable[[Sequence[str | None], Sequence[Turn]], dict[str, Column]], Callable[[Turn], bool]], ...
] = (
    ("tokens_reported", _usage_columns, lambda turn: turn.raw_counts is not None),
    ("cost_reported", _cost_columns, lambda turn: turn.cost_usd is not None),
)
"""What else is told of a turn, as which columns, and of which turns."""


def _cost(record: SessionCost, run_id: str) -> Row:
    return {
        "source_revision": record.revision,
        "subject_kind": "run",
        "subject_id": run_id,
        "source": "agent_log",
        "cost_basis": "credits" if record.currency == KIRO_CREDIT else "client_estimate",
        "amount": _stored(record.amount),
        "currency": record.currency,
        "client_price": record.client_price,
    }


def _stored(amount: Decimal) -> Decimal:
    """An amount as its contract has it, which is loaded where there is one."""
    from models.base import twelve_places

    return twelve_places(amount)


def _dated(log: Log) -> tuple[int, str]:
    """The day on which a file was last written."""
    return log.written_us - log.written_us % 86_400_000_000, "snapshot"


def _sorted_set(texts: Sequence[str]) -> tuple[str, ...] | None:
    return tuple(sorted(set(texts))) if texts else None


def _clean_sets(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...] | None]:
    """Sets of texts without secrets; there are few different ones."""
    cleaned = {texts: _sorted_set([redacted(text) for text in texts]) for texts in set(rows)}
    return [cleaned[texts] for texts in rows]


def _clean(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Texts without secrets, an empty one as none. One search over all of them: hardly any log has a secret."""
    different = set[str | None]().union(*columns.values())
    joined = "\n".join(filter(None, different))
    if "" not in different and redacted(joined) == joined:
        return dict(columns)
    cleaned = {text: redacted(text) if text else None for text in different}
    return {name: _replaced(each, cleaned) for name, each in columns.items()}


def _replaced(each: Column, values: Mapping[Any, Any]) -> Column:
    """A column with other values in place of its own."""
    return Constant(values[each.value]) if isinstance(each, Constant) else [values[value] for value in each]

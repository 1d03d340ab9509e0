"""What logs say, as events: a column at a time, one append per kind of event and batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from collectors.agents.records import Flag, Record, Session, SessionCost, Turn, session_run_id, turn_ids
from collectors.agents.tail import LineFault
from collectors.agents.times import moment_of
from collectors.redact import redacted
from collectors.store import Appended, LocalStore
from models import CostReported, Event, RecordSetAside, RunFlagged, RunStarted, TokensReported, TurnCompleted
from models.base import twelve_places
from models.columns import Column, Constant, Times
from models.vocabulary import UNSTATED

TURNS_PER_BATCH = 25_000

KIRO_CREDIT = "KIRO_CREDIT"


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
    others: list[Event] = field(default_factory=list)

    def add(self, log: Log, records: Iterable[Record], faults: Iterable[LineFault]) -> None:
        """Take what one file told."""
        for record in records:
            if isinstance(record, Turn):
                self.turns.append(record)
                self.logs_of_turns.append(log)
            else:
                self.others.append(self._event(log, record))
        self.others += [self._set_aside(log, fault) for fault in faults]

    @property
    def is_full(self) -> bool:
        return len(self.turns) >= TURNS_PER_BATCH

    def append(self, store: LocalStore) -> list[Appended]:
        """Append everything, and begin again."""
        done = [store.append(self.others)] if self.others else []
        if self.turns:
            done += self._append_turns(store)
        self.turns, self.logs_of_turns, self.others = [], [], []
        return done

    def _append_turns(self, store: LocalStore) -> list[Appended]:
        turns, logs = self.turns, self.logs_of_turns
        ids = turn_ids(self.agent, (turn.key or ("at", turn.session, turn.offset) for turn in turns))
        done = [store.append_columns(TurnCompleted, self._turn_columns(turns, logs, ids), len(turns))]
        for kind, columns_of, has_any in _ABOUT_TURNS:
            rows = [row for row, turn in enumerate(turns) if has_any(turn)]
            if rows:
                some, where = [turns[row] for row in rows], [logs[row] for row in rows]
                columns = self._shared(some, where) | columns_of([ids[row] for row in rows], some)
                done.append(store.append_columns(kind, columns, len(rows)))
        return done

    def _shared(self, turns: Sequence[Turn], logs: Sequence[Log]) -> dict[str, Column]:
        """The envelope of events about turns."""
        timed = [(turn.at_us, "exact") if turn.at_us is not None else _dated(log) for turn, log in zip(turns, logs)]  # noqa: B905
        return {
            "occurred_at": Times(at_us for at_us, _ in timed),
            "occurred_at_basis": [basis for _, basis in timed],
            "producer": Constant(f"{self.agent}/{self.version}"),
            "source": Constant("agent_log"),
            "source_ref": [log.ref for log in logs],
            "source_offset": [turn.offset for turn in turns],
        }

    def _turn_columns(self, turns: Sequence[Turn], logs: Sequence[Log], ids: Sequence[str | None]) -> dict[str, Column]:
        runs = {session: session_run_id(self.agent, session) for session in {turn.session for turn in turns}}
        rows = list(map(attrgetter(*_COPIED), turns))
        copied = dict(zip(_COPIED, map(list, zip(*rows, strict=True)), strict=True))
        return {
            **self._shared(turns, logs),
            **{name: _clean(values) if name in _TEXTS else values for name, values in copied.items()},
            "turn_id": ids,
            "run_id": [runs[turn.session] for turn in turns],
            "ordinal": [turn.offset for turn in turns],
            "attempt_id": turn_ids(self.agent, [turn.attempt for turn in turns]),
            "tool_call_ids": [_sorted_set(turn.tool_call_ids) for turn in turns],
            "tool_names": _clean_sets([turn.tool_names for turn in turns]),
        }

    def _event(self, log: Log, record: Session | SessionCost | Flag) -> Event:
        at_us, basis = (record.at_us, "exact") if record.at_us is not None else _dated(log)
        stamp: dict[str, Any] = {
            "occurred_at": moment_of(at_us),
            "occurred_at_basis": basis,
            "producer": f"{self.agent}/{self.version}",
            "source_ref": log.ref,
            "source_offset": record.offset,
            "run_id": session_run_id(self.agent, record.session),
        }
        match record:
            case Session():
                return self._started(record, stamp)
            case SessionCost():
                return _cost(record, stamp)
            case Flag():
                return RunFlagged(**stamp, flag=record.flag, detail=record.detail)

    def _started(self, record: Session, stamp: dict[str, Any]) -> RunStarted:
        parent = record.parent_session
        return RunStarted(
            **stamp,
            kind="session",
            source=self.agent,
            harness=self.agent,
            llm=UNSTATED,
            session_id=redacted(record.session),
            project=redacted(record.project) if record.project else None,
            parent_run_id=session_run_id(self.agent, parent) if parent else None,
        )

    def _set_aside(self, log: Log, fault: LineFault) -> RecordSetAside:
        return RecordSetAside(
            occurred_at=datetime.now(UTC),
            producer=f"{self.agent}/{self.version}",
            source_ref=log.ref,
            source_offset=fault.offset,
            collector=self.agent,
            path=log.ref,
            record_offset=fault.offset,
            reason=redacted(fault.reason),
            fingerprint=fault.fingerprint,
        )


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
        "usage_format": [turn.usage_format for turn in turns],
        "raw_counts": [turn.raw_counts for turn in turns],
        "completeness": [turn.completeness for turn in turns],
        "incomplete_reason": [turn.incomplete_reason for turn in turns],
    }


def _cost_columns(ids: Sequence[str | None], turns: Sequence[Turn]) -> dict[str, Column]:
    return {
        "subject_kind": Constant("turn"),
        "subject_id": ids,
        "cost_basis": Constant("client_estimate"),
        "amount": [turn.cost_usd and twelve_places(turn.cost_usd) for turn in turns],
        "currency": Constant("USD"),
    }


_ABOUT_TURNS: tuple[
    tuple[type[Event], Callable[[Sequence[str | None], Sequence[Turn]], dict[str, Column]], Callable[[Turn], bool]], ...
] = (
    (TokensReported, _usage_columns, lambda turn: turn.raw_counts is not None),
    (CostReported, _cost_columns, lambda turn: turn.cost_usd is not None),
)
"""What else is told of a turn, as which columns, and of which turns."""


def _cost(record: SessionCost, stamp: dict[str, Any]) -> CostReported:
    return CostReported(
        **stamp,
        source_revision=record.revision,
        subject_kind="run",
        subject_id=stamp["run_id"],
        source="agent_log",
        cost_basis="credits" if record.currency == KIRO_CREDIT else "client_estimate",
        amount=record.amount,
        currency=record.currency,
        client_price=record.client_price,
    )


def _dated(log: Log) -> tuple[int, str]:
    """The day on which a file was last written."""
    return log.written_us - log.written_us % 86_400_000_000, "snapshot"


def _sorted_set(texts: Sequence[str]) -> tuple[str, ...] | None:
    return tuple(sorted(set(texts))) if texts else None


def _clean_sets(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...] | None]:
    """Sets of texts without secrets; there are few different ones."""
    cleaned = {texts: _sorted_set([redacted(text) for text in texts]) for texts in set(rows)}
    return [cleaned[texts] for texts in rows]


def _clean(values: Sequence[str | None]) -> Sequence[str | None]:
    """Texts without secrets. One search over all of them: hardly any column has one."""
    different = set(values)
    joined = "\n".join(value for value in different if value)
    if "" not in different and redacted(joined) == joined:
        return values
    cleaned = {value: redacted(value) if value else None for value in different}
    return [cleaned[value] for value in values]

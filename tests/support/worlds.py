"""Small worlds made of events, for tests that ask what the marts make of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from models import CostReported, Event, RunFinished, RunGraded, RunStarted, TaskDefined, TokensReported
from models.identity import imported_run_id

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
STAMP: dict[str, Any] = {
    "occurred_at": NOON,
    "occurred_at_basis": "batch",
    "producer": "world/1",
    "source_ref": "world",
}


def stamp(**fields: Any) -> dict[str, Any]:
    """Where and when an event was told, and whatever else is given."""
    return STAMP | fields


@dataclass(frozen=True)
class Attempt:
    """One attempt at one task. `is_resolved` None is ungraded; `cost_usd` None is not reported."""

    dataset: str
    system: str
    task_id: str
    is_resolved: bool | None = True
    cost_usd: str | None = None
    number: int = 1
    outcome: str = "completed"
    tokens: dict[str, int] | None = None
    started: dict[str, Any] = field(default_factory=dict)

    @property
    def arm(self) -> tuple[str, str, str, str, str]:
        return (self.system, "some-llm", "unstated", "unstated", "unstated")

    @property
    def run_id(self) -> str:
        return imported_run_id("world", self.dataset, "world", self.arm, self.task_id, self.number)

    def events(self) -> list[Event]:
        """The attempt as a collector would tell it."""
        return [*self._run(), *self._verdict(), *self._cost(), *self._usage()]

    def _run(self) -> Iterable[Event]:
        yield TaskDefined(**STAMP, dataset=self.dataset, task_id=self.task_id, declared_verifier="tests")
        yield RunStarted(
            **(STAMP | self.started),
            run_id=self.run_id,
            kind="attempt",
            source="world",
            harness=self.system,
            llm="some-llm",
            dataset=self.dataset,
            task_id=self.task_id,
            attempt_number=self.number,
            declared_cost_basis="client_estimate",
            client_price="own",
        )
        yield RunFinished(**STAMP, run_id=self.run_id, outcome=self.outcome)  # pyright: ignore[reportArgumentType]

    def _verdict(self) -> Iterable[Event]:
        status = {True: "resolved", False: "unresolved", None: "ungraded"}[self.is_resolved]
        yield RunGraded(**STAMP, run_id=self.run_id, verifier="tests", is_resolved=self.is_resolved, status=status)  # pyright: ignore[reportArgumentType]

    def _cost(self) -> Iterable[Event]:
        if self.cost_usd is not None:
            yield cost(self.run_id, self.cost_usd)

    def _usage(self) -> Iterable[Event]:
        if self.tokens is not None:
            yield TokensReported(
                **STAMP,
                subject_kind="run",
                subject_id=self.run_id,
                source="run_report",
                usage_format="reference.fresh-input-plus-cache",
                raw_counts=self.tokens,
            )


def cost(run_id: str, amount_usd: str, **fields: Any) -> CostReported:
    """What a run's report states as its cost."""
    return CostReported(
        **(stamp(subject_kind="run", source="run_report", cost_basis="client_estimate") | fields),
        subject_id=run_id,
        amount=Decimal(amount_usd),
    )


def told(attempts: Iterable[Attempt]) -> list[Event]:
    """All events of several attempts."""
    return [event for attempt in attempts for event in attempt.events()]

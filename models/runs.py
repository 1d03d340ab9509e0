"""Attempts and sessions: begun, ended, excluded, flagged."""

from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import Field

from models.base import Count, Event, Ordinal, Seconds, Text, Usd, Whole
from models.vocabulary import UNSTATED, ClientPrice, CostBasis, ExclusionReason, Hosting, Outcome, RunKind

PositiveUsd = Annotated[Usd, Field(gt=Decimal(0))]


class RunStarted(Event):
    """An attempt at a task (written before the agent starts) or a session found in an agent's log."""

    event_type: ClassVar = "run_started"
    natural_key: ClassVar = ("run_id",)
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "attempt or session"

    run_id: Text
    kind: RunKind
    source: Text
    """Who states this run: `openhands-index`, `claude-code` …"""
    harness: Text
    llm: Text
    serving_path: Text = UNSTATED
    skill: Text = UNSTATED
    effort: Text = UNSTATED
    dataset: Text | None = None
    dataset_version: Text | None = None
    split: Text | None = None
    task_id: Text | None = None
    attempt_number: Ordinal | None = None
    batch_id: Text | None = None
    """The submission that this attempt was part of, where an amount was stated for the whole of it."""
    declared_cost_basis: CostBasis | None = None
    client_price: ClientPrice | None = None
    seller: Text | None = None
    hosting: Hosting | None = None
    region: Text | None = None
    harness_version: Text | None = None
    harness_wrapper: Text | None = None
    """What drove the harness, where the source names only that: `openhands over acp (codex-acp)`."""
    harness_wrapper_version: Text | None = None
    llm_wire_name: Text | None = None
    """The LLM as it was asked for on the wire; the snapshot, where the name carries one."""
    skill_hash: Text | None = None
    instance_type: Text | None = None
    precision: Text | None = None
    tensor_parallel_size: Count | None = None
    context_window_tokens: Count | None = None
    budget_wall_s: Seconds | None = None
    budget_usd: PositiveUsd | None = None
    budget_tokens: Count | None = None
    budget_turns: Count | None = None
    budget_tool_calls: Count | None = None
    parent_run_id: Text | None = None
    """The run that this one resumes, forks or was spawned by."""
    session_id: Text | None = None
    """The agent's own id of the session."""
    project: Text | None = None
    """The last part of the folder that a session worked in."""


class RunFinished(Event):
    """How an attempt ended."""

    event_type: ClassVar = "run_finished"
    natural_key: ClassVar = ("run_id",)
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "attempt"

    run_id: Text
    outcome: Outcome
    outcome_detail: Text | None = None
    """The source's own word for it: `error_max_turns`, `length` …"""
    exit_code: Whole | None = None
    wall_s: Seconds | None = None
    turns: Count | None = None
    """LLM requests as the harness counts them."""
    agent_invocations: Count | None = None
    artifacts_produced: Count | None = None
    artifacts_expected: Count | None = None
    artifacts_hash: Text | None = None
    patch_hash: Text | None = None


class RunFlagged(Event):
    """An integrity finding seen at the edge."""

    event_type: ClassVar = "run_flagged"
    grain: ClassVar = "finding about a run"

    run_id: Text
    flag: Text
    """`solve_without_edit`, `touched_tests`, `read_fix_history` …"""
    detail: Text | None = None


class RunExcluded(Event):
    """An exclusion, or its withdrawal. Only infrastructure errors, duplicates and broken tasks may be excluded."""

    event_type: ClassVar = "run_excluded"
    natural_key: ClassVar = ("run_id", "occurred_at")
    conflict_rule: ClassVar = "latest_decides"
    grain: ClassVar = "decision about a run"

    run_id: Text
    is_excluded: bool
    reason: ExclusionReason
    note: Text | None = None
    excluded_by: Text

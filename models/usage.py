"""What went to an LLM and came back, and every observation of its tokens and its cost."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from models.base import Count, Event, Text, Usd, Utc, Whole
from models.vocabulary import ClientPrice, Completeness, CostBasis, SubjectKind, TurnStatus, UsageSource

Milliseconds = Annotated[float, Field(allow_inf_nan=False, ge=0)]


def _sorted_set(ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(ids)))


class TurnCompleted(Event):
    """One request to an LLM. `turn_id` is the hash of (source, agent or seller, response id or the agent's own key)."""

    event_type: ClassVar = "turn_completed"
    natural_key: ClassVar = ("source", "turn_id")
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "LLM request and source"

    turn_id: Text
    source: UsageSource
    run_id: Text
    session_id: Text | None = None
    ordinal: Count | None = None
    """The record's offset in its log; the rank is computed in SQL."""
    agent: Text | None = None
    sub_agent_id: Text | None = None
    llm_asked: Text | None = None
    llm_answered: Text | None = None
    provider_asked: Text | None = None
    provider_answered: Text | None = None
    endpoint_tag: Text | None = None
    quantization: Text | None = None
    region: Text | None = None
    service_tier: Text | None = None
    status: TurnStatus | None = None
    retry_number: Count | None = None
    ttft_ms: Milliseconds | None = None
    duration_ms: Milliseconds | None = None
    stop_reason: Text | None = None
    tool_call_ids: Annotated[tuple[str, ...], AfterValidator(_sorted_set)] | None = None
    request_id: Text | None = None
    message_id: Text | None = None
    response_id: Text | None = None
    usage_format: Text | None = None
    attempt_id: Text | None = None
    """The turn_id under which this request stood as unanswered or failed before its reply was read."""
    tool_names: Annotated[tuple[str, ...], AfterValidator(_sorted_set)] | None = None
    error_code: Text | None = None
    """HTTP status or the agent's own short code; never a message."""
    harness_version: Text | None = None
    bad_utf8_bytes: Count | None = None
    """Bytes of its record that are no UTF-8 and were read as U+FFFD."""


class TokensReported(Event):
    """One observation of usage: raw counts, named as the source names them."""

    event_type: ClassVar = "tokens_reported"
    natural_key: ClassVar = ("source", "subject_kind", "subject_id")
    conflict_rule: ClassVar = "highest_revision"
    grain: ClassVar = "subject and source"

    subject_kind: SubjectKind
    subject_id: Text
    run_id: Text | None = None
    source: UsageSource
    usage_format: Text
    """Which rows of seeds/token_conventions.csv say what the counts mean."""
    raw_counts: dict[str, Whole]
    completeness: Completeness = "complete"
    incomplete_reason: Text | None = None


class CostReported(Event):
    """One amount that somebody stated."""

    event_type: ClassVar = "cost_reported"
    natural_key: ClassVar = ("source", "subject_kind", "subject_id", "cost_basis")
    conflict_rule: ClassVar = "highest_revision"
    grain: ClassVar = "subject, source and cost basis"

    subject_kind: SubjectKind
    subject_id: Text
    run_id: Text | None = None
    source: UsageSource
    cost_basis: CostBasis
    amount: Usd
    currency: Text = "USD"
    """`USD`, or a unit of account such as `KIRO_CREDIT` that a dated price turns into dollars."""
    client_price: ClientPrice | None = None
    """`foreign`: a client's estimate at another LLM's price, and so no cost."""


class BillLineRecorded(Event):
    """One row of an invoice or a usage report; columns after the FinOps FOCUS specification."""

    event_type: ClassVar = "bill_line_recorded"
    natural_key: ClassVar = ("source", "account", "billing_period_start", "line_key", "source_revision")
    conflict_rule: ClassVar = "highest_revision"
    grain: ClassVar = "bill line revision"

    source: Text
    account: Text
    billing_period_start: Utc
    billing_period_end: Utc | None = None
    line_key: Text
    charge_period_start: Utc | None = None
    charge_period_end: Utc | None = None
    charge_category: Text | None = None
    charge_description: Text | None = None
    service_name: Text | None = None
    sku_id: Text | None = None
    region_id: Text | None = None
    resource_id: Text | None = None
    billed_cost: Usd | None = None
    effective_cost: Usd | None = None
    list_cost: Usd | None = None
    billing_currency: Text = "USD"
    consumed_quantity: Usd | None = None
    consumed_unit: Text | None = None
    tags_json: Text | None = None

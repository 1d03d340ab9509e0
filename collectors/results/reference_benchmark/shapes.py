"""The source's JSON in its own shapes, as far as anything in it is read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field

from collectors.results.theirs import Amount, Faults, Moment, Number, Theirs

Whole = Annotated[int, Field(ge=0, lt=2**63)]
Artifact = Literal["github_issue", "lld", "review", "testing", "implementation"]
Shape = TypeVar("Shape", bound=Theirs)


def _day(value: object) -> object:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("expected a date such as 2026-08-05") from None


Day = Annotated[date, BeforeValidator(_day)]


class Serving(Theirs):
    instance_type: str | None = None
    tensor_parallel_size: Whole | None = None
    precision: str | None = None
    context_window: Whole | None = None


class Scored(Theirs):
    """One artifact's criteria and their sum."""

    completeness: Number | None = None
    correctness: Number | None = None
    specificity: Number | None = None
    risk_awareness: Number | None = None
    total: Number | None = None
    notes: str | None = None


Scores = dict[Artifact, Scored | None]


class Judge(Theirs):
    model: str | None = None
    provider: str | None = None
    repo_grounded: bool | None = None
    repo_root: str | None = None
    repo_ref: str | None = None
    reasoning_effort: str | None = None
    evaluated_at: Moment | None = None
    token_usage: dict[str, Any] | None = None
    duration_ms: Amount | None = None
    scored_zero_missing_artifacts: list[str] | None = None


class Judged(Theirs):
    """eval.json, judge-gpt.json, and the block `evaluation` of metrics.json."""

    task: str
    model: str
    scores: Scores
    task_score: Number | None = None
    verdict: str | None = None
    judge: Judge | None = None
    skill: str | None = None

    @property
    def model_slug(self) -> None:
        """Not among this file's fields."""

    @property
    def agent(self) -> None:
        """Not among this file's fields."""


class Usage(Theirs):
    input_tokens: Whole | None = None
    output_tokens: Whole | None = None
    cache_read_tokens: Whole | None = None
    cache_write_tokens: Whole | None = None
    total_tokens: Whole | None = None
    total_cost_usd: Amount | None = None
    latency_seconds: Amount | None = None
    num_turns: Whole | None = None
    generation_tokens_per_sec: Amount | None = None
    prefix_cache_hit_rate: Number | None = None


class Block(Usage):
    note: str | None = None
    sources: dict[str, str] | None = None


class Metrics(Usage):
    """metrics.json as the runner wrote it."""

    task: str
    model: str
    repo: str | None = None
    ref: str | None = None
    complexity: str | None = None
    tags: list[str] | None = None
    model_slug: str | None = None
    agent: str | None = None
    skill: str | None = None
    provider: str | None = None
    endpoint: str | None = None
    aws_region: str | None = None
    serving: Serving | None = None
    artifacts_produced: Whole | None = None
    artifacts_expected: Whole | None = None
    token_accounting_warning: str | None = None
    prompt_token_reconciliation: dict[str, Any] | None = None
    metrics: Block | None = None
    metrics_that_matter: Block | None = None
    cache_creation_tokens: Whole | None = None
    is_error: bool | None = None
    result_subtype: str | None = None
    error: Any = None
    api_error_status: Any = None
    session_id: str | None = None
    thinking_tokens_estimate: Whole | None = None
    kiro_credits: Amount | None = None
    run_started_at: Moment | None = None
    run_ended_at: Moment | None = None
    agent_invocations: Whole | None = None
    topped_up_artifacts: list[str] | None = None
    vllm_prometheus: dict[str, Any] | None = None
    evaluation: Judged | None = None
    token_accounting_repair: dict[str, Any] | None = None


class HandMadeBlock(Theirs):
    api_calls: Whole | None = None
    total_input_tokens: Whole | None = None
    total_output_tokens: Whole | None = None
    cache_read_tokens: Whole | None = None
    cache_write_tokens: Whole | None = None
    avg_input_per_call: Amount | None = None
    avg_output_per_call: Amount | None = None
    max_input_single_call: Whole | None = None
    max_output_single_call: Whole | None = None
    tool_calls: Whole | None = None
    tool_call_types: dict[str, Whole] | None = None
    wall_clock_seconds: Amount | None = None
    generation_tokens_per_sec: Amount | None = None
    prompt_tokens_per_sec: Amount | None = None
    task_cost_usd: Amount | None = None


class VllmConfig(Theirs):
    max_model_len: Whole | None = None
    gpu_memory_utilization: Amount | None = None
    tool_call_parser: str | None = None
    reasoning_parser: str | None = None
    tensor_parallel_size: Whole | None = None
    prefix_caching: bool | None = None


class Timestamps(Theirs):
    first: Moment | None = None
    last: Moment | None = None


class HandMade(Theirs):
    """metrics.json from before there was a runner."""

    task: str
    model: str
    session_id: str | None = None
    repo: str | None = None
    tag: str | None = None
    instance_type: str | None = None
    gpus: str | None = None
    instance_cost_per_hr: Amount | None = None
    vllm_config: VllmConfig = VllmConfig()
    metrics: HandMadeBlock
    timestamps: Timestamps

    @property
    def model_slug(self) -> None:
        """Not among this file's fields."""

    @property
    def agent(self) -> None:
        """Not among this file's fields."""

    @property
    def skill(self) -> None:
        """Not among this file's fields."""


class KvCache(Theirs):
    peak: Amount | None = None
    mean: Amount | None = None


class SummaryTask(Usage):
    task: str
    complexity: str | None = None
    ref: str | None = None
    artifacts_produced: Whole | None = None
    artifacts_expected: Whole | None = None
    result_subtype: str | None = None
    task_score: Number | None = None
    kv_cache_usage: KvCache | None = None
    agent_invocations: Whole | None = None
    topped_up_artifacts: list[str] | None = None
    eval_scores: Scores | None = None
    is_error: bool | None = None
    failed: bool | None = None
    token_accounting_repair: dict[str, Any] | str | None = None


class Summary(Theirs):
    """run-summary.json; its tasks are read one by one."""

    model: str
    model_slug: str | None = None
    agent: str | None = None
    skill: str | None = None
    scope: str | None = None
    provider: str | None = None
    ref: str | None = None
    refs: list[str] | None = None
    serving: Serving | None = None
    judge: Judge | None = None
    num_tasks: Whole | None = None
    num_scored: Whole | None = None
    num_failed: Whole | None = None
    failed_tasks: list[str] | None = None
    mean_task_score_excl_failed: Number | None = None
    mean_cost_usd_excl_failed: Number | None = None
    run_date: Day | None = None
    tasks: list[Any]


def parse(faults: Faults, shape: type[Shape], raw: object, offset: int = 0) -> Shape | None:
    """The record in its shape; unknown fields are noted at every depth, and the known ones are read."""
    record = faults.parse(shape, raw, offset)
    unknown = [] if record is None else sorted(_unknown_inside(record))
    if unknown:
        faults.add(offset, f"unknown field {', '.join(map(repr, unknown))}; the known fields were read")
    return record


def _unknown_inside(record: Theirs) -> Iterator[str]:
    """The unknown fields of the records inside a record, each after the names that lead to it."""
    for field, value in record.__dict__.items():
        for name, part in value.items() if isinstance(value, dict) else [("", value)]:
            if isinstance(part, Theirs):
                inside = [*(part.model_extra or ()), *_unknown_inside(part)]
                yield from (".".join(filter(None, (field, name, unknown))) for unknown in inside)


def repair_method(repair: dict[str, Any] | str | None) -> str | None:
    """How the source recounted tokens; its mark is an object in metrics.json."""
    return str(repair.get("method", "unnamed")) if isinstance(repair, dict) else repair

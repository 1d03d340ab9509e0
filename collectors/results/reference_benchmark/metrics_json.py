"""metrics.json, the runner's own and the hand-made one of the first weeks: what an attempt was, used and cost."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from collectors.results.reference_benchmark.arms import COUNTS, Arm
from collectors.results.reference_benchmark.attempts import Attempt, Report
from collectors.results.reference_benchmark.origin import Origin, exactly
from collectors.results.reference_benchmark.shapes import HandMade, Metrics, Serving, Usage, repair_method
from models.base import without_nulls

TABLE = "metrics.json"
DERIVED = ("total_tokens", "prefix_cache_hit_rate", "generation_tokens_per_sec")
HAND_DERIVED = (
    "avg_input_per_call",
    "avg_output_per_call",
    "generation_tokens_per_sec",
    "prompt_tokens_per_sec",
    "task_cost_usd",
)


def attempt_in(record: Metrics | HandMade, origin: Origin, arm: Arm, scope: str) -> Attempt:
    if isinstance(record, HandMade):
        return _hand_made(record, origin, arm, scope)
    return _attempt(record, origin, arm, scope)


def _places(metrics: Metrics) -> Iterator[Usage]:
    """Where one number may stand, first the place that counts: a recount was written to the top level only."""
    blocks = [block for block in (metrics.metrics, metrics.metrics_that_matter) if block]
    yield from [metrics, *blocks] if metrics.token_accounting_repair else [*blocks, metrics]


def _stated(metrics: Metrics, field: str) -> Any:
    found = (getattr(place, field) for place in _places(metrics))
    return next((value for value in found if value is not None), None)


def _counts(metrics: Metrics) -> dict[str, int]:
    """The four counts; at the top level the API's word for a cache write stands beside the others."""
    at_top = metrics.cache_creation_tokens
    if at_top is not None:
        metrics = metrics.model_copy(update={"cache_write_tokens": at_top})
    return without_nulls({counted: _stated(metrics, counted) for counted in COUNTS})


def _attempt(metrics: Metrics, origin: Origin, arm: Arm, scope: str) -> Attempt:
    serving = metrics.serving or Serving()
    return Attempt(
        origin,
        arm,
        scope,
        metrics.task,
        began=exactly(metrics.run_started_at),
        repo=metrics.repo,
        ref=metrics.ref,
        complexity=metrics.complexity,
        tags=None if metrics.tags is None else tuple(metrics.tags),
        wire_name=metrics.model,
        region=metrics.aws_region,
        precision=serving.precision,
        tensor_parallel_size=serving.tensor_parallel_size,
        context_window_tokens=serving.context_window,
        report=_report(metrics),
    )


def _report(metrics: Metrics) -> Report:
    return Report(
        TABLE,
        ended=exactly(metrics.run_ended_at),
        is_error=metrics.is_error,
        result_subtype=metrics.result_subtype,
        wall_s=_stated(metrics, "latency_seconds"),
        turns=_stated(metrics, "num_turns"),
        agent_invocations=metrics.agent_invocations,
        artifacts_produced=metrics.artifacts_produced,
        artifacts_expected=metrics.artifacts_expected,
        counts=_counts(metrics),
        cost_usd=_stated(metrics, "total_cost_usd"),
        kiro_credits=metrics.kiro_credits,
        repair=repair_method(metrics.token_accounting_repair),
        derived=without_nulls({metric: _stated(metrics, metric) for metric in DERIVED}),
    )


def _hand_made(record: HandMade, origin: Origin, arm: Arm, scope: str) -> Attempt:
    return Attempt(
        origin,
        arm,
        scope,
        record.task,
        began=exactly(record.timestamps.first),
        repo=record.repo,
        ref=record.tag,
        wire_name=record.model,
        instance_type=record.instance_type,
        tensor_parallel_size=record.vllm_config.tensor_parallel_size,
        context_window_tokens=record.vllm_config.max_model_len,
        report=_hand_made_report(record),
    )


def _hand_made_report(record: HandMade) -> Report:
    block = record.metrics
    counts = {
        "input_tokens": block.total_input_tokens,
        "output_tokens": block.total_output_tokens,
        "cache_read_tokens": block.cache_read_tokens,
        "cache_write_tokens": block.cache_write_tokens,
    }
    derived: dict[str, Decimal | None] = {metric: getattr(block, metric) for metric in HAND_DERIVED}
    return Report(
        TABLE,
        ended=exactly(record.timestamps.last),
        wall_s=block.wall_clock_seconds,
        turns=block.api_calls,
        counts=without_nulls(counts),
        derived=without_nulls({**derived, "instance_cost_per_hr": record.instance_cost_per_hr}),
    )

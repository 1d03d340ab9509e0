"""throughput.csv: one row a load level of a sweep over a vLLM server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from collectors.results.reference_benchmark.claims import claim
from collectors.results.reference_benchmark.csv_file import Amount, Row, Whole, read_rows
from collectors.results.reference_benchmark.origin import SNAPSHOT, FromOrigin, Origin, name
from models import Event, ThroughputSampled
from models.base import without_nulls
from models.errors import UnreadableRecord

COSTED = ("blended_cost_per_1m_tokens_usd", "task_cost_blended_usd", "task_cost_split_usd")
SAME_NAME = (
    "kv_cache_peak",
    "kv_cache_mean",
    "requests_running_mean",
    "requests_waiting_mean",
    "ttft_ms_mean",
    "ttft_ms_p50",
    "ttft_ms_p90",
    "ttft_ms_p99",
    "tpot_ms_mean",
)


class LevelRow(Row):
    model: str
    instance_type: str | None
    tensor_parallel_size: Whole | None
    precision: str | None
    dollars_per_hour: Amount | None
    concurrency: Whole
    output_tokens_per_second: Amount | None
    prompt_tokens_per_second: Amount | None
    window_seconds: Amount | None
    kv_cache_peak: Amount | None
    kv_cache_mean: Amount | None
    requests_running_mean: Amount | None
    requests_waiting_mean: Amount | None
    ttft_ms_mean: Amount | None
    ttft_ms_p50: Amount | None
    ttft_ms_p90: Amount | None
    ttft_ms_p99: Amount | None
    tpot_ms_mean: Amount | None
    blended_cost_per_1m_tokens_usd: Amount | None
    task_cost_blended_usd: Amount | None
    task_cost_split_usd: Amount | None
    task_input_tokens: Whole | None
    task_output_tokens: Whole | None
    source_path: str
    source_commit: str

    @property
    def sweep(self) -> str:
        return f"{self.source_path}@{self.source_commit}"

    @property
    def key(self) -> tuple[str, str, int]:
        return self.sweep, self.model, self.concurrency


@dataclass(frozen=True)
class Level(FromOrigin):
    origin: Origin
    row: LevelRow


def read_levels(path: Path, ref: str) -> Iterator[Level | UnreadableRecord]:
    for line in read_rows(path, LevelRow, lambda row: row.key):
        yield line if isinstance(line, UnreadableRecord) else Level(Origin(ref, line[0]), line[1])


def level_events(level: Level) -> list[Event]:
    row = level.row
    sample = ThroughputSampled(
        **level.origin.stamp(SNAPSHOT),
        **_measured(row),
        source=name,
        server=row.model,
        engine="vllm",
        sample_kind="level",
        sweep=row.sweep,
        concurrency=row.concurrency,
        llm=row.model,
        instance_type=row.instance_type,
        precision=row.precision,
        tensor_parallel_size=row.tensor_parallel_size,
        usd_per_hour=row.dollars_per_hour,
        is_drain_included=True,
        is_ttft_upper_bound=True,
        task_input_tokens=row.task_input_tokens,
        task_output_tokens=row.task_output_tokens,
    )
    return [sample, *_costs(level)]


def _measured(row: LevelRow) -> dict[str, Any]:
    measured: dict[str, Decimal | None] = {
        "window_s": row.window_seconds,
        "prompt_tokens_per_s": row.prompt_tokens_per_second,
        "output_tokens_per_s": row.output_tokens_per_second,
        **{measure: getattr(row, measure) for measure in SAME_NAME},
    }
    return {measure: float(value) for measure, value in without_nulls(measured).items()}


def _costs(level: Level) -> Iterator[Event]:
    row = level.row
    for metric in COSTED:
        value = getattr(row, metric)
        if value is not None:
            yield claim(
                level.origin,
                SNAPSHOT,
                metric,
                value,
                table_name="performance-summary",
                scope="dataset",
                source_arm=row.model,
                note=f"level {row.concurrency} of {row.sweep}",
            )

"""What a serving machine was seen to do."""

from typing import Annotated, ClassVar

from pydantic import Field

from models.base import Count, Event, Ratio, Seconds, Text, UnitPrice, Utc
from models.vocabulary import SampleKind

Rate = Annotated[float, Field(allow_inf_nan=False, ge=0)]


class ThroughputSampled(Event):
    """One scrape of a server's counters, or one load level of a sweep."""

    event_type: ClassVar = "throughput_sampled"
    natural_key: ClassVar = ("source", "server", "engine", "sampled_at", "sweep", "concurrency")
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "scrape, or sweep and load level"

    source: Text
    server: Text
    engine: Text | None = None
    sample_kind: SampleKind
    sampled_at: Utc | None = None
    sweep: Text | None = None
    concurrency: Count | None = None
    llm: Text | None = None
    instance_type: Text | None = None
    precision: Text | None = None
    tensor_parallel_size: Count | None = None
    tenancy: Text | None = None
    usd_per_hour: UnitPrice | None = None
    """What the source charged for the machine's share; its own reading, not a price of ours."""
    window_s: Seconds | None = None
    is_drain_included: bool | None = None
    prompt_tokens: Count | None = None
    generation_tokens: Count | None = None
    prompt_tokens_per_s: Rate | None = None
    output_tokens_per_s: Rate | None = None
    requests_running_mean: Rate | None = None
    requests_waiting_mean: Rate | None = None
    kv_cache_mean: Ratio | None = None
    kv_cache_peak: Ratio | None = None
    ttft_ms_mean: Rate | None = None
    ttft_ms_p50: Rate | None = None
    ttft_ms_p90: Rate | None = None
    ttft_ms_p99: Rate | None = None
    is_ttft_upper_bound: bool | None = None
    tpot_ms_mean: Rate | None = None
    failed_requests: Count | None = None
    total_requests: Count | None = None
    task_input_tokens: Count | None = None
    task_output_tokens: Count | None = None

"""The shapes of the OpenHands Index, and the records that are read out of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from pydantic import Field

from collectors.results.theirs import Amount, Moment, Number, Theirs
from models.base import Text
from models.identity import ARM_FIELDS
from models.vocabulary import UNSTATED, Basis

name = "openhands-index"
version = 1

SNAPSHOT = datetime(2026, 6, 30, tzinfo=UTC)
"""The date of the commit that is shipped: the time of a batch that states none."""
DATASETS = {"swe-bench": "swe-bench-verified", "swe-bench-multimodal": "swe-bench-multimodal"}
"""The benchmarks whose rows are read, each with our name of its dataset. Its own name is also that of its verifier."""


class Row(Theirs):
    """One attempt in instance_results/<benchmark>.json."""

    resolved: bool | None
    cost: Amount | None = None


class Metadata(Theirs):
    """metadata.json; what is typed `object` is known and not used."""

    model: Text
    agent_version: Text | None = None
    agent_name: object = None
    openness: object = None
    country: object = None
    tool_usage: object = None
    directory_name: object = None
    release_date: object = None
    parameter_count_b: object = None
    active_parameter_count_b: object = None
    supports_vision: object = None
    input_price: object = None
    output_price: object = None
    cache_read_price: object = None
    cache_write_price: object = None
    submission_time: object = None
    available: object = None
    hide_from_leaderboard: object = None


class Score(Theirs):
    """One entry of scores.json: what was published about one benchmark."""

    benchmark: Text
    metric: Text
    score: Number | None = None
    cost_per_instance: Number | None = None
    average_runtime: Number | None = None
    component_scores: dict[Text, Number | None] = Field(default_factory=dict)
    agent_version: Text | None = None
    acp_agent_name: Text | None = None
    acp_agent_version: Text | None = None
    submission_time: Moment | None = None
    full_archive: object = None
    tags: object = None
    eval_visualization_page: object = None


@dataclass(frozen=True)
class Arm:
    """One folder: its name in the source's own words, and what its place and its metadata say."""

    source_arm: str
    harness: str
    is_acp: bool
    metadata: Metadata
    has_rows: bool

    @cached_property
    def identity(self) -> tuple[str, str, str, str, str]:
        return self.harness, self.metadata.model, UNSTATED, UNSTATED, UNSTATED

    @cached_property
    def fields(self) -> dict[str, Any]:
        return dict(zip(ARM_FIELDS, self.identity, strict=True))


@dataclass(frozen=True)
class Submission:
    """What one arm handed in for one benchmark: a batch with one time. `score` is None where nothing was published."""

    arm: Arm
    benchmark: str
    score: Score | None

    @cached_property
    def time(self) -> tuple[datetime, Basis]:
        stated = self.score and self.score.submission_time
        return (stated, "batch") if stated else (SNAPSHOT, "snapshot")

    @cached_property
    def dataset(self) -> dict[str, Any]:
        name = DATASETS.get(self.benchmark, self.benchmark)
        return {"dataset": name, "dataset_version": UNSTATED, "split": UNSTATED}

    @cached_property
    def versions(self) -> dict[str, Any]:
        """Under ACP the source's version is the driver's, and the agent's own is not stated."""
        score, metadata = self.score, self.arm.metadata
        version = (score and score.agent_version) or metadata.agent_version
        agent = score and score.acp_agent_name
        if not (self.arm.is_acp or agent):
            return {"harness_version": version}
        adapter = " ".join(word for word in (agent, score and score.acp_agent_version) if word)
        wrapper = f"openhands over acp ({adapter})" if adapter else "openhands over acp"
        return {"harness_wrapper": wrapper, "harness_wrapper_version": version}


@dataclass(frozen=True)
class Attempt:
    """One row, and where it was."""

    submission: Submission
    instance_id: str
    row: Row
    source_ref: str
    source_offset: int


@dataclass(frozen=True)
class Printed:
    """One entry of scores.json, and where it was."""

    submission: Submission
    score: Score
    source_ref: str
    source_offset: int


Record = Attempt | Printed

"""The shapes of SWE-bench result files, and the records that are read out of them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from collectors.results.swe_bench.declared import Declared
from collectors.results.theirs import Amount, Theirs
from models.base import Count, Text
from models.identity import ARM_FIELDS, digest
from models.vocabulary import UNSTATED, GradeStatus

name = "swe-bench"
version = 1


class Row(Theirs):
    """One attempt in a file of per-instance results."""

    resolved: bool | None
    cost: Amount | None = None
    api_calls: Count | None = None


class Report(Theirs):
    """The evaluation harness's report, as SWE-bench has written it since 2.0; what is typed `object` is not used.

    `completed` are the instances whose tests ran: resolved, unresolved, and those with an error in their own report.
    `incomplete` are tasks without a prediction.
    """

    total_instances: Count
    submitted_instances: Count
    completed_instances: Count
    resolved_instances: Count
    unresolved_instances: Count
    empty_patch_instances: Count
    error_instances: Count
    incomplete_instances: Count | None = None
    submitted_ids: list[Text] | None = None
    completed_ids: list[Text] | None = None
    resolved_ids: list[Text] | None = None
    unresolved_ids: list[Text] | None = None
    empty_patch_ids: list[Text] | None = None
    error_ids: list[Text] | None = None
    incomplete_ids: list[Text] | None = None
    run_cost_usd: Amount | None = None
    schema_version: object = None
    unstopped_instances: object = None
    unstopped_containers: object = None
    unremoved_images: object = None


@dataclass(frozen=True)
class Batch:
    """The attempts of one arm that one file states together. `model` is the file's own word."""

    declared: Declared
    model: str
    source_ref: str
    has_amount: bool = False

    @cached_property
    def identity(self) -> tuple[str, str, str, str, str]:
        it = self.declared
        return it.harness, it.llm or self.model, it.serving_path, it.skill, it.effort

    @cached_property
    def arm(self) -> dict[str, Any]:
        return dict(zip(ARM_FIELDS, self.identity, strict=True))

    @cached_property
    def dataset(self) -> dict[str, Any]:
        it = self.declared
        return {"dataset": it.dataset, "dataset_version": it.dataset_version, "split": it.split}

    @cached_property
    def batch_id(self) -> str | None:
        """What an amount for the whole is about; None where none was stated."""
        parts = ("batch", name, self.declared.dataset, UNSTATED, *self.identity, self.declared.attempt_number)
        return digest(*parts)[:32] if self.has_amount else None


@dataclass(frozen=True)
class Attempt:
    """What became of one task."""

    batch: Batch
    task_id: str
    status: GradeStatus
    cost: Decimal | None = None
    api_calls: int | None = None
    source_offset: int | None = None

    @property
    def source_ref(self) -> str:
        return self.batch.source_ref


@dataclass(frozen=True)
class Printed:
    """The counts of a report, as it printed them; `run_id` is the evaluation's own label."""

    batch: Batch
    run_id: str
    report: Report
    has_attempts: bool
    source_offset: None = None

    @property
    def source_ref(self) -> str:
        return self.batch.source_ref


Record = Attempt | Printed

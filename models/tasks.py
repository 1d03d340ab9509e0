"""Tasks and the splits they are in."""

from typing import ClassVar, Literal

from models.base import Event, Text, Utc
from models.vocabulary import UNSTATED


class TaskDefined(Event):
    """One revision of one task of a dataset."""

    event_type: ClassVar = "task_defined"
    conflict_rule: ClassVar = "earliest_occurred_at"
    is_time_hashed: ClassVar = False
    grain: ClassVar = "task revision"

    dataset: Text
    dataset_version: Text = UNSTATED
    task_id: Text
    split: Text = UNSTATED
    repo: Text | None = None
    ref: Text | None = None
    complexity: Text | None = None
    tags: tuple[str, ...] | None = None
    language: Text | None = None
    declared_verifier: Text | None = None
    """The verifier whose first evaluation is the headline; a judge's rubric is not named here."""
    published_at: Utc | None = None
    statement_hash: Text | None = None


class SplitFrozen(Event):
    """A split fixed by the hash of its task ids."""

    event_type: ClassVar = "split_frozen"
    grain: ClassVar = "freezing of one split"

    dataset: Text
    dataset_version: Text = UNSTATED
    split: Text
    task_ids_hash: Text
    reason: Text


class SplitOpened(Event):
    """A frozen split looked at, by whom and why."""

    event_type: ClassVar = "split_opened"
    grain: ClassVar = "opening of one split"

    dataset: Text
    dataset_version: Text = UNSTATED
    split: Text
    task_ids_hash: Text
    reason: Text
    opened_by: Text | None = None
    purpose: Literal["evaluate", "inspect", "debug"] | None = None

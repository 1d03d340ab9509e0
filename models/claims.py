"""Numbers that somebody printed, and records that nobody here understood."""

from typing import ClassVar

from models.base import Count, Event, Text, Usd
from models.vocabulary import ClaimScope


class ClaimPublished(Event):
    """One number that somebody printed. It is compared with ours and never enters a cost or a quality."""

    event_type: ClassVar = "claim_published"
    grain: ClassVar = "printed number"

    source: Text
    table_name: Text
    era: Text | None = None
    """Set where the print is of an older method: `before token fix #136`."""
    scope: ClaimScope
    dataset: Text | None = None
    dataset_version: Text | None = None
    split: Text | None = None
    task_id: Text | None = None
    run_id: Text | None = None
    source_arm: Text
    """The arm in the source's own words."""
    harness: Text | None = None
    """The five arm fields as the declared table resolves them; all null where it does not."""
    llm: Text | None = None
    serving_path: Text | None = None
    skill: Text | None = None
    effort: Text | None = None
    metric: Text
    """As they name it."""
    value_text: Text
    value: Usd | None = None
    unit: Text | None = None
    note: Text | None = None


class RecordSetAside(Event):
    """One record that its reader did not understand. Open until any event has the same `source_ref`."""

    event_type: ClassVar = "record_set_aside"
    natural_key: ClassVar = ("collector", "path", "record_offset", "fingerprint")
    conflict_rule: ClassVar = "earliest_occurred_at"
    is_time_hashed: ClassVar = False
    grain: ClassVar = "record not understood"

    collector: Text
    path: Text
    record_offset: Count = 0
    reason: Text
    fingerprint: Text
    """sha256 of the record's bytes; never its text."""

"""What was published of each event type stays: schemas only ever gain nullable fields.

`python tests/support/pinned_schemas.py` writes the pinned files again, after a field was added or a version was.
"""

import json

import pytest
from pinned_schemas import FOLDER, pinned, pinned_file

from models import EVENTS, Event
from models.schemas import STORED_BESIDE_THE_PAYLOAD, arrow_schema

KINDS = [pytest.param(kind, id=name) for name, kind in EVENTS.items()]


@pytest.mark.parametrize("kind", KINDS)
def test_the_schemas_of_an_event_are_the_pinned_ones(kind: type[Event]) -> None:
    expected = pinned(kind)
    assert {path: path.read_text(encoding="utf-8") for path in expected} == expected


def test_every_version_of_every_event_is_pinned_and_nothing_else_is() -> None:
    versions = [(kind, version) for kind in EVENTS.values() for version in range(1, kind.schema_version + 1)]
    expected = {pinned_file(kind, ending, version) for kind, version in versions for ending in ("json", "arrow.txt")}
    assert set(FOLDER.iterdir()) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_event_columns_are_the_stamped_ones_and_the_contracts(kind: type[Event]) -> None:
    stamped = [field.name for field in STORED_BESIDE_THE_PAYLOAD]
    assert arrow_schema(kind).names == [*stamped, *kind.model_fields]


@pytest.mark.parametrize("kind", KINDS)
def test_a_natural_key_is_made_of_hashed_payload(kind: type[Event]) -> None:
    unhashed = {"producer", "source_ref", "source_offset"} | (set() if kind.is_time_hashed else {"occurred_at"})
    assert set(kind.natural_key) <= set(kind.model_fields) - unhashed


@pytest.mark.parametrize("kind", KINDS)
def test_only_a_type_with_a_natural_key_can_conflict(kind: type[Event]) -> None:
    assert bool(kind.natural_key) != (kind.conflict_rule == "cannot_happen" or kind.event_type == "task_defined")


def test_a_schema_names_what_an_event_needs_and_takes_nothing_else() -> None:
    schema = json.loads(pinned_file(EVENTS["run_started"], "json").read_text(encoding="utf-8"))
    needed = ["occurred_at", "producer", "source_ref", "run_id", "kind", "source", "harness", "llm"]
    assert (schema["required"], schema["additionalProperties"]) == (needed, False)

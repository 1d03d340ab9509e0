"""What dbt has to know of the event contracts, written by `python -m models.dbt_contracts`: two files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from models import EVENTS, Event
from models.schemas import STORED_BESIDE_THE_PAYLOAD

MACRO = Path("macros/events/event_contract.sql")
SOURCES = Path("models/staging/_events__sources.yml")
ENVELOPE = ("occurred_at", "occurred_at_basis", "producer", "source_ref", "source_offset", "source_revision")
WRITTEN_BY = "Written by `python -m models.dbt_contracts` from the event contracts; a test compares."


def _payload(kind: type[Event]) -> list[str]:
    return [name for name in kind.model_fields if name not in ENVELOPE]


def _macro_entry(kind: type[Event]) -> str:
    key = [name for name in kind.natural_key if name not in ENVELOPE] or []
    return (
        f"        {kind.event_type!r}: {{\n"
        f"            'natural_key': {key!r},\n"
        f"            'is_time_in_key': {'occurred_at' in kind.natural_key},\n"
        f"            'rule': {kind.conflict_rule!r},\n"
        f"            'payload': {_payload(kind)!r},\n"
        f"        }},\n"
    )


def macro_text() -> str:
    """The Jinja macro that hands natural keys, rules and columns to the staging layer."""
    entries = "".join(map(_macro_entry, EVENTS.values()))
    return (
        f"{{# {WRITTEN_BY} #}}\n"
        "{% macro event_contract(event_type) %}\n"
        "    {% set contracts = {\n"
        f"{entries}"
        "    } %}\n"
        "    {{ return(contracts[event_type]) }}\n"
        "{% endmacro %}\n"
    )


def _source_lines(kind: type[Event]) -> Iterator[str]:
    yield f"      - name: {kind.event_type}"
    yield f'        description: "{(kind.__doc__ or "").strip().splitlines()[0]} One row per {kind.grain}."'
    yield "        columns:"
    names = [field.name for field in STORED_BESIDE_THE_PAYLOAD] + list(kind.model_fields)
    yield from (f"          - name: {name}" for name in names)


def sources_text() -> str:
    """The dbt sources: one relation per event type, registered by the build over its frozen list of files."""
    lines = [f"# {WRITTEN_BY}", "version: 2", "sources:", "  - name: events", "    schema: events", "    tables:"]
    for kind in EVENTS.values():
        lines.extend(_source_lines(kind))
    return "\n".join(lines) + "\n"


def write(project: Path) -> None:
    """Rewrites both files below a dbt project folder."""
    for path, text in ((MACRO, macro_text()), (SOURCES, sources_text())):
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "dbt_project"))

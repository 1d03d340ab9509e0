"""What verify finds in a damaged store, and that it finds nothing in a sound one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from batches import batch, grade
from samples import NOON, examples

from collectors import event_files as parquet
from collectors.atomic import TEMPORARY_PREFIX
from collectors.store import LocalStore
from collectors.verify import Damage
from models import EVENTS, RunGraded

GRADES = [grade(number) for number in range(4)]
EVERY_BYTES = 37
FOREIGN = "not a file of the store; move it elsewhere"
MISNAMED = "its name is not the hash of its event ids"

Change = Callable[[Path], Path]
"""Damages a file; the path of what was damaged."""


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "events")


@pytest.fixture
def path(store: LocalStore) -> Path:
    """The one event file of a store."""
    [path] = store.append(GRADES, NOON).files
    return path


def moved(target: Callable[[Path], Path]) -> Change:
    def move(path: Path) -> Path:
        target(path).parent.mkdir(parents=True, exist_ok=True)
        return path.rename(target(path))

    return move


def rewritten(change: Callable[[pa.Table], pa.Table]) -> Change:
    """The file with other rows under its own name, and every checksum right."""

    def rewrite(path: Path) -> Path:
        table = change(parquet.read_table(path))
        with path.open("wb") as file:
            parquet.write(table, file)
        return path

    return rewrite


def column(name: str, values: list[Any]) -> Change:
    def set_column(table: pa.Table) -> pa.Table:
        at, kind = table.column_names.index(name), table.schema.field(name).type
        return table.set_column(at, name, pa.array(values, kind))

    return rewritten(set_column)


def added(name: str) -> Change:
    """A file that no store wrote, beside the one that it did."""

    def add(path: Path) -> Path:
        other = path.parents[2] / name
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text("mine")
        return other

    return add


DAMAGE: dict[str, tuple[Change, str]] = {
    "renamed": (moved(lambda path: path.with_name(f"{'0' * 64}.parquet")), MISNAMED),
    "in another month": (
        moved(lambda path: path.parents[1] / "month=2026-07" / path.name),
        "row 0: belongs in month=2026-06",
    ),
    "under another type": (
        moved(lambda path: path.parents[2] / "run_flagged" / path.parent.name / path.name),
        "has the column verifier, which RunFlagged does not",
    ),
    "without a row": (rewritten(lambda table: table.slice(1)), MISNAMED),
    "with a row twice": (rewritten(lambda table: pa.concat_tables([table, table])), "has an event id twice"),
    "with another value": (
        column("is_resolved", [False, True, True, True]),
        "row 0: the event is not the one that its id was made from",
    ),
    "with another time": (
        column("occurred_at", [NOON, NOON, NOON, NOON.replace(hour=13)]),
        "row 3: the event is not the one that its id was made from",
    ),
    "with another type inside": (
        column("event_type", ["run_flagged"] * 4),
        "holds events that are not run_graded",
    ),
    "with another version": (column("schema_version", [1, 1, 2, 1]), "holds a schema version other than 1"),
    "without a moment": (column("recorded_at", [NOON, None, NOON, NOON]), "has an event without recorded_at"),
    "with a column as text": (
        rewritten(lambda table: table.set_column(table.num_columns - 1, "pass_to_pass_total", pa.array(["1"] * 4))),
        "has pass_to_pass_total as string, expected int64",
    ),
    "without its ids": (
        rewritten(lambda table: table.drop_columns(["event_id"])),
        "does not read: 'Field \"event_id\" does not exist in schema'",
    ),
    "a foreign file in the root": (added("notes.txt"), FOREIGN),
    "a foreign file in a month": (added("run_graded/month=2026-06/copy.parquet"), FOREIGN),
    "an unknown type": (added(f"run_invented/month=2026-06/{'0' * 64}.parquet"), FOREIGN),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_found_and_named(store: LocalStore, path: Path, what: str) -> None:
    damage, reason = DAMAGE[what]
    damaged = damage(path)
    assert store.verify() == [Damage(damaged, reason)]


@pytest.mark.parametrize("left", [0, 1, 8, 1000, -8, -1])
def test_a_file_that_is_cut_short_does_not_read(store: LocalStore, path: Path, left: int) -> None:
    path.write_bytes(path.read_bytes()[:left])
    [damage] = store.verify()
    assert (damage.path, damage.reason.partition(": ")[0]) == (path, "does not read")
    assert "\n" not in damage.reason


def test_a_flipped_bit_is_found_or_changes_no_row(store: LocalStore, path: Path) -> None:
    sound, rows = path.read_bytes(), parquet.read_table(path).to_pylist()
    missed = []
    for at in range(0, len(sound), EVERY_BYTES):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << at % 8]) + sound[at + 1 :])
        if not store.verify() and parquet.read_table(path).to_pylist() != rows:
            missed.append(at)
    assert missed == []


def test_a_schema_file_holds_no_rows(store: LocalStore) -> None:
    schema = store.files()["run_graded"][0]
    with schema.open("wb") as file:
        parquet.write(parquet.to_table(GRADES, NOON), file)
    assert store.verify() == [Damage(schema, "has 4 rows, expected none in a schema file")]


def test_every_damaged_file_is_told(store: LocalStore) -> None:
    files = sorted(store.append(batch(0)).files)
    for path in files:
        path.rename(path.with_name(f"{'0' * 64}.parquet"))
    assert [damage.reason for damage in store.verify()] == [MISNAMED] * len(files)


def test_a_sound_store_has_no_damage(store: LocalStore) -> None:
    store.append(examples())
    assert {path.parts[-3] for path in store.root.glob("*/month=2*/*")} == set(EVENTS)
    store.ensure_schemas()
    assert store.verify() == []


def test_what_a_killed_writer_left_is_no_damage(store: LocalStore, path: Path) -> None:
    (path.parent / f"{TEMPORARY_PREFIX}0123").write_bytes(path.read_bytes()[:100])
    assert store.verify() == []


def test_a_store_that_is_not_there_yet_has_no_damage(store: LocalStore) -> None:
    assert store.verify() == []


def test_an_event_with_every_null_is_verified_like_any_other(store: LocalStore) -> None:
    bare = RunGraded(
        occurred_at=NOON, producer="test/1", source_ref="here", run_id="r", verifier="v", status="ungraded"
    )
    store.append([bare])
    assert store.verify() == []

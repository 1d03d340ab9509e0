"""What an append leaves behind: which files, with which events, under which names."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from batches import JULY, batch, by_id, event_files, grade, ids, stored
from samples import NOON, example, examples

from collectors import event_files as parquet
from collectors.atomic import TEMPORARY_PREFIX
from collectors.store import Appended, LocalStore
from models import EVENTS, Event, RecordSetAside, RunFlagged, TaskDefined

ONE_OF_EACH = [*examples(), *batch(1)]
SIGHTED = [TaskDefined, RecordSetAside]
"""Kinds whose ids leave the time out."""


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "events")


def rows(store: LocalStore, column: str) -> list[tuple]:
    """A column of the grades, read as a build reads them."""
    paths = [str(path) for path in store.files()["run_graded"]]
    sql = f"select run_id, {column} from read_parquet($1, union_by_name=true, hive_partitioning=false) order by all"
    return duckdb.execute(sql, [paths]).fetchall()


def test_same_batch_twice_writes_one_file(store: LocalStore) -> None:
    grades = [grade(1), grade(2)]
    first = store.append(grades)
    assert store.append(grades) == Appended(first.files, events=2, new_files=0)
    assert (first.new_files, event_files(store)) == (1, [path.relative_to(store.root) for path in first.files])


def test_a_batch_is_stored_whole_whatever_is_in_it(store: LocalStore) -> None:
    store.append(ONE_OF_EACH)
    assert by_id(stored(store)) == by_id(ONE_OF_EACH)


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_a_batch_is_the_same_files(store: LocalStore, seed: int) -> None:
    shuffled = random.Random(seed).sample(ONE_OF_EACH, len(ONE_OF_EACH))
    assert store.append(shuffled).files == store.append(ONE_OF_EACH).files


@pytest.mark.parametrize("seed", range(3))
def test_any_split_of_a_batch_among_calls_stores_the_same_ids(store: LocalStore, seed: int) -> None:
    chance = random.Random(seed)
    shuffled = chance.sample(ONE_OF_EACH, len(ONE_OF_EACH))
    cuts = [0, *sorted(chance.sample(range(1, len(shuffled)), 4)), len(shuffled)]
    for start, end in pairwise(cuts):
        store.append(shuffled[start:end])
    assert ids(stored(store)) == ids(ONE_OF_EACH)


def test_the_folder_is_the_month_in_utc(store: LocalStore) -> None:
    before_midnight = datetime.fromisoformat("2026-07-01T00:30:00+02:00")
    for at in (before_midnight, JULY - timedelta(microseconds=1), JULY):
        store.append([grade(1, occurred_at=at)])
    assert [path.parts[:2] for path in event_files(store)] == [
        ("run_graded", "month=2026-06"),
        ("run_graded", "month=2026-06"),
        ("run_graded", "month=2026-07"),
    ]


def test_a_batch_of_100_001_events_is_two_files(store: LocalStore) -> None:
    stamp: dict[str, Any] = {"occurred_at": NOON, "producer": "test/1", "source_ref": "flags.json", "flag": "slow"}
    appended = store.append(RunFlagged(**stamp, run_id=f"run-{each}") for each in range(100_001))
    assert [pq.read_metadata(path).num_rows for path in appended.files] == [100_000, 1]


def test_where_a_fact_was_read_is_kept_and_no_part_of_its_id(store: LocalStore) -> None:
    [path] = store.append([grade(1, source_ref="b.json", source_offset=0)]).files
    [kept] = parquet.read_events(path)
    assert (kept.source_ref, kept.source_offset, kept.producer) == ("b.json", 0, "test/1")
    assert store.append([grade(1, source_ref="c.json", producer="test/2")]).new_files == 0


def test_a_batch_is_stamped_with_the_moment_it_was_recorded(store: LocalStore) -> None:
    store.append([grade(1)], recorded_at=datetime.fromisoformat("2026-12-01T02:00:00+02:00"))
    store.append([grade(2)], recorded_at=JULY)
    midnight = datetime(2026, 12, 1, tzinfo=UTC)
    assert rows(store, "recorded_at at time zone 'UTC'") == [
        ("run-1", midnight.replace(tzinfo=None)),
        ("run-2", JULY.replace(tzinfo=None)),
    ]


@pytest.mark.parametrize("kind", SIGHTED)
def test_the_earliest_of_two_equal_ids_in_a_batch_is_kept(store: LocalStore, kind: type[Event]) -> None:
    late, early = example(kind), example(kind, occurred_at=NOON - timedelta(days=1))
    for events in ([late, early], [early, late]):
        store.append(events)
    assert stored(store) == [early]


def test_the_first_place_of_two_equal_ids_in_a_batch_is_kept(store: LocalStore) -> None:
    places = [grade(1, source_ref=ref, source_offset=offset) for ref, offset in (("b", None), ("a", 2), ("a", 1))]
    store.append(places)
    assert stored(store) == [places[2]]


@pytest.mark.parametrize("kind", SIGHTED)
def test_where_an_id_leaves_the_time_out_an_earlier_sighting_is_a_new_file(
    store: LocalStore, kind: type[Event]
) -> None:
    late, early = example(kind), example(kind, occurred_at=NOON - timedelta(hours=1))
    assert [store.append([event]).new_files for event in (late, early, late, early)] == [1, 1, 0, 0]
    assert sorted(event.occurred_at for event in stored(store)) == [early.occurred_at, late.occurred_at]
    assert store.verify() == []


def test_a_listing_names_no_temporary_and_no_foreign_file(store: LocalStore) -> None:
    [path] = store.append([grade(1)]).files
    for name in (f"{TEMPORARY_PREFIX}0123", "notes.txt", "copy.parquet", f"{path.stem.upper()}.parquet"):
        (path.parent / name).write_bytes(path.read_bytes())
    (store.root / "somebody").mkdir()
    (store.root / "somebody" / path.name).write_bytes(path.read_bytes())
    assert event_files(store) == [path.relative_to(store.root)]


def test_an_empty_store_has_one_schema_file_per_type(store: LocalStore) -> None:
    listed = store.files()
    assert {name: [pq.read_schema(path) for path in paths] for name, paths in listed.items()} == {
        name: [parquet.schema_of(kind)] for name, kind in EVENTS.items()
    }
    assert (store.files(), store.verify(), stored(store)) == (listed, [], [])


def test_nothing_appended_is_no_file(store: LocalStore) -> None:
    assert store.append([]) == Appended((), events=0, new_files=0)
    assert not store.root.exists()


def test_a_file_of_an_older_schema_is_read_beside_a_new_one(store: LocalStore) -> None:
    old, new = grade(1), grade(2, status_reason="because")
    [path] = store.append([old]).files
    path.unlink()
    with path.open("xb") as file:
        parquet.write(parquet.to_table([old], NOON).drop_columns(["status_reason"]), file)
    store.append([new])
    assert rows(store, "status_reason") == [("run-1", None), ("run-2", "because")]
    assert by_id(stored(store)) == by_id([old, new])
    assert store.verify() == []

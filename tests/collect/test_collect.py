"""One collector over one folder: what is read again, what is set aside, and that it may stop anywhere."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from batches import by_id, event_files, grade, ids, stored
from tiny_collector import IMPOSSIBLE, TinyCollector, collect_tiny

from collectors.collect import Collected, SetAside
from collectors.home import Home
from collectors.store import LocalStore
from models import Event, RecordSetAside
from models.errors import NothingToCollect, SourceNotFound

SCRIPT = str(Path(__file__).parent.parent / "support" / "tiny_collector.py")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def store(home: Home) -> LocalStore:
    return LocalStore(home.events)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two files of two runs each."""
    root = tmp_path / "runs"
    root.mkdir()
    write(root / "a.json", ["a1", "a2"])
    write(root / "b.json", ["b1", "b2"])
    return root


def write(path: Path, run_ids: list[Any]) -> None:
    path.write_text(json.dumps(run_ids), encoding="utf-8")


def grades(run_ids: list[str]) -> list[Event]:
    """What is told of runs whose ids are a file and a place in it."""
    places = [(run_id, f"runs/{run_id[0]}.json", int(run_id[1:])) for run_id in run_ids]
    return [grade(0, run_id=run_id, source_ref=ref, source_offset=place) for run_id, ref, place in places]


def runs_of(store: LocalStore) -> list[str]:
    return sorted(vars(event)["run_id"] for event in stored(store) if event.event_type == "run_graded")


def set_aside(store: LocalStore) -> list[RecordSetAside]:
    return [event for event in stored(store) if isinstance(event, RecordSetAside)]


def did(root: Path, read: int, skipped: int, events: int, new_files: int, *faults: SetAside) -> Collected:
    return Collected("tiny", root, read, skipped, events, new_files, list(faults))


def test_what_is_under_a_root_is_appended_as_one_batch(home: Home, root: Path, store: LocalStore) -> None:
    assert collect_tiny(home, root) == did(root, read=2, skipped=0, events=4, new_files=1)
    assert by_id(stored(store)) == by_id(grades(["a1", "a2", "b1", "b2"]))


def test_collecting_twice_appends_nothing_and_reads_nothing(home: Home, root: Path, store: LocalStore) -> None:
    collect_tiny(home, root)
    before, again = event_files(store), TinyCollector()
    assert collect_tiny(home, root, again) == did(root, read=0, skipped=2, events=0, new_files=0)
    assert (again.was_read, event_files(store)) == ([], before)


def test_only_a_changed_file_is_read_again(home: Home, root: Path, store: LocalStore) -> None:
    collect_tiny(home, root)
    write(root / "b.json", ["b1", "b2", "b3"])
    again = TinyCollector()
    assert collect_tiny(home, root, again) == did(root, read=1, skipped=1, events=3, new_files=1)
    assert (again.was_read, sorted(set(runs_of(store)))) == (["b.json"], ["a1", "a2", "b1", "b2", "b3"])


def test_only_a_new_file_is_read(home: Home, root: Path, store: LocalStore) -> None:
    collect_tiny(home, root)
    write(root / "c.json", ["c1"])
    assert collect_tiny(home, root) == did(root, read=1, skipped=2, events=1, new_files=1)
    assert runs_of(store) == ["a1", "a2", "b1", "b2", "c1"]


def test_a_file_that_was_copied_over_itself_is_not_read_again(home: Home, root: Path) -> None:
    collect_tiny(home, root)
    copy = root / "copy"
    copy.write_bytes((root / "a.json").read_bytes())
    copy.replace(root / "a.json")
    assert collect_tiny(home, root) == did(root, read=0, skipped=2, events=0, new_files=0)


def test_a_change_of_the_same_size_and_time_right_after_it_was_read_is_seen(
    home: Home, root: Path, store: LocalStore
) -> None:
    collect_tiny(home, root)
    before = (root / "a.json").stat()
    write(root / "a.json", ["a1", "a3"])
    os.utime(root / "a.json", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert collect_tiny(home, root) == did(root, read=1, skipped=1, events=2, new_files=1)
    assert sorted(set(runs_of(store))) == ["a1", "a2", "a3", "b1", "b2"]


def test_a_file_that_is_gone_takes_no_event_with_it(home: Home, root: Path, store: LocalStore) -> None:
    collect_tiny(home, root)
    (root / "a.json").unlink()
    assert collect_tiny(home, root) == did(root, read=0, skipped=1, events=0, new_files=0)
    assert runs_of(store) == ["a1", "a2", "b1", "b2"]


def test_a_broken_file_is_set_aside_and_the_rest_lands(home: Home, root: Path, store: LocalStore) -> None:
    (root / "b.json").write_text('["b1",', encoding="utf-8")
    reason = "not JSON: ends too early (line 1, column 7)"
    before = datetime.now(UTC)
    assert collect_tiny(home, root) == did(root, 2, 0, 3, 2, SetAside("runs/b.json", 1, reason))
    [told] = set_aside(store)
    assert told == RecordSetAside(
        occurred_at=told.occurred_at,
        producer="tiny/1",
        source_ref="runs/b.json",
        source_offset=1,
        collector="tiny",
        path="runs/b.json",
        record_offset=1,
        reason=reason,
        fingerprint=hashlib.sha256(b'["b1",').hexdigest(),
    )
    assert before <= told.occurred_at <= datetime.now(UTC)
    assert runs_of(store) == ["a1", "a2"]


def test_a_broken_record_is_set_aside_and_the_rest_of_its_file_lands(home: Home, root: Path, store: LocalStore) -> None:
    write(root / "b.json", ["b1", 2, "b3"])
    assert collect_tiny(home, root) == did(root, 2, 0, 5, 2, SetAside("runs/b.json", 2, "no text"))
    assert runs_of(store) == ["a1", "a2", "b1", "b3"]


def test_a_record_that_nobody_can_decide_on_is_set_aside_and_the_rest_of_its_file_lands(
    home: Home, root: Path, store: LocalStore
) -> None:
    write(root / "b.json", ["b1", IMPOSSIBLE, "b3"])
    collected = collect_tiny(home, root)
    [told] = collected.set_aside
    assert collected == did(root, 2, 0, 5, 2, SetAside("runs/b.json", 2, told.reason))
    assert told.reason.startswith("not understood: ValueError at tiny_collector.py:")
    assert IMPOSSIBLE not in told.reason
    assert runs_of(store) == ["a1", "a2", "b1", "b3"]


def test_a_value_that_a_contract_refuses_is_told_by_its_field(home: Home, root: Path, store: LocalStore) -> None:
    write(root / "b.json", ["b1", "", "b3", "\ud800"])
    assert collect_tiny(home, root).set_aside == [
        SetAside("runs/b.json", 2, "RunGraded: run_id: expected a text that is not empty, came a text"),
        SetAside("runs/b.json", 4, "RunGraded: run_id: expected a text of whole characters, came a text"),
    ]
    assert runs_of(store) == ["a1", "a2", "b1", "b3"]


@pytest.mark.parametrize("kind", ["a pipe", "a socket", "a folder"])
def test_what_is_no_file_is_told_and_keeps_nobody_waiting(home: Home, root: Path, store: LocalStore, kind: str) -> None:
    path = root / "c.json"
    with socket.socket(socket.AF_UNIX) as listening:
        {"a pipe": os.mkfifo, "a socket": lambda path: listening.bind(str(path)), "a folder": os.mkdir}[kind](path)
    [told] = collect_tiny(home, root).set_aside
    reasons = {
        "a pipe": "does not open: it is a pipe, expected a file",
        "a socket": "does not open: No such device or address",
        "a folder": "does not open: it is a folder, expected a file",
    }
    assert (told, runs_of(store)) == (SetAside("runs/c.json", 0, reasons[kind]), ["a1", "a2", "b1", "b2"])
    assert collect_tiny(home, root) == did(root, read=0, skipped=3, events=0, new_files=0)


@pytest.mark.parametrize("name", [b"c\xff.json", b"c\n.json", "c\u2028é.json".encode()])
@pytest.mark.parametrize("content", ["[", '["c1"]'])
def test_a_file_of_any_name_is_read_once(home: Home, root: Path, store: LocalStore, name: bytes, content: str) -> None:
    (root / os.fsdecode(name)).write_text(content)
    collect_tiny(home, root)
    before = event_files(store)
    assert collect_tiny(home, root) == did(root, read=0, skipped=3, events=0, new_files=0)
    assert event_files(store) == before


@pytest.mark.parametrize("broken", ["[", json.dumps(["b1", IMPOSSIBLE]), json.dumps(["b1", 2])])
def test_what_was_set_aside_is_not_told_again(home: Home, root: Path, store: LocalStore, broken: str) -> None:
    (root / "b.json").write_text(broken, encoding="utf-8")
    collect_tiny(home, root)
    before = event_files(store)
    assert collect_tiny(home, root) == did(root, read=0, skipped=2, events=0, new_files=0)
    assert event_files(store) == before


def test_a_file_that_does_not_open_is_told_once_and_read_once_it_does(
    home: Home, root: Path, store: LocalStore
) -> None:
    (root / "c.json").symlink_to(root / "later")
    reason = "does not open: No such file or directory"
    assert collect_tiny(home, root) == did(root, 3, 0, 5, 2, SetAside("runs/c.json", 0, reason))
    assert collect_tiny(home, root) == did(root, read=0, skipped=3, events=0, new_files=0)
    write(root / "later", ["c1"])
    assert collect_tiny(home, root) == did(root, read=1, skipped=2, events=1, new_files=1)
    assert runs_of(store) == ["a1", "a2", "b1", "b2", "c1"]


def test_a_repaired_file_is_read(home: Home, root: Path, store: LocalStore) -> None:
    (root / "b.json").write_text("[", encoding="utf-8")
    collect_tiny(home, root)
    write(root / "b.json", ["b1"])
    assert collect_tiny(home, root) == did(root, read=1, skipped=1, events=1, new_files=1)
    assert (runs_of(store), len(set_aside(store))) == (["a1", "a2", "b1"], 1)


def test_where_there_is_no_folder_the_call_was_wrong(home: Home, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(SourceNotFound) as raised:
        collect_tiny(home, missing)
    told = f"tiny: expected a folder or file at {missing}, found nothing there; check the path"
    assert (str(raised.value), raised.value.exit_code, home.path.exists()) == (told, 2, False)


def test_an_empty_folder_holds_nothing_to_collect(home: Home, tmp_path: Path) -> None:
    with pytest.raises(NothingToCollect) as raised:
        collect_tiny(home, tmp_path)
    told = f"tiny: expected files *.json under {tmp_path}, found none; nothing was collected"
    assert (str(raised.value), raised.value.exit_code, home.path.exists()) == (told, 1, False)


def test_event_files_that_were_deleted_are_collected_again(home: Home, root: Path, store: LocalStore) -> None:
    collect_tiny(home, root)
    [path] = event_files(store)
    (store.root / path).unlink()
    assert collect_tiny(home, root) == did(root, read=2, skipped=0, events=4, new_files=1)
    assert event_files(store) == [path]


def test_another_version_of_the_collector_reads_everything_again(home: Home, root: Path) -> None:
    collect_tiny(home, root)
    assert collect_tiny(home, root, TinyCollector(2)) == did(root, read=2, skipped=0, events=4, new_files=0)
    assert collect_tiny(home, root, TinyCollector(2)) == did(root, read=0, skipped=2, events=0, new_files=0)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"version": "one"}', b"\xff"])
def test_without_a_memory_everything_is_read_again_and_nothing_is_new(home: Home, root: Path, damage: bytes) -> None:
    collect_tiny(home, root)
    [memory] = home.progress.rglob("*.json")
    memory.write_bytes(damage)
    assert collect_tiny(home, root) == did(root, read=2, skipped=0, events=4, new_files=0)
    assert collect_tiny(home, root) == did(root, read=0, skipped=2, events=0, new_files=0)


def test_a_collect_killed_at_any_step_of_its_io_ends_in_the_same_files_when_run_again(
    home: Home, root: Path, store: LocalStore, tmp_path: Path
) -> None:
    empty, folder = tmp_path / "empty", tmp_path / "killed"
    empty.mkdir()
    assert subprocess.run([sys.executable, SCRIPT, empty, root, "kill", folder], check=False).returncode == 0
    collect_tiny(home, root)
    killed = [Home(path) for path in folder.iterdir()]
    assert {len(list(each.events.rglob("month=2*/*.parquet"))) for each in killed} == {0, 1}
    assert {len(list(each.progress.rglob("*.json"))) for each in killed} == {0, 1}
    for each in killed:
        collect_tiny(each, root)
    assert [event_files(LocalStore(each.events)) for each in killed] == [event_files(store)] * len(killed)
    assert [collect_tiny(each, root) for each in killed] == [did(root, 0, 2, 0, 0)] * len(killed)


def test_two_collects_at_once_end_in_the_files_of_one(home: Home, root: Path, store: LocalStore) -> None:
    both = [subprocess.Popen([sys.executable, SCRIPT, home.path, root]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert ids(stored(store)) == ids(grades(["a1", "a2", "b1", "b2"]))
    assert store.verify() == []
    assert collect_tiny(home, root) == did(root, read=0, skipped=2, events=0, new_files=0)

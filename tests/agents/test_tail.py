"""A log is read right while it is written, rotated, truncated or rewritten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from agent_logs import Told, totals, turns

from collectors.agents import claude_code
from collectors.agents.tail import LONGEST_LINE, Buffer, Mark, Pass, read_on


def line(message_id: str, tokens: int = 1000, output: int = 100, **more: object) -> bytes:
    """One reply of Claude Code on one line."""
    usage = {"input_tokens": tokens, "output_tokens": output}
    message = {"id": message_id, "model": "claude-sonnet-4-5", "stop_reason": "end_turn", "usage": usage, **more}
    told = {"type": "assistant", "timestamp": "2026-06-01T10:00:00Z", "message": message}
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read(path: Path, before: Mark | None = None) -> Pass:
    return read_on(path, claude_code.reader, before, Buffer())


def names(told: Sequence[Told]) -> list[str | None]:
    return [turn.response_id for turn in turns(told)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "S.jsonl"


@pytest.mark.parametrize("cut", [1, 40, -30, -2, -1], ids=lambda cut: f"cut at {cut}")
def test_c52_a_last_line_that_is_still_being_written_waits_for_its_end(log: Path, cut: int) -> None:
    second = line("b")
    log.write_bytes(line("a") + second[:cut])
    first = read(log)
    is_whole = cut == -1
    assert totals(first.records) == ((2, 2000, 200) if is_whole else (1, 1000, 100))
    assert (first.faults, first.pending_bytes) == ([], 0 if is_whole else len(second[:cut]))
    assert first.mark is not None
    assert first.mark.offset == len(line("a"))
    log.write_bytes(line("a") + second)
    assert names(read(log, first.mark).records) == ["b"]


def test_c52_a_cut_inside_a_character_of_several_bytes_waits_as_well(log: Path) -> None:
    second = line("b", service="né")
    at = second.index("é".encode()) + 1
    log.write_bytes(line("a") + second[:at])
    first = read(log)
    assert (names(first.records), first.faults) == (["a"], [])
    log.write_bytes(line("a") + second)
    assert names(read(log, first.mark).records) == ["b"]


def test_a_whole_object_without_a_line_end_counts_and_is_counted_once(log: Path) -> None:
    log.write_bytes(line("a") + line("b").rstrip())
    first = read(log)
    assert (names(first.records), first.pending_bytes) == (["a", "b"], 0)
    log.write_bytes(line("a") + line("b") + line("c"))
    assert names([*first.records, *read(log, first.mark).records]) == ["a", "b", "c"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_c54_a_mark_at_the_beginning_bad_bytes_and_a_line_of_25_mb_lose_nothing(log: Path, end: bytes) -> None:
    bad = line("b").replace(b'"stop_reason"', b'"note":"bad \xff byte","stop_reason"')
    long = line("c").replace(b'"stop_reason"', b'"text":"' + b"x" * (25 << 20) + b'","stop_reason"')
    log.write_bytes(b"\xef\xbb\xbf" + b"".join([line("a"), bad, long, line("d")]).replace(b"\n", end))
    found = read(log)
    assert (totals(found.records), found.faults) == ((4, 4000, 400), [])
    assert [(turn.response_id, turn.bad_utf8_bytes) for turn in turns(found.records)] == [
        ("a", None), ("b", 1), ("c", None), ("d", None),
    ]  # fmt: skip


def test_c54_bad_bytes_in_a_value_that_is_kept_are_replaced_and_counted(log: Path) -> None:
    log.write_bytes(line("a").replace(b"claude-sonnet-4-5", b"claude-\xff\xfe"))
    [turn] = turns(read(log).records)
    assert (turn.llm_answered, turn.bad_utf8_bytes) == ("claude-\ufffd\ufffd", 2)


def test_a_line_that_is_too_long_is_set_aside_and_the_next_ones_count(log: Path) -> None:
    with log.open("wb") as file:
        file.write(line("a") + b'{"type":"user","text":"')
        for _ in range((LONGEST_LINE >> 20) + 1):
            file.write(b"y" * (1 << 20))
        file.write(b'"}\n' + line("b"))
    found = read(log)
    assert names(found.records) == ["a", "b"]
    assert [(fault.offset, fault.reason) for fault in found.faults] == [(len(line("a")), "a line of more than 64 MiB")]


def test_a_line_that_is_no_json_is_set_aside_with_its_place(log: Path) -> None:
    broken = b'{"type":"assistant","message":{"usage":{"output_tokens":oops}}}\n'
    log.write_bytes(line("a") + broken + line("b"))
    found = read(log)
    assert names(found.records) == ["a", "b"]
    assert [(fault.offset, fault.reason) for fault in found.faults] == [(len(line("a")), "not JSON: half a line")]


def test_half_a_line_of_a_killed_writer_does_not_take_the_next_one_along(log: Path) -> None:
    half = line("a")[:90]
    log.write_bytes(half + line("b") + line("c"))
    found = read(log)
    assert names(found.records) == ["b", "c"]
    assert [(fault.offset, fault.reason) for fault in found.faults] == [(0, "not JSON: half a line")]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((b'"input_tokens":1000', b'"input_tokens":"1000"'), "Expected `int`, got `str`"),
        ((b'"input_tokens":1000', b'"input_tokens":-5'), "Expected `int` >= 0"),
        ((b'"input_tokens":1000', b'"input_tokens":99999999999999999999'), "Expected `int`"),
        ((b'"input_tokens":1000,', b""), "missing required field `input_tokens`"),
    ],
)
def test_a_value_of_the_wrong_kind_sets_its_line_aside_and_names_the_field(
    log: Path, change: tuple[bytes, bytes], reason: str
) -> None:
    log.write_bytes(line("a").replace(*change) + line("b"))
    found = read(log)
    assert names(found.records) == ["b"]
    [fault] = found.faults
    assert (fault.offset, reason in fault.reason, "message.usage" in fault.reason) == (0, True, True)


def test_what_was_read_is_not_read_again(log: Path) -> None:
    log.write_bytes(line("a"))
    first = read(log)
    assert read(log, first.mark).records == []


def test_a_file_that_shrank_is_read_from_its_beginning(log: Path) -> None:
    log.write_bytes(line("a") + line("b"))
    first = read(log)
    log.write_bytes(line("c"))
    assert names(read(log, first.mark).records) == ["c"]


def test_a_rotated_log_and_the_new_one_in_its_place_are_both_read(log: Path, tmp_path: Path) -> None:
    log.write_bytes(line("a") + line("b"))
    first = read(log)
    old = tmp_path / "S.1.jsonl"
    log.rename(old)
    log.write_bytes(line("c") + line("d") + line("e"))
    assert names(read(log, first.mark).records) == ["c", "d", "e"]
    assert names(read(old).records) == ["a", "b"]


@pytest.mark.parametrize("changed", [0, 1], ids=["its beginning", "its end"])
def test_a_file_that_was_rewritten_in_place_is_read_from_its_beginning(log: Path, changed: int) -> None:
    lines = [line("a"), line("b")]
    log.write_bytes(b"".join(lines))
    first = read(log)
    lines[changed] = line("x")
    log.write_bytes(b"".join([*lines, line("c")]))
    assert names(read(log, first.mark).records) == [("x" if at == changed else "ab"[at]) for at in (0, 1)] + ["c"]


def test_json_that_is_written_with_spaces_is_read_line_by_line(log: Path) -> None:
    spaced = [json.dumps(json.loads(line(name))) for name in "ab"]
    log.write_text("\n".join([*spaced, ""]), encoding="utf-8")
    assert names(read(log).records) == ["a", "b"]


def test_an_empty_file_and_blank_lines_tell_nothing(log: Path) -> None:
    log.write_bytes(b"")
    assert (read(log).records, read(log).faults) == ([], [])
    log.write_bytes(b"\n\n" + line("a") + b"\n")
    assert (names(read(log).records), read(log).faults) == (["a"], [])

"""Codex: what its lines mean where they could be read in another way."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from agent_logs import Told, kinds, read_lines, read_lines_in_passes, totals, turns

from collectors.agents import codex
from collectors.agents.records import Session, Turn

Line = dict[str, Any]


def write(path: Path, *lines: Line) -> Path:
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
    return path


def meta(thread: str, **more: Any) -> Line:
    return {"timestamp": "2026-06-01T10:00:00Z", "type": "session_meta", "payload": {"id": thread, **more}}


def context(llm: str = "gpt-5.4") -> Line:
    return {"timestamp": "2026-06-01T10:00:01Z", "type": "turn_context", "payload": {"model": llm}}


def usage(i: int, o: int, cached: int = 0) -> dict[str, int]:
    return {"input_tokens": i, "cached_input_tokens": cached, "output_tokens": o, "total_tokens": i + o}


def count(total: dict[str, int], last: dict[str, int], at: str = "10:01:00") -> Line:
    info = {"total_token_usage": total, "last_token_usage": last}
    return {"timestamp": f"2026-06-01T{at}Z", "type": "event_msg", "payload": {"type": "token_count", "info": info}}


def record(response: str, used: dict[str, int]) -> Line:
    payload = {"response_id": response, "usage": used}
    return {"timestamp": "2026-06-01T10:02:00Z", "type": "token_usage_record", "payload": payload}


def read(*paths: Path) -> list[Told]:
    return [told for path in paths for told in read_lines(codex, path)]


PARENT = [
    (usage(1000, 100), usage(1000, 100)),
    (usage(2500, 180, 800), usage(1500, 80, 800)),
]
OWN = (usage(4500, 240, 2400), usage(2000, 60, 1600))


def family(folder: Path) -> list[Path]:
    """A parent, a fork of it that replays its lines at the time of the fork, and a fork of the fork."""
    replayed = [count(*counts, at="10:05:00") for counts in PARENT]
    parent = write(folder / "rollout-1-P.jsonl", meta("P"), context(), *(count(*counts) for counts in PARENT))
    child = write(
        folder / "rollout-2-C.jsonl",
        meta("C", forked_from_id="P"), meta("P"), context(), *replayed, count(*OWN, at="10:06:00"),
    )  # fmt: skip
    grandchild = write(
        folder / "rollout-3-G.jsonl",
        meta("G", forked_from_id="C"), meta("C", forked_from_id="P"), meta("P"), context(), *replayed,
        count(*OWN, at="10:09:00"), count(usage(5000, 300, 2400), usage(500, 60), at="10:10:00"),
    )  # fmt: skip
    return [parent, child, grandchild]


def test_c02_a_fork_that_replays_its_parents_counters_counts_only_its_own(tmp_path: Path) -> None:
    parent, child, _ = family(tmp_path)
    assert totals(read(parent)) == (2, 2500, 180)
    for order in ((parent, child), (child, parent)):
        found = kinds(read(*order))
        assert (found["input_uncached"], found["cache_read"], found["output"]) == (2100, 2400, 240)


def test_c02_a_fork_of_a_fork_counts_only_its_own_too(tmp_path: Path) -> None:
    for order in permutations(family(tmp_path)):
        assert totals(read(*order)) == (4, 5000, 300)


def test_c02_a_fork_names_its_parent(tmp_path: Path) -> None:
    [session] = [told for told in read(family(tmp_path)[1]) if isinstance(told, Session)]
    assert (session.session, session.parent_session) == ("C", "P")


REPEATS = [
    (usage(1000, 100), usage(1000, 100)), (usage(1000, 100), usage(1000, 100)), (usage(1600, 150), usage(600, 50)),
    (usage(1600, 150), usage(600, 50)), (usage(400, 20), usage(400, 20)),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), [(5, (3, 2000, 170)), (4, (2, 1600, 150))])
def test_c12_a_counter_that_repeats_or_restarts_counts_its_growth(
    tmp_path: Path, lines: int, expected: tuple[int, int, int]
) -> None:
    log = write(tmp_path / "rollout-1.jsonl", meta("T"), context(), *(count(*counts) for counts in REPEATS[:lines]))
    assert totals(read(log)) == expected


def test_c12_a_restart_to_the_same_counts_is_another_call(tmp_path: Path) -> None:
    counts = [(usage(1000, 100), usage(1000, 100)), (usage(1500, 150), usage(500, 50))] * 2
    log = write(tmp_path / "rollout-1.jsonl", meta("T"), context(), *(count(*each) for each in counts))
    assert totals(read(log)) == (4, 3000, 300)


def test_c12_growth_counts_where_the_printed_total_stays_zero(tmp_path: Path) -> None:
    silent = [{**usage(tokens, tokens // 10), "total_tokens": 0} for tokens in (1000, 1600)]
    counts = zip(silent, [silent[0], {**usage(600, 60), "total_tokens": 0}], strict=True)
    log = write(tmp_path / "rollout-1.jsonl", meta("T"), context(), *(count(*each) for each in counts))
    assert totals(read(log)) == (2, 1600, 160)


def compacted(**payload: Any) -> Line:
    return {"timestamp": "2026-06-01T10:02:01Z", "type": "compacted", "payload": payload}


def test_c28_a_compaction_that_no_counter_holds_counts_by_its_record(tmp_path: Path) -> None:
    total = usage(100_000, 2000)
    log = write(
        tmp_path / "rollout-1.jsonl", meta("T"), context(),
        count(total, total), record("r7", usage(90_000, 1500)), compacted(compaction_response_id="r7"),
        count(total, total),
    )  # fmt: skip
    assert totals(read(log)) == (2, 190_000, 3500)


def test_c28_a_compaction_without_a_record_makes_its_session_a_lower_bound(tmp_path: Path) -> None:
    total = usage(100_000, 2000)
    log = write(tmp_path / "rollout-1.jsonl", meta("T"), context(), count(total, total), compacted(message=""))
    told = read(log)
    assert totals(told) == (1, 100_000, 2000)
    assert [(turn.status, turn.completeness) for turn in told if isinstance(turn, Turn) and not turn.raw_counts] == [
        ("incomplete", "lower_bound")
    ]


def test_counters_beside_records_count_nothing_twice(tmp_path: Path) -> None:
    """The first call left a counter only, the next ones records too, and the last one's counter is lost."""
    log = write(
        tmp_path / "rollout-1.jsonl", meta("T"), context(),
        count(usage(1000, 100), usage(1000, 100)),
        record("a", usage(2000, 50)), count(usage(3000, 150), usage(2000, 50)),
        record("b", usage(4000, 60)), record("c", usage(500, 5)), count(usage(7500, 215), usage(500, 5)),
        record("d", usage(10, 1)),
    )  # fmt: skip
    assert totals(read(log)) == (5, 7510, 216)


def test_c35_each_call_is_at_the_llm_of_its_moment(tmp_path: Path) -> None:
    log = write(
        tmp_path / "rollout-1.jsonl", meta("T"),
        context("gpt-5.4"), count(usage(1000, 100), usage(1000, 100)),
        context("gpt-5.4-mini"), count(usage(2000, 200), usage(1000, 100)),
    )  # fmt: skip
    assert [(turn.llm_asked, turn.raw_counts and turn.raw_counts["input_tokens"]) for turn in turns(read(log))] == [
        ("gpt-5.4", 1000), ("gpt-5.4-mini", 1000),
    ]  # fmt: skip


def item(kind: str, offset: int, **more: Any) -> Line:
    return {"timestamp": f"2026-06-01T10:00:{offset:02}Z", "type": "response_item", "payload": {"type": kind, **more}}


def test_a_request_in_flight_is_unanswered_until_its_reply_is_read(tmp_path: Path) -> None:
    lines = [
        meta("T"), context(), item("message", 2, role="user"), item("function_call", 3, call_id="c1", name="shell"),
        item("function_call", 3, call_id="c2", name="shell"), record("a", usage(100, 10)),
        item("function_call_output", 4, call_id="c1"), item("function_call_output", 5, call_id="c2"),
    ]  # fmt: skip
    log = write(tmp_path / "rollout-1.jsonl", *lines)
    size = log.stat().st_size
    open_turns = [told for told in read(log) if isinstance(told, Turn) and told.status == "unanswered"]
    assert len(open_turns) == 1
    log = write(log, *lines, record("b", usage(200, 20)))
    for cuts in ([], [size], [size - 20], [size // 2, size]):
        told = [turn for turn in read_lines_in_passes(codex, log, cuts) if isinstance(turn, Turn)]
        answered = {turn.attempt for turn in told if turn.raw_counts}
        assert {turn.key for turn in told if turn.status == "unanswered"} <= answered
        assert [turn.tool_names for turn in told if turn.response_id == "a"] == [("shell", "shell")]


def test_a_kill_while_a_tool_runs_leaves_no_request_in_flight(tmp_path: Path) -> None:
    log = write(
        tmp_path / "rollout-1.jsonl", meta("T"), context(), item("message", 2, role="user"),
        item("function_call", 3, call_id="c1", name="shell"), item("function_call", 3, call_id="c2", name="shell"),
        record("a", usage(100, 10)), item("function_call_output", 4, call_id="c1"),
    )  # fmt: skip
    assert [told.status for told in read(log) if isinstance(told, Turn)] == ["completed"]

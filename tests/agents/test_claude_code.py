"""Claude Code: what its lines mean where they could be read in another way."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from agent_logs import Told, kinds, read_lines, read_lines_in_passes, totals, turns

from collectors.agents import claude_code
from collectors.agents.records import Flag, Session, SessionCost, Turn

SONNET = "claude-sonnet-4-5"


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
    return path


def reply(message_id: str, usage: dict[str, Any], *, stop: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    message = {"id": message_id, "model": SONNET, "stop_reason": stop, "usage": usage}
    return {"type": "assistant", "message": message, **more}


def unit(message_id: str, **more: Any) -> dict[str, Any]:
    return reply(message_id, {"input_tokens": 1000, "output_tokens": 100}, **more)


def read(*paths: Path) -> list[Told]:
    return [record for path in paths for record in read_lines(claude_code, path)]


@pytest.mark.parametrize(
    ("outputs", "stops", "output"),
    [((3, 3, 240), (None, None, "tool_use"), 240), ((5, 1, 812, 7), (None, None, "end_turn", None), 812)],
    ids=["as in the case", "the largest in the middle"],
)
def test_c08_lines_of_a_growing_reply_are_one_call_with_the_largest_counts(
    tmp_path: Path, outputs: tuple[int, ...], stops: tuple[str | None, ...], output: int
) -> None:
    usages = [
        {
            "input_tokens": 12,
            "cache_creation_input_tokens": 4000,
            "cache_read_input_tokens": 20000,
            "output_tokens": out,
        }
        for out in outputs
    ]
    lines = [reply("m1", usage, stop=stop, requestId="r1") for usage, stop in zip(usages, stops, strict=True)]
    for order in (lines, lines[::-1]):
        told = read(write(tmp_path / "S.jsonl", *order))
        assert totals(told) == (1, 24_012, output)
        assert [turn.status for turn in turns(told)] == ["completed"]


def tree(root: Path) -> dict[str, Path]:
    main = write(
        root / "S.jsonl", unit("A", requestId="r1", isSidechain=False), unit("S1", requestId="r2", isSidechain=True)
    )
    side = {"isSidechain": True}
    return {
        "main": main,
        "agent": write(
            root / "S/subagents/agent-1.jsonl", unit("S1", requestId="r2", **side), unit("S2", requestId="r3", **side)
        ),
        "workflow": write(root / "S/subagents/workflows/w1/agent-2.jsonl", unit("S3", requestId="r4", **side)),
        "question": write(root / "S/subagents/agent-aside_question-3.jsonl", unit("A", requestId="r1", **side)),
    }


def test_c07_every_file_of_a_session_counts_and_a_call_in_two_of_them_once(tmp_path: Path) -> None:
    told = read(*tree(tmp_path).values())
    assert totals(told) == (4, 4000, 400)
    assert {turn.session for turn in turns(told)} == {"S"}


def test_c07_a_sub_agents_file_beside_its_session_belongs_to_the_session_that_its_lines_name(tmp_path: Path) -> None:
    beside = write(tmp_path / "agent-7f.jsonl", unit("S9", isSidechain=True, sessionId="S", agentId="7f"))
    [turn] = turns(read(beside))
    assert (turn.session, turn.sub_agent_id) == ("S", "7f")


@pytest.mark.parametrize(
    ("iterations", "expected"),
    [
        ([("compaction", 150_000, 3000), ("message", 20_000, 900)], (1, 170_000, 3900)),
        ([("compaction", 90_000, 700), ("compaction", 40_000, 300), ("message", 5000, 50)], (1, 135_000, 1050)),
        ([], (1, 20_000, 900)),
    ],
)
def test_c28_a_reply_that_took_several_calls_counts_all_of_them(
    tmp_path: Path, iterations: list[tuple[str, int, int]], expected: tuple[int, int, int]
) -> None:
    usage = {
        "input_tokens": 20_000,
        "output_tokens": 900,
        "iterations": [{"type": kind, "input_tokens": i, "output_tokens": o} for kind, i, o in iterations],
    }
    assert totals(read(write(tmp_path / "S.jsonl", reply("m", usage)))) == expected


def synthetic(tokens: int, **more: Any) -> dict[str, Any]:
    line = reply("x", {"input_tokens": tokens, "output_tokens": 0}, isApiErrorMessage=True, uuid="u", **more)
    line["message"]["model"] = "<synthetic>"
    return line


def test_c35_a_line_that_the_agent_wrote_itself_is_no_call_and_no_llm(tmp_path: Path) -> None:
    told = read(write(tmp_path / "c1.jsonl", synthetic(0, apiErrorStatus=529), unit("y")))
    assert totals(told) == (1, 1000, 100)
    assert {turn.llm_answered for turn in turns(told)} == {SONNET}
    failed = [
        (record.status, record.error_code) for record in told if isinstance(record, Turn) and not record.raw_counts
    ]
    assert failed == [("failed", "529")]


def test_c35_tokens_on_such_a_line_are_flagged_and_counted_nowhere(tmp_path: Path) -> None:
    told = read(write(tmp_path / "c1.jsonl", synthetic(7), unit("y")))
    assert totals(told) == (1, 1000, 100)
    assert [record.flag for record in told if isinstance(record, Flag)] == ["tokens_without_llm"]


def asked(ref: str) -> dict[str, Any]:
    return {"type": "api-request", "sessionId": "S", "id": ref, "params": {"model": SONNET}}


def refused(status: int) -> dict[str, Any]:
    return {"type": "system", "subtype": "api_error", "error": {"status": status}, "uuid": f"e{status}"}


def test_c41_every_attempt_is_told_with_what_became_of_it(tmp_path: Path) -> None:
    log = write(
        tmp_path / "S.jsonl",
        asked("o1"), reply("m1", {"input_tokens": 1000, "output_tokens": 4}, stop=None, requestRef="o1"),
        asked("o2a"), refused(529), asked("o2b"), refused(529), asked("o2c"), unit("m2", requestRef="o2c"),
        asked("o3a"), asked("o3b"), unit("m3", requestRef="o3b"),
    )  # fmt: skip
    told = [record for record in read(log) if isinstance(record, Turn)]
    outcome = sorted((turn.status, turn.error_code or "", turn.completeness) for turn in told)
    assert outcome == [
        ("completed", "", "complete"), ("completed", "", "complete"), ("failed", "529", "complete"),
        ("failed", "529", "complete"), ("incomplete", "", "lower_bound"), ("unanswered", "", "complete"),
    ]  # fmt: skip
    assert totals(told) == (3, 3000, 204)


def test_c03_cache_reads_and_writes_stand_beside_the_input(tmp_path: Path) -> None:
    split = {"ephemeral_5m_input_tokens": 2000, "ephemeral_1h_input_tokens": 0}
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 90_000,
        "cache_creation_input_tokens": 2000,
        "cache_creation": split,
        "output_tokens": 500,
    }
    found = kinds(read(write(tmp_path / "S.jsonl", reply("m", usage))))
    assert found == {
        "input_uncached": 10, "cache_read": 90_000, "cache_write_5m": 2000, "cache_write_1h": 0, "cache_write_other": 0,
        "output": 500, "reasoning": None, "input_total": 92_010, "output_total": 500,
    }  # fmt: skip


@pytest.mark.parametrize("split", [None, {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}])
def test_cache_writes_without_their_split_are_of_unknown_kind_and_not_zero(
    tmp_path: Path, split: dict[str, int] | None
) -> None:
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 700, "cache_creation": split}
    found = kinds(read(write(tmp_path / "S.jsonl", reply("m", usage))))
    assert (found["cache_write_5m"], found["cache_write_1h"], found["cache_write_other"]) == (None, None, None)
    assert found["input_total"] == 710


def test_a_session_begins_with_its_first_stamped_line_and_is_named_by_its_folder(tmp_path: Path) -> None:
    log = write(
        tmp_path / "S.jsonl",
        {"type": "mode", "sessionId": "S"},
        {"type": "queue-operation", "timestamp": "2026-06-01T10:00:00.000Z", "sessionId": "S"},
        {"type": "user", "timestamp": "2026-06-01T09:59:00.000Z", "cwd": "/home/someone/web-shop", "message": {}},
        unit("a", timestamp="2026-06-01T10:01:00.000Z"),
    )
    second = log.read_bytes().index(b"queue-operation") - len(b'{"type":"')
    expected = [Session(session="S", at_us=1_780_308_000_000_000, offset=second, project="web-shop")]
    assert [record for record in read(log) if isinstance(record, Session)] == expected
    for cut in range(1, log.stat().st_size, 29):
        parts = read_lines_in_passes(claude_code, log, [cut])
        assert [record for record in parts if isinstance(record, Session)] == expected


@pytest.mark.parametrize(
    ("used", "is_unknown", "price"),
    [
        ({SONNET: {"costUSD": 1}}, False, "own"),
        ({"glm-5.2": {"costUSD": 1}}, False, "foreign"),
        ({SONNET: {"costBasis": "unknown"}}, False, "foreign"),
        ({SONNET: {}}, True, "foreign"),
    ],
)
def test_what_it_says_a_session_cost_is_no_cost_where_another_llms_price_was_taken(
    tmp_path: Path, used: dict[str, Any], is_unknown: bool, price: str
) -> None:
    state = {
        "type": "cost-state", "sessionId": "S", "totalCostUSD": 0.05062200000000001, "modelUsage": used,
        "hasUnknownModelCost": is_unknown,
    }  # fmt: skip
    log = write(tmp_path / "S.jsonl", unit("a"), state)
    [cost] = [record for record in read(log) if isinstance(record, SessionCost)]
    assert (cost.amount, cost.currency, cost.client_price) == (Decimal("0.05062200000000001"), "USD", price)


def test_older_lines_keep_the_cost_that_they_print(tmp_path: Path) -> None:
    log = write(tmp_path / "S.jsonl", unit("a", costUSD=0.02), unit("b", costUSD=None), unit("c"), unit("d", costUSD=0))
    assert [turn.cost_usd for turn in turns(read(log))] == [Decimal("0.02"), None, None, Decimal(0)]

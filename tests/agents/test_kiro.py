"""kiro-cli's credits from its text line and from its metering records. There is no kiro-cli to record here: made up."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from agent_logs import Told, read_whole

from collectors.agents import kiro
from collectors.agents.records import Session, SessionCost, Turn
from models.errors import UnreadableRecord

PLAIN = " ▸ Credits: 0.21 • Time: 17s\n"
COLOURED = (
    "\x1b[38;5;141m> \x1b[0mThe answer is in calc.py, a secret.\x1b[0m\x1b[0m\n\x1b[38;5;8m\n"
    " ▸ Credits: 7.23 • Time: 2m 29s\n\x1b[0m\x1b[1G\x1b[0m\x1b[0m\x1b[?25h"
)
NEW = {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "s-1", "modes": {"availableModes": []}}}


def metadata(session: str, *values: Any, unit: str = "credit", **more: Any) -> dict[str, Any]:
    metered = [{"value": value, "unit": unit, "unitPlural": f"{unit}s"} for value in values]
    params = {"sessionId": session, "contextUsagePercentage": 3.671} | more
    return {
        "jsonrpc": "2.0",
        "method": "_kiro.dev/metadata",
        "params": params | ({"meteringUsage": metered} if values else {}),
    }


def told_in(folder: Path, content: str, name: str = "run.log") -> list[Told]:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return read_whole(kiro, path)


def told_by(folder: Path, *frames: dict[str, Any]) -> list[Told]:
    return told_in(folder, "".join(json.dumps(frame) + "\n" for frame in frames), "acp.jsonl")


def credits_in(told: list[Told]) -> list[Decimal]:
    return [record.amount for record in told if isinstance(record, SessionCost)]


# The text line


@pytest.mark.parametrize(
    ("content", "credits"),
    [
        (PLAIN, "0.21"),
        (COLOURED, "7.23"),
        ("\x1b[38;5;8m ▸ Credits: \x1b[1m12.29\x1b[0m • Time: 17m 51s\x1b[0m\r\n", "12.29"),
        ("working\r ▸ Credits: 0.01 • Time: 1s", "0.01"),
        ("▸ Credits: 3 • Time: 1h 2m 3s\n", "3"),
        (PLAIN + "more\n" + PLAIN, "0.42"),
    ],
)
def test_the_credits_of_a_text_are_the_sum_of_its_lines(content: str, credits: str, tmp_path: Path) -> None:
    session, cost = told_in(tmp_path, content)
    assert isinstance(session, Session)
    assert isinstance(cost, SessionCost)
    assert (cost.session, cost.amount, cost.currency) == (session.session, Decimal(credits), "KIRO_CREDIT")
    assert "secret" not in repr([session, cost])


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no credits",
        "It prints ▸ Credits: 5 • Time: 17s at its end\n",
        "▸ Credits: 5\n",
        "▸ Credits: -5 • Time: 17s\n",
        "▸ Credits: many • Time: 17s\n",
        json.dumps({"text": PLAIN}),
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1"}}\n',
    ],
)
def test_a_file_without_credits_is_set_aside(content: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableRecord, match="expected kiro-cli's credits line"):
        told_in(tmp_path, content)


def test_a_texts_session_is_its_name_and_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    sessions = {
        told_in(folder, content, name)[0].session  # type: ignore[union-attr]
        for folder, content, name in (
            (tmp_path, PLAIN, "a.txt"),
            (tmp_path / "copy", PLAIN, "a.txt"),
            (tmp_path, PLAIN, "b.txt"),
            (tmp_path, COLOURED, "a.txt"),
        )
    }
    assert sorted(session.partition("-")[0] for session in sessions) == ["a", "a", "b"]


def test_a_text_that_grew_is_the_same_session_and_its_amount_the_newest(tmp_path: Path) -> None:
    first = told_in(tmp_path, PLAIN)
    later = told_in(tmp_path, PLAIN + "more\n" + COLOURED)
    assert first[0] == later[0]
    revisions = [record.revision or 0 for record in (*first, *later) if isinstance(record, SessionCost)]
    assert credits_in(later) == [Decimal("7.44")]
    assert revisions == sorted(set(revisions))


# Metering records


def test_credits_are_summed_over_all_sessions_and_each_metered_prompt_is_a_turn(tmp_path: Path) -> None:
    told = told_by(
        tmp_path,
        NEW,
        metadata("s-1"),
        metadata("sub-1", 0.1, turnDurationMs=900),
        metadata("s-1", 0.05413, turnDurationMs=2_077),
        metadata("s-1", 0.2, 0.3),
    )
    ends = [
        0,
        *(len(json.dumps(frame)) + 1 for frame in (NEW, metadata("s-1"), metadata("sub-1", 0.1, turnDurationMs=900))),
    ]
    at = [sum(ends[: count + 1]) for count in range(len(ends))]
    last = at[3] + len(json.dumps(metadata("s-1", 0.05413, turnDurationMs=2_077))) + 1
    none: dict[str, Any] = {"session": "s-1", "usage_format": "kiro.none"}
    assert told == [
        Session(session="s-1"),
        Turn(
            key=("metered", "sub-1", 1), offset=at[2], session_id="sub-1", sub_agent_id="sub-1", duration_ms=900, **none
        ),
        Turn(key=("metered", "s-1", 1), offset=at[3], session_id="s-1", duration_ms=2_077, **none),
        Turn(key=("metered", "s-1", 2), offset=last, session_id="s-1", **none),
        SessionCost(session="s-1", amount=Decimal("0.65413"), currency="KIRO_CREDIT", offset=last, revision=last),
    ]


def test_progress_is_no_cost_and_another_unit_no_credit(tmp_path: Path) -> None:
    assert told_by(tmp_path, metadata("s-1"), metadata("s-1", 5, unit="request")) == [Session(session="s-1")]


def test_decimals_are_summed_as_they_are_printed(tmp_path: Path) -> None:
    assert credits_in(told_by(tmp_path, *[metadata("s-1", 0.1) for _ in range(10)])) == [Decimal("1.0")]


def test_no_text_of_a_record_is_kept(tmp_path: Path) -> None:
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": f"a secret {PLAIN}"}}
    frames = [
        NEW,
        {"jsonrpc": "2.0", "id": 2, "method": "session/prompt", "params": {"sessionId": "s-1", "prompt": ["a secret"]}},
        {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s-1", "update": update}},
        {"jsonrpc": "2.0", "method": "other", "params": ["a secret"]},
        metadata("s-1", 0.5),
    ]
    told = told_by(tmp_path, *frames)
    assert credits_in(told) == [Decimal("0.5")]
    assert "secret" not in repr(told)


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (metadata("s-1", -1), "Expected `float` >= 0.0 - at `$.meteringUsage[0].value`"),
        (metadata("s-1", "a secret"), "Expected `float`, got `str` - at `$.meteringUsage[0].value`"),
        (metadata("s-1", 1, turnDurationMs="a secret"), "Expected `float | null`, got `str` - at `$.turnDurationMs`"),
        ({"jsonrpc": "2.0", "method": "_kiro.dev/metadata", "params": {}}, "Object missing required field `sessionId`"),
        ({"jsonrpc": "2.0", "method": "_kiro.dev/metadata"}, "Expected `object`, got `null`"),
    ],
)
def test_a_malformed_record_is_set_aside_and_the_next_is_read(
    frame: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    told = told_by(tmp_path, NEW, frame, metadata("s-1", 0.25))
    faults = [(record.reason, record.offset) for record in told if isinstance(record, UnreadableRecord)]
    assert faults == [(f"not as expected: {reason}", len(json.dumps(NEW)) + 1)]
    assert credits_in(told) == [Decimal("0.25")]


def test_half_a_record_at_the_end_is_set_aside(tmp_path: Path) -> None:
    whole = "".join(json.dumps(frame) + "\n" for frame in (NEW, metadata("s-1", 0.25)))
    told = told_in(tmp_path, whole + json.dumps(metadata("s-1", 0.5))[:-9], "acp.jsonl")
    assert credits_in(told) == [Decimal("0.25")]
    assert sum(isinstance(record, UnreadableRecord) for record in told) == 1


# Where it is


@pytest.mark.parametrize(
    ("head", "is_known"),
    [
        (PLAIN, True),
        (COLOURED, True),
        ("All tools are now trusted (!). Kiro will execute tools without asking for confirmation.\n", True),
        (json.dumps(metadata("s-1")), True),
        ('{"jsonrpc":"2.0","id":0,"result":{"agentInfo":{"name":"Kiro CLI Agent"}}}', True),
        ('{"jsonrpc":"2.0","id":0,"result":{}}', False),
        (json.dumps({"type": "user", "text": PLAIN}, ensure_ascii=False), False),
        ("a text", False),
    ],
)
def test_a_capture_is_known_by_its_content(head: str, is_known: bool) -> None:
    assert kiro.knows(head.encode()) is is_known


def test_no_default_place_holds_credits() -> None:
    assert kiro.places == ()
    assert [kiro.reads(Path(name)) for name in ("run.log", "stderr.0.txt", "acp.jsonl", "a.parquet")] == [True] * 3 + [
        False
    ]
    assert kiro.companions(Path("run.log")) == ()

"""Kimi CLI's wire files (before Kimi Code): steps, retries, sub-agents, forks, cuts, and what is malformed.

No recording of it can be made here (it needs a newer Python), so its lines are written as its own code writes them.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from agent_logs import Told, kinds, read_lines, read_lines_in_passes, totals
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.agents import kimi_cli
from collectors.agents.records import Session, Turn
from models.errors import UnreadableRecord

USAGE = {"input_other": 200, "output": 300, "input_cache_read": 800, "input_cache_creation": 0}
PROMPT = "fix the failing test, the token is hunter2"

Line = dict[str, Any]


def at(seconds: float, kind: str, **payload: Any) -> Line:
    return {"timestamp": 1_780_000_000 + seconds, "message": {"type": kind, "payload": payload}}


def status(seconds: float, message: str | None = "chatcmpl-1", usage: Mapping[str, Any] | None = USAGE) -> Line:
    return at(seconds, "StatusUpdate", context_usage=0.12, token_usage=usage, message_id=message, plan_mode=None)


def tool_call(seconds: float, call: str, name: str) -> Line:
    function = {"name": name, "arguments": json.dumps({"command": PROMPT})}
    return at(seconds, "ToolCall", type="function", id=call, function=function)


WHOLE: list[Line] = [
    {"type": "metadata", "protocol_version": "1.9"},
    at(0, "TurnBegin", user_input=PROMPT),
    at(1, "StepBegin", n=1),
    at(2, "ContentPart", type="text", text=PROMPT),
    tool_call(2.5, "Bash:0", "Bash"),
    tool_call(2.6, "ReadFile:1", "ReadFile"),
    status(3),
    at(4, "ToolResult", tool_call_id="Bash:0", return_value={"output": PROMPT}),
    at(5, "StepBegin", n=2),
    at(6, "StepRetry", n=2, next_attempt=2, max_attempts=3, wait_s=0.5, error_type="APIStatusError", status_code=429),
    at(7, "StepRetry", n=2, next_attempt=3, max_attempts=3, wait_s=1.0, error_type="APIConnectionError"),
    status(9, "chatcmpl-2", {"input_other": 10, "output": 20}),
    at(10, "StatusUpdate", plan_mode=True),
    at(11, "StepBegin", n=3),
    at(12, "StepInterrupted"),
]


def written(folder: Path, lines: Iterable[Line], place: str = "session-1") -> Path:
    path = folder / "sessions" / "0a1b2c" / place / "wire.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def turns_of(told: Iterable[Told]) -> list[Turn]:
    return [record for record in told if isinstance(record, Turn)]


def reasons(told: Iterable[Told]) -> list[str]:
    return [record.reason for record in told if isinstance(record, UnreadableRecord)]


def test_a_turn_says_all_that_its_lines_say(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE)
    told = read_lines(kimi_cli, path)
    offsets = [0]
    for line in path.read_bytes().splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    assert told[0] == Session(session="session-1", at_us=1_780_000_000_000_000, offset=offsets[1])
    assert told[1] == Turn(
        session="session-1",
        key=("response", "chatcmpl-1"),
        at_us=1_780_000_003_000_000,
        offset=offsets[6],
        session_id="session-1",
        retry_number=0,
        duration_ms=2_000.0,
        tool_call_ids=("Bash:0", "ReadFile:1"),
        tool_names=("Bash", "ReadFile"),
        message_id="chatcmpl-1",
        response_id="chatcmpl-1",
        attempt=("begun", 1_780_000_001_000_000, 1, 0),
        usage_format="kimi_cli",
        raw_counts=USAGE,
    )


def test_retries_are_failed_turns_and_an_interrupted_step_is_unanswered(tmp_path: Path) -> None:
    told = turns_of(read_lines(kimi_cli, written(tmp_path, WHOLE)))
    assert [(turn.status, turn.error_code, turn.retry_number, turn.duration_ms) for turn in told] == [
        ("completed", None, 0, 2_000.0),
        ("failed", "429", 0, None),
        ("failed", "APIConnectionError", 1, None),
        ("completed", None, 2, None),
        ("unanswered", None, 0, None),
    ]


def test_the_classes_of_usage_are_disjoint(tmp_path: Path) -> None:
    assert kinds(read_lines(kimi_cli, written(tmp_path, WHOLE))) == {
        "input_uncached": 210,
        "cache_read": 800,
        "cache_write_other": 0,
        "output": 320,
        "input_total": 1_010,
        "output_total": 320,
    }


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_cuts_give_the_same_records(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), WHOLE)
        cuts = data.draw(st.lists(st.integers(0, path.stat().st_size), max_size=6))
        cut, whole = read_lines_in_passes(kimi_cli, path, cuts), read_lines(kimi_cli, path)
    assert told_of(cut) == told_of(whole)


def told_of(told: list[Told]) -> set[str]:
    """The records, without requests that were open for a while and then answered."""
    answered = {turn.attempt for turn in turns_of(told)}
    return {repr(record) for record in told if not (isinstance(record, Turn) and record.key in answered)}


def test_a_forks_copies_are_the_same_turns(tmp_path: Path) -> None:
    fork = [*WHOLE, at(20, "StepBegin", n=1), status(21, "chatcmpl-3")]
    told = read_lines(kimi_cli, written(tmp_path, WHOLE)) + read_lines(kimi_cli, written(tmp_path, fork, "session-2"))
    assert totals(told) == (3, 2_010, 620)


def test_a_sub_agent_is_read_from_its_own_file_and_not_from_its_parents(tmp_path: Path) -> None:
    inner = {"type": "StatusUpdate", "payload": {"token_usage": USAGE, "message_id": "chatcmpl-7"}}
    event = at(2, "SubagentEvent", parent_tool_call_id="Agent:0", agent_id="a1b2", subagent_type="coder", event=inner)
    own = written(tmp_path, [at(1, "StepBegin", n=1), status(2, "chatcmpl-7")], "session-1/subagents/a1b2")
    told = read_lines(kimi_cli, written(tmp_path, [*WHOLE, event])) + read_lines(kimi_cli, own)
    assert totals(told) == (3, 2_010, 620)
    assert [(turn.session, turn.sub_agent_id) for turn in turns_of(told)][-1] == ("session-1", "a1b2")
    assert len([record for record in told if isinstance(record, Session)]) == 1


def test_a_sub_agent_without_a_file_is_read_from_its_parents(tmp_path: Path) -> None:
    inner = {"type": "StatusUpdate", "payload": {"token_usage": USAGE, "message_id": "chatcmpl-7"}}
    told = read_lines(kimi_cli, written(tmp_path, [at(2, "SubagentEvent", task_tool_call_id="Task:0", event=inner)]))
    assert totals(told) == (1, 1_000, 300)
    assert [(turn.session, turn.sub_agent_id) for turn in turns_of(told)] == [("session-1", "Task:0")]


def test_replies_without_an_id_are_known_by_time_and_counts(tmp_path: Path) -> None:
    lines = [at(1, "StepBegin", n=1), status(2, None), at(3, "StepBegin", n=2), status(4, None)]
    told = read_lines(kimi_cli, written(tmp_path, lines)) + read_lines(kimi_cli, written(tmp_path, lines, "session-2"))
    assert totals(told) == (2, 2_000, 600)


@pytest.mark.parametrize("usage", [None, {"input_other": 0, "output": 0}])
def test_a_reply_without_usage_is_complete_and_not_zero(usage: Line | None, tmp_path: Path) -> None:
    (turn,) = turns_of(read_lines(kimi_cli, written(tmp_path, [at(1, "StepBegin", n=1), status(2, usage=usage)])))
    assert (turn.status, turn.raw_counts, turn.response_id) == ("completed", None, "chatcmpl-1")


def test_no_prompt_and_no_tool_text_is_in_a_record(tmp_path: Path) -> None:
    told = repr(read_lines(kimi_cli, written(tmp_path, WHOLE)))
    assert "chatcmpl-1" in told
    assert "hunter2" not in told


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (status(2, usage={"input_other": -1, "output": 1}), "Expected `int` >= 0 - at `$.token_usage.input_other`"),
        (status(2, usage={"input_other": "a secret", "output": 1}),
         "Expected `int`, got `str` - at `$.token_usage.input_other`"),
        (status(2, usage={"output": 1}), "Object missing required field `input_other` - at `$.token_usage`"),
        (at(2, "StepBegin"), "Object missing required field `n`"),
        ({"timestamp": "now", "message": {"type": "TurnEnd"}}, "Expected `float | null`, got `str` - at `$.timestamp`"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_set_aside_by_its_field_and_the_next_is_read(
    line: Line, reason: str, tmp_path: Path
) -> None:
    told = read_lines(kimi_cli, written(tmp_path, [at(1, "TurnBegin", user_input=""), line, status(3)]))
    assert reasons(told) == [f"not as expected: {reason}"]
    assert totals(told) == (1, 1_000, 300)


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        (".kimi/sessions/0a1b2c/session-1/wire.jsonl", True),
        (".kimi/sessions/0a1b2c/session-1/subagents/a1b2/wire.jsonl", True),
        (".kimi/sessions/0a1b2c/session-1/context.jsonl", False),
        (".kimi/sessions/wd_repo_1/session_1/agents/main/wire.jsonl", False),
    ],
)
def test_which_files_are_read(path: str, is_read: bool) -> None:
    assert kimi_cli.reads(Path("/home/me") / path) is is_read


def test_a_wire_file_is_known_by_its_beginning(tmp_path: Path) -> None:
    assert kimi_cli.knows(written(tmp_path, WHOLE).read_bytes()[:4096])
    assert kimi_cli.knows(written(tmp_path, WHOLE[1:]).read_bytes()[:4096])
    assert not kimi_cli.knows(b'{"type":"metadata","protocol_version":"1.5","created_at":1796070884946}\n')

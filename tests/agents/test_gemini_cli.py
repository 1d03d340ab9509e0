"""Gemini CLI's chats against the server's record, in any cuts, with thoughts on either side, and malformed."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from agent_logs import RECORDINGS, Told, kinds, read_lines, read_lines_in_passes, served_totals, totals
from hypothesis import given, settings
from hypothesis import strategies as st
from united_logs import line_ends, read_cut, texts_in, united, written

from collectors.agents import gemini_cli
from collectors.agents.records import Flag, Session, Turn
from models.errors import UnreadableRecord

FILES = sorted((RECORDINGS / "gemini-cli").rglob("session-*.jsonl"))
SCENARIOS = sorted(folder.name for folder in (RECORDINGS / "gemini-cli").iterdir())
TEXTS = frozenset(
    {"text", "content", "args", "output", "resultDisplay", "description", "originalContent", "newContent"}
)

Line = dict[str, Any]


def told_by(scenario: str) -> list[Told]:
    (path,) = (RECORDINGS / "gemini-cli" / scenario / "home").rglob("*.jsonl")
    return read_lines(gemini_cli, path)


def turns_of(told: list[Told]) -> list[Turn]:
    return [record for record in told if isinstance(record, Turn)]


def header(session: str = "s1", **more: Any) -> Line:
    return {"sessionId": session, "projectHash": "ab", "startTime": at(0), "lastUpdated": at(0), "kind": "main"} | more


def at(seconds: int) -> str:
    return f"2026-11-30T00:53:{20 + seconds:02}.000Z"


def asking(number: int, seconds: int) -> Line:
    return {"id": f"u{number}", "timestamp": at(seconds), "type": "user", "content": [{"text": "a question"}]}


def tokens(**counts: Any) -> Line:
    return {"input": 100, "output": 20, "cached": 0, "thoughts": 0, "tool": 0, "total": 120} | counts


def reply(number: int, seconds: int, **changes: Any) -> Line:
    message = {"id": f"g{number}", "timestamp": at(seconds), "type": "gemini", "content": "an answer"}
    return message | {"tokens": tokens(), "model": "gemini-2.5-pro"} | changes


def told_in(folder: Path, *lines: Line, name: str = "session-2026-s1.jsonl") -> list[Told]:
    return read_lines(gemini_cli, written(folder / "tmp" / "shop" / "chats" / name, lines))


# Recordings


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recording_has_the_requests_and_tokens_that_were_served(scenario: str) -> None:
    told = told_by(scenario)
    assert totals(told) == served_totals(RECORDINGS / "gemini-cli" / scenario)
    assert not any(isinstance(record, Flag | UnreadableRecord) for record in told)


def test_the_classes_are_those_that_the_api_tells() -> None:
    assert kinds(told_by("happy")) == {
        "input_uncached": 4_076 + 1_616 + 1_618 + 1_620,
        "cache_read": 38_300 + 38_400 + 38_500,
        "output": 4 * 518 + 64 + 65 + 66 + 67,
        "reasoning": 64 + 65 + 66 + 67,
        "input_total": 124_130,
        "output_total": 2_334,
    }


def test_a_turn_says_all_that_its_lines_say() -> None:
    session, message = "b069ec52-69ab-42ad-aa95-823e765862b0", "bf14e08b-a17b-4786-a611-d05b55405142"
    turn = next(turn for turn in turns_of(told_by("happy")) if turn.message_id == message)
    assert turn == Turn(
        session=session,
        key=("message", message),
        at_us=1_796_071_124_189_000,
        offset=3141,
        session_id=session,
        llm_asked="gemini-2.5-pro",
        duration_ms=22.0,
        tool_call_ids=("write_file__gc_fake00283s1x0",),
        tool_names=("write_file",),
        message_id=message,
        attempt=("asked", "93958ccd-5686-489b-86cf-81007526d05f"),
        usage_format="gemini_cli",
        raw_counts={"input": 39916, "output": 518, "cached": 38300, "thoughts": 65, "tool": 0, "total": 40499},
    )


def test_a_session_begins_with_its_first_line() -> None:
    (session,) = [record for record in told_by("happy") if isinstance(record, Session)]
    assert session == Session(
        session="b069ec52-69ab-42ad-aa95-823e765862b0", at_us=1_796_071_123_913_000, project="repo"
    )


@pytest.mark.parametrize("scenario", ["hang", "nosuch"])
def test_a_request_that_was_killed_or_taken_back_is_unanswered(scenario: str) -> None:
    assert [turn.status for turn in turns_of(told_by(scenario))][-1] == "unanswered"


def test_a_retry_is_in_no_line_but_in_the_duration() -> None:
    assert [turn.duration_ms for turn in turns_of(told_by("e429"))][1] == 13_516.0


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_prompt_and_no_tool_text_is_in_a_record(scenario: str) -> None:
    told = repr(told_by(scenario))
    (path,) = (RECORDINGS / "gemini-cli" / scenario / "home").rglob("*.jsonl")
    texts = {text for line in path.read_text().splitlines() for text in texts_in(json.loads(line), TEXTS)}
    assert texts
    assert [text for text in texts if text in told] == []


# Cuts


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_any_cuts_of_a_recording_give_the_same_records(path: Path, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, path.stat().st_size), max_size=6))
    assert united(read_cut(gemini_cli, path, cuts)) == united(read_lines(gemini_cli, path))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_lines_in_any_order_and_copied_over_files_give_the_same_totals(path: Path, data: st.DataObject) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    files = [data.draw(st.permutations(lines)), data.draw(st.lists(st.sampled_from(lines), max_size=20))]
    with tempfile.TemporaryDirectory() as folder:
        told: list[Told] = []
        for number, each in enumerate(files):
            copy = Path(folder) / f"session-{number}.jsonl"
            copy.write_bytes(b"".join(each))
            cuts = data.draw(st.lists(st.integers(0, copy.stat().st_size), max_size=3))
            told += read_lines_in_passes(gemini_cli, copy, cuts)
    assert totals(told) == totals(read_lines(gemini_cli, path))


@pytest.mark.parametrize("path", FILES)
def test_a_pass_after_every_line_gives_the_same_records(path: Path) -> None:
    assert united(read_cut(gemini_cli, path, line_ends(path))) == united(read_lines(gemini_cli, path))


# Thoughts


@pytest.mark.parametrize(
    ("total", "usage_format", "output"), [(56_700, "gemini_cli", 1_700), (55_900, "gemini_cli.thoughts-in-output", 900)]
)
def test_c23_the_total_says_whether_thoughts_are_beside_the_output(
    total: int, usage_format: str, output: int, tmp_path: Path
) -> None:
    used = {"input": 55_000, "output": 900, "thoughts": 800, "total": total}
    told = told_in(tmp_path, header(), reply(1, 1, tokens=used))
    assert [turn.usage_format for turn in turns_of(told)] == [usage_format]
    assert kinds(told) == {
        "input_uncached": 55_000,
        "cache_read": 0,
        "output": output,
        "reasoning": 800,
        "input_total": 55_000,
        "output_total": output,
    }


@pytest.mark.parametrize(("total", "output"), [(7_320, 330), (7_200, 210)])
def test_c23_made_up_a_tools_prompt_is_input_on_either_side(total: int, output: int, tmp_path: Path) -> None:
    used = tokens(input=6_000, cached=4_000, tool=990, output=210, thoughts=120, total=total)
    told = told_in(tmp_path, header(), reply(1, 1, tokens=used))
    found = kinds(told)
    assert (found["input_uncached"], found["cache_read"], found["output"]) == (2_990, 4_000, output)
    assert totals(told) == (1, 6_990, output)
    assert not any(isinstance(record, Flag) for record in told)


def test_a_total_that_is_neither_sum_is_flagged(tmp_path: Path) -> None:
    told = told_in(tmp_path, header(), reply(1, 1, tokens=tokens(thoughts=5, total=9_999)))
    assert [record.flag for record in told if isinstance(record, Flag)] == ["usage_contradicts_total"]
    assert totals(told) == (1, 100, 25)


# Made up


def test_a_message_written_before_its_tokens_is_one_turn_with_them(tmp_path: Path) -> None:
    lines = [
        header(),
        asking(1, 0),
        reply(1, 1, tokens=None),
        reply(1, 1),
        reply(1, 1, toolCalls=[{"id": "t", "name": "ls"}]),
    ]
    told = told_in(tmp_path, *lines)
    (turn,) = turns_of(told)
    assert (turn.status, turn.completeness, turn.tool_names, turn.attempt) == (
        "completed",
        "complete",
        ("ls",),
        ("asked", "u1"),
    )
    assert totals(told) == (1, 100, 20)


@pytest.mark.parametrize("used", [None, tokens(input=0, output=0, total=0)])
def test_a_message_without_usage_is_not_zero(used: Line | None, tmp_path: Path) -> None:
    (turn,) = turns_of(told_in(tmp_path, header(), reply(1, 1, tokens=used)))
    assert (turn.status, turn.raw_counts, turn.incomplete_reason) == ("completed", None, "no usage")


def test_messages_that_are_all_set_once_more_are_the_same_turns(tmp_path: Path) -> None:
    again = {"$set": {"messages": [asking(1, 0), reply(1, 1), asking(2, 2)]}}
    told = told_in(tmp_path, header(), asking(1, 0), reply(1, 1), asking(2, 2), again, reply(2, 3))
    assert totals(told) == (2, 200, 40)
    assert [turn.status for turn in turns_of(told)] == ["completed", "completed"]


def test_an_input_that_was_taken_back_stays_unanswered_and_the_next_one_is_answered(tmp_path: Path) -> None:
    taken_back = {"$set": {"messages": []}}
    told = told_in(tmp_path, header(), asking(1, 0), taken_back, asking(2, 2), reply(2, 3))
    assert sorted((turn.status, turn.key, turn.attempt) for turn in turns_of(told)) == [
        ("completed", ("message", "g2"), ("asked", "u2")),
        ("unanswered", ("asked", "u1"), None),
    ]


def test_an_open_request_stays_the_same_while_nothing_answers_it(tmp_path: Path) -> None:
    path = written(tmp_path / "session-1.jsonl", [header(), asking(1, 0), asking(2, 2)])
    (open_turn,) = {repr(turn): turn for turn in turns_of(read_cut(gemini_cli, path, line_ends(path)))}.values()
    assert (open_turn.status, open_turn.key) == ("unanswered", ("asked", "u1"))


def test_a_reply_took_as_long_as_its_latest_input_is_ago(tmp_path: Path) -> None:
    (turn,) = turns_of(told_in(tmp_path, header(), asking(1, 0), asking(2, 2), reply(3, 5)))
    assert (turn.attempt, turn.duration_ms) == (("asked", "u1"), 3_000.0)


def test_a_sub_agents_chat_is_in_its_parents_folder(tmp_path: Path) -> None:
    told = told_in(tmp_path, header("sub-1", kind="subagent"), asking(1, 0), reply(1, 1), name="parent-1/sub-1.jsonl")
    assert not any(isinstance(record, Session) for record in told)
    assert [(turn.session, turn.session_id, turn.sub_agent_id) for turn in turns_of(told)] == [
        ("parent-1", "sub-1", "sub-1")
    ]


def test_a_hash_is_no_project(tmp_path: Path) -> None:
    told = read_lines(gemini_cli, written(tmp_path / ("ab" * 32) / "chats" / "session-1.jsonl", [header()]))
    assert told == [Session(session="s1", at_us=1_796_000_000_000_000)]


MALFORMED = {
    "negative": (reply(1, 1, tokens=tokens(input=-1)), "Expected `int` >= 0 - at `$.tokens.input`"),
    "text": (reply(1, 1, tokens=tokens(output="a secret")), "Expected `int`, got `str` - at `$.tokens.output`"),
    "missing": (reply(1, 1, tokens={"input": 1}), "Object missing required field `output` - at `$.tokens`"),
    "calls": (reply(1, 1, toolCalls="a secret"), "Expected `array | null`, got `str` - at `$.toolCalls`"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_line_is_set_aside_by_its_field_and_the_next_is_read(case: str, tmp_path: Path) -> None:
    line, reason = MALFORMED[case]
    told = told_in(tmp_path, header(), line, reply(2, 2))
    offset = len(json.dumps(header(), separators=(",", ":"))) + 1
    faults = [(record.reason, record.offset) for record in told if isinstance(record, UnreadableRecord)]
    assert faults == [(f"not as expected: {reason}", offset)]
    assert totals(told) == (1, 100, 20)


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        (".gemini/tmp/shop/chats/session-2026-11-30T20-38-b069ec52.jsonl", True),
        (".gemini/tmp/shop/chats/b069ec52-69ab/5a5a-1.jsonl", True),
        (".gemini/tmp/shop/chats/session-2026-11-30T20-38-b069ec52.json", False),
        (".gemini/tmp/shop/logs.jsonl", False),
    ],
)
def test_which_files_are_read(path: str, is_read: bool) -> None:
    assert gemini_cli.reads(Path("/me") / path) is is_read


def test_a_chat_is_known_by_its_beginning() -> None:
    assert all(gemini_cli.knows(path.read_bytes()[:4096]) for path in FILES)
    assert not gemini_cli.knows(b'{"sessionId":"s1","uuid":"u1"}')

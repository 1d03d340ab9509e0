"""pi's session files against the server's record, in any cuts, forked, of both versions, and malformed."""

from __future__ import annotations

import json
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from agent_logs import RECORDINGS, Told, kinds, read_lines, read_lines_in_passes, served, served_totals, totals
from hypothesis import given, settings
from hypothesis import strategies as st
from united_logs import line_ends, read_cut, texts_in, united, written

from collectors.agents import pi
from collectors.agents.records import Flag, Session, Turn
from models.errors import UnreadableRecord

FILES = sorted((RECORDINGS / "pi").rglob("2026*.jsonl"))
SCENARIOS = sorted(folder.name for folder in (RECORDINGS / "pi").iterdir())
TEXTS = frozenset({"text", "thinking", "arguments", "content", "errorMessage", "summary"})

ASKED_AT = 1_796_000_000_000
"""2026-11-30T00:53:20Z, in ms."""

Line = dict[str, Any]


def recorded(scenario: str) -> Path:
    (path,) = (RECORDINGS / "pi" / scenario / "home").rglob("*.jsonl")
    return path


def told_by(scenario: str) -> list[Told]:
    return read_lines(pi, recorded(scenario))


def turns_of(told: list[Told]) -> list[Turn]:
    return [record for record in told if isinstance(record, Turn)]


def header(session: str = "s1", **more: Any) -> Line:
    return {"type": "session", "version": 3, "id": session, "timestamp": at(0), "cwd": "/repos/shop"} | more


def at(seconds: int) -> str:
    return f"2026-11-30T00:53:{20 + seconds:02}.000Z"


def entry(number: int, seconds: int, message: Line) -> Line:
    return {"type": "message", "id": f"{number:08x}", "parentId": None, "timestamp": at(seconds), "message": message}


def asking(number: int, seconds: int) -> Line:
    return entry(number, seconds, {"role": "user", "content": "a question", "timestamp": ASKED_AT + seconds * 1_000})


def usage(**counts: Any) -> Line:
    used = {"input": 100, "output": 20, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 120}
    return used | {"cost": {"total": 0.5}} | counts


def reply(number: int, seconds: int, **changes: Any) -> Line:
    message = {"role": "assistant", "content": [], "api": "anthropic-messages", "provider": "anthropic"}
    message |= {"model": "claude-haiku-4-5", "usage": usage(), "stopReason": "stop", "timestamp": ASKED_AT}
    return entry(number, seconds, message | {"responseId": f"msg_{number}"} | changes)


def failing(number: int, seconds: int, message: str) -> Line:
    nothing = usage(input=0, output=0, totalTokens=0, cost={"total": 0})
    return reply(number, seconds, stopReason="error", errorMessage=message, responseId=None, usage=nothing)


def told_in(folder: Path, *lines: Line) -> list[Told]:
    return read_lines(pi, written(folder / "--work-shop--" / "2026_s1.jsonl", lines))


# Recordings


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recording_has_the_requests_and_tokens_that_were_served(scenario: str) -> None:
    told = told_by(scenario)
    assert totals(told) == served_totals(RECORDINGS / "pi" / scenario)
    assert not any(isinstance(record, Flag | UnreadableRecord) for record in told)


def test_all_classes_are_known_over_anthropics_api_but_for_the_life_of_writes_and_reasoning() -> None:
    sent = [line["usage"] for line in served(RECORDINGS / "pi" / "anthropic-messages")]
    assert kinds(told_by("anthropic-messages")) == {
        "input_uncached": sum(each["input"] for each in sent),
        "cache_read": sum(each["cache_read"] for each in sent),
        "cache_write_other": sum(each["cache_write_5m"] + each["cache_write_1h"] for each in sent),
        "output": 1_748,
        "reasoning": None,
        "input_total": 79_058,
        "output_total": 1_748,
    }


def test_reads_and_input_are_unknown_over_chat_completions_where_there_are_writes() -> None:
    found = kinds(told_by("happy"))
    assert (found["input_uncached"], found["cache_read"], found["input_total"]) == (None, None, 75_774)
    assert found["cache_write_other"] == 2_637 + 176 + 177 + 178


def test_a_turn_says_all_that_its_line_says() -> None:
    session = "01a22e3a-f45b-7707-9b31-dc9776bf07aa"
    assert turns_of(told_by("alias"))[0] == Turn(
        session=session,
        key=("response", "chatcmpl-fake00430"),
        at_us=1_796_071_945_736_000,
        offset=665,
        session_id=session,
        llm_asked="fake-coder-1",
        llm_answered="fake-coder-1-as-served",
        provider_asked="fake",
        retry_number=0,
        duration_ms=159.0,
        stop_reason="toolUse",
        tool_call_ids=("call_fake00430s0x0", "call_fake00430s0x1"),
        tool_names=("read", "read"),
        message_id="01c5c6c5",
        response_id="chatcmpl-fake00430",
        attempt=("asked", "e3dcae88", "2026-11-30T20:52:25.504Z"),
        usage_format="pi.reads-in-input",
        raw_counts={"input": 1430, "output": 730, "cacheRead": 0, "cacheWrite": 2942, "totalTokens": 5102},
        cost_usd=Decimal("0.0065675"),
    )


def test_a_session_begins_with_its_header() -> None:
    (session,) = [record for record in told_by("happy") if isinstance(record, Session)]
    assert session == Session(
        session="01a22e28-837d-76f2-bbb6-2d1ea39fd760", at_us=1_796_070_736_774_000, project="repo"
    )


def test_a_request_that_a_server_refused_for_ever_is_four_failed_turns() -> None:
    failed = [
        (turn.error_code, turn.retry_number) for turn in turns_of(told_by("e500always")) if turn.status == "failed"
    ]
    assert failed == [("500", 0), ("500", 1), ("500", 2), ("500", 3)]


@pytest.mark.parametrize("scenario", ["trunc", "sseerr"])
def test_a_stream_that_broke_is_failed_with_its_response_and_without_usage_or_cost(scenario: str) -> None:
    (failed,) = [turn for turn in turns_of(told_by(scenario)) if turn.status == "failed"]
    cut = next(line["message_id"] for line in served(RECORDINGS / "pi" / scenario) if not line["complete"])
    assert (failed.key, failed.raw_counts, failed.cost_usd) == (("response", cut), None, None)


def test_a_request_in_flight_at_a_kill_is_unanswered_and_one_whose_tool_was_killed_is_not() -> None:
    assert [turn.status for turn in turns_of(told_by("hang"))] == ["completed", "unanswered"]
    assert [turn.status for turn in turns_of(told_by("sleeptool"))] == ["completed", "completed"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_prompt_and_no_tool_text_is_in_a_record(scenario: str) -> None:
    told = repr(told_by(scenario))
    lines = recorded(scenario).read_text().splitlines()
    texts = {text for line in lines for text in texts_in(json.loads(line), TEXTS)}
    assert texts
    assert [text for text in texts if text in told] == []


# Cuts


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_any_cuts_of_a_recording_give_the_same_records(path: Path, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, path.stat().st_size), max_size=6))
    assert united(read_cut(pi, path, cuts)) == united(read_lines(pi, path))


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
            told += read_lines_in_passes(pi, copy, cuts)
    assert totals(told) == totals(read_lines(pi, path))


@pytest.mark.parametrize("path", FILES)
def test_a_pass_after_every_line_gives_the_same_records(path: Path) -> None:
    assert united(read_cut(pi, path, line_ends(path))) == united(read_lines(pi, path))


# Made up


def test_a_forks_copies_are_the_same_turns_and_it_names_its_origin(tmp_path: Path) -> None:
    lines = [asking(1, 0), reply(2, 1), asking(3, 2), failing(4, 3, "529 no"), reply(5, 4)]
    parent = told_in(tmp_path / "parent", header(), *lines)
    origin = "/me/.pi/agent/sessions/--work-shop--/2026-11-30T00-53-20-000Z_s1.jsonl"
    fork = told_in(tmp_path / "fork", header("s2", parentSession=origin), *lines)
    assert fork[0] == Session(session="s2", at_us=1_796_000_000_000_000, project="shop", parent_session="s1")
    copied = [(turn.key, turn.attempt, turn.at_us, turn.retry_number, turn.duration_ms) for turn in turns_of(fork)]
    assert copied == [
        (turn.key, turn.attempt, turn.at_us, turn.retry_number, turn.duration_ms) for turn in turns_of(parent)
    ]


@pytest.mark.parametrize(
    ("api", "counts", "usage_format", "kept"),
    [
        ("anthropic-messages", {"cacheWrite": 7}, "pi", {"cacheWrite": 7}),
        ("openai-completions", {"cacheWrite": 7}, "pi.reads-in-input", {"cacheWrite": 7}),
        ("openai-completions", {}, "pi", {"cacheWrite": 0}),
        ("openai-responses", {}, "pi.writes-in-input", {}),
        ("openai-codex-responses", {}, "pi.writes-in-input", {}),
        ("openai-responses", {"cacheWrite": 7}, "pi", {"cacheWrite": 7}),
        ("google-generative-ai", {}, "pi", {"cacheWrite": 0}),
        (
            "anthropic-messages",
            {"cacheWrite": 7, "cacheWrite1h": 5},
            "pi.writes-by-ttl",
            {"cacheWrite": 7, "cacheWrite1h": 5},
        ),
    ],
)
def test_the_api_says_what_the_classes_are(
    api: str, counts: dict[str, int], usage_format: str, kept: dict[str, int], tmp_path: Path
) -> None:
    total = 120 + counts.get("cacheWrite", 0)
    (turn,) = turns_of(told_in(tmp_path, header(), reply(1, 1, api=api, usage=usage(totalTokens=total, **counts))))
    assert turn.usage_format == usage_format
    assert turn.raw_counts == {"input": 100, "output": 20, "cacheRead": 0, "totalTokens": total} | kept


def test_newer_sessions_tell_the_life_of_cache_writes_and_reasoning(tmp_path: Path) -> None:
    used = usage(cacheWrite=2_647, cacheWrite1h=512, cacheRead=1_000, reasoning=12, totalTokens=3_767)
    assert kinds(told_in(tmp_path, header(), reply(1, 1, usage=used))) == {
        "input_uncached": 100,
        "cache_read": 1_000,
        "cache_write_5m": 2_135,
        "cache_write_1h": 512,
        "output": 20,
        "reasoning": 12,
        "input_total": 3_747,
        "output_total": 20,
    }


def test_an_aborted_reply_is_incomplete_and_what_it_counts_is_a_lower_bound(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {}}
    (turn,) = turns_of(told_in(tmp_path, header(), reply(1, 1, stopReason="aborted", content=[call])))
    assert (turn.status, turn.completeness, turn.incomplete_reason) == (
        "incomplete",
        "lower_bound",
        "the reply broke off",
    )
    assert turn.raw_counts is not None


def test_nothing_but_zeros_is_no_usage(tmp_path: Path) -> None:
    (turn,) = turns_of(told_in(tmp_path, header(), reply(1, 1, usage=usage(input=0, output=0, totalTokens=0))))
    assert (turn.status, turn.raw_counts, turn.cost_usd, turn.incomplete_reason) == (
        "completed",
        None,
        None,
        "no usage",
    )


def test_a_cost_of_zero_is_kept(tmp_path: Path) -> None:
    (turn,) = turns_of(told_in(tmp_path, header(), reply(1, 1, usage=usage(cost={"total": 0}))))
    assert turn.cost_usd == Decimal(0)


def test_a_summary_is_a_request_whose_usage_only_newer_sessions_tell(tmp_path: Path) -> None:
    summary = {"type": "compaction", "id": "0a", "timestamp": at(1), "summary": "what happened", "tokensBefore": 9}
    branch = summary | {"type": "branch_summary", "id": "0b", "usage": usage()}
    by_extension = summary | {"id": "0c", "fromHook": True}
    told = told_in(tmp_path, header(), reply(1, 0), summary, branch, by_extension)
    assert [(turn.key, turn.status, turn.incomplete_reason) for turn in turns_of(told)[1:]] == [
        (("line", "0a", at(1)), "incomplete", "a summary without usage"),
        (("line", "0b", at(1)), "completed", None),
    ]
    assert totals(told) == (2, 200, 40)


def test_what_a_tool_used_is_its_own_and_of_an_unknown_llm(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": "c1", "name": "task", "arguments": {}}
    result = {"role": "toolResult", "toolCallId": "c1", "toolName": "task", "content": [], "usage": usage()}
    told = told_in(tmp_path, header(), asking(1, 0), reply(2, 1, content=[call]), entry(3, 2, result), reply(4, 3))
    sub = turns_of(told)[1]
    assert (sub.session, sub.agent, sub.sub_agent_id, sub.llm_asked) == ("s1", "task", "c1", None)
    assert totals(told) == (3, 300, 60)


def test_a_reply_answers_the_first_input_since_the_last_one_when_all_tools_are_done(tmp_path: Path) -> None:
    calls = [{"type": "toolCall", "id": call, "name": "read", "arguments": {}} for call in ("c1", "c2")]
    results = [
        entry(number, number, {"role": "toolResult", "toolCallId": call, "toolName": "read", "content": []})
        for number, call in ((3, "c1"), (4, "c2"))
    ]
    begun = [header(), asking(1, 0), reply(2, 1, content=calls)]
    assert [turn.status for turn in turns_of(told_in(tmp_path, *begun, results[0]))] == ["completed"]
    open_turn = turns_of(told_in(tmp_path, *begun, *results))[-1]
    assert (open_turn.status, open_turn.key) == ("unanswered", ("asked", "00000003", at(3)))
    answer = turns_of(told_in(tmp_path, *begun, *results, asking(5, 5), reply(6, 6)))[-1]
    assert answer.attempt == open_turn.key


def test_an_open_request_stays_the_same_while_nothing_answers_it(tmp_path: Path) -> None:
    change = {"type": "model_change", "id": "0d", "timestamp": at(1), "provider": "openai", "modelId": "gpt-5.4"}
    path = written(tmp_path / "2026_s1.jsonl", [header(), reply(1, 0), asking(2, 1), change, asking(3, 2)])
    told = read_cut(pi, path, line_ends(path))
    (open_turn,) = {repr(turn): turn for turn in turns_of(told) if turn.status == "unanswered"}.values()
    assert (open_turn.llm_asked, open_turn.provider_asked) == ("claude-haiku-4-5", "anthropic")


def test_the_oldest_sessions_have_no_ids_of_lines_or_responses(tmp_path: Path) -> None:
    line = reply(1, 1, responseId=None)
    del line["id"]
    (turn,) = turns_of(told_in(tmp_path, header(), line))
    assert turn.key == ("at", "s1", turn.offset)


def test_a_session_without_its_header_is_named_by_its_file(tmp_path: Path) -> None:
    assert [turn.session for turn in turns_of(told_in(tmp_path, reply(1, 1)))] == ["s1"]


def test_a_total_that_is_not_the_sum_is_flagged(tmp_path: Path) -> None:
    told = told_in(tmp_path, header(), reply(1, 1, usage=usage(totalTokens=9_999)))
    assert [record.flag for record in told if isinstance(record, Flag)] == ["usage_contradicts_total"]
    assert totals(told) == (1, 100, 20)


MALFORMED = {
    "negative": (reply(1, 1, usage=usage(input=-1)), "Expected `int` >= 0 - at `$.message.usage.input`"),
    "text": (reply(1, 1, usage=usage(output="a secret")), "Expected `int`, got `str` - at `$.message.usage.output`"),
    "missing": (
        reply(1, 1, usage={"input": 1}),
        "Object missing required field `output` - at `$.message.usage`",
    ),
    "cost": (
        reply(1, 1, usage=usage(cost={"total": "NaN"})),
        "Expected `float | null`, got `str` - at `$.message.usage.cost.total`",
    ),
    "huge": (
        reply(1, 1, usage=usage(cost={"total": 1e30})),
        "Expected `float` <= 1000000000000.0 - at `$.message.usage.cost.total`",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_line_is_set_aside_by_its_field_and_the_next_is_read(case: str, tmp_path: Path) -> None:
    line, reason = MALFORMED[case]
    told = told_in(tmp_path, header(), line, reply(2, 2))
    offset = len(json.dumps(header(), separators=(",", ":"))) + 1
    faults = [(record.reason, record.offset) for record in told if isinstance(record, UnreadableRecord)]
    assert faults == [(f"not as expected: {reason}", offset)]
    assert totals(told) == (1, 100, 20)


def test_a_reply_without_usage_is_set_aside(tmp_path: Path) -> None:
    told = told_in(tmp_path, header(), reply(1, 1, usage=None), reply(2, 2))
    assert [record.reason for record in told if isinstance(record, UnreadableRecord)] == ["a reply without `usage`"]
    assert totals(told) == (1, 100, 20)


def test_a_session_is_known_by_its_beginning() -> None:
    assert all(pi.knows(path.read_bytes()[:4096]) and pi.reads(path) for path in FILES)
    assert not pi.knows(b'{"type":"session_meta","payload":{}}')

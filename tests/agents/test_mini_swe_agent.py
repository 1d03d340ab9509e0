"""mini-swe-agent's trajectories against the server's record, what got lost of them, cached and reasoning tokens."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from agent_logs import RECORDINGS, Told, kinds, read_whole, served, served_totals, totals
from united_logs import texts_in, united

from collectors.agents import mini_swe_agent
from collectors.agents.records import Flag, Session, Turn
from models.errors import UnreadableRecord

FILES = sorted((RECORDINGS / "mini-swe-agent").rglob("traj.json"))
SCENARIOS = sorted(folder.name for folder in (RECORDINGS / "mini-swe-agent").iterdir())
TEXTS = frozenset(
    {
        "content",
        "arguments",
        "command",
        "raw_output",
        "exception_str",
        "traceback",
        "system_template",
        "instance_template",
    }
)

Message = dict[str, Any]


def told_by(scenario: str) -> list[Told]:
    return read_whole(mini_swe_agent, RECORDINGS / "mini-swe-agent" / scenario / "home" / "traj.json")


def turns_of(told: list[Told]) -> list[Turn]:
    return [record for record in told if isinstance(record, Turn)]


def open_turns(told: list[Told]) -> list[tuple[str, Any, str | None]]:
    return [(turn.status, turn.key, turn.error_code) for turn in turns_of(told) if turn.status != "completed"]


def answer(number: int, usage: Message | None, **extra: Any) -> Message:
    response = {"id": f"chatcmpl-{number}", "model": "gpt-5.4", "choices": [{"finish_reason": "stop"}], "usage": usage}
    said = {"response": response, "cost": 0.25, "timestamp": 1_796_000_000.5 + number}
    return {"role": "assistant", "content": "an answer", "extra": said | extra}


def used(**counts: Any) -> Message:
    return {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120} | counts


def told_in(folder: Path, *messages: Message, exit_status: str = "Submitted", calls: int | None = None) -> list[Told]:
    """What a trajectory of these messages tells; each of them counts as a call, unless `calls` says otherwise."""
    stats = {"instance_cost": 0.5, "api_calls": len(messages) if calls is None else calls}
    config = {"model": {"model_name": "openai/gpt-5.4"}, "environment": {"cwd": "/repos/shop"}}
    info = {"model_stats": stats, "config": config, "mini_version": "2.4.6", "exit_status": exit_status}
    whole = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    path = folder / "one.traj.json"
    path.write_text(json.dumps(whole, indent=2), encoding="utf-8")
    return read_whole(mini_swe_agent, path)


# Recordings


@pytest.mark.parametrize("scenario", [scenario for scenario in SCENARIOS if scenario != "nocost"])
def test_a_recording_has_the_requests_and_tokens_that_were_served(scenario: str) -> None:
    told = told_by(scenario)
    assert totals(told) == served_totals(RECORDINGS / "mini-swe-agent" / scenario)
    assert not any(isinstance(record, Flag | UnreadableRecord) for record in told)


def test_every_class_is_known_but_for_the_life_of_writes() -> None:
    sent = [line["usage"] for line in served(RECORDINGS / "mini-swe-agent" / "happy")]
    assert kinds(told_by("happy")) == {
        "input_uncached": sum(each["input"] for each in sent),
        "cache_read": sum(each["cache_read"] for each in sent),
        "cache_write_other": sum(each["cache_write_5m"] + each["cache_write_1h"] for each in sent),
        "output": 2_318,
        "reasoning": 262,
        "input_total": 122_898,
        "output_total": 2_318,
    }


def test_a_turn_says_all_that_its_message_says() -> None:
    session = "chatcmpl-fake00438"
    assert turns_of(told_by("alias"))[1] == Turn(
        session=session,
        key=("response", "chatcmpl-fake00439"),
        at_us=1_796_071_959_695_910,
        offset=5,
        session_id=session,
        llm_asked="openai/fake-coder-1",
        llm_answered="fake-coder-1-as-served",
        duration_ms=110.62,
        stop_reason="tool_calls",
        tool_call_ids=("call_fake00439s1x0",),
        tool_names=("bash",),
        message_id="chatcmpl-fake00439",
        response_id="chatcmpl-fake00439",
        attempt=("asked", session, 1),
        harness_version="2.4.6",
        usage_format="openai.chat",
        raw_counts={
            "prompt_tokens": 55_828,
            "cached_tokens": 53_900,
            "cache_write_tokens": 489,
            "completion_tokens": 739,
            "reasoning_tokens": 65,
            "total_tokens": 56_567,
        },
        cost_usd=Decimal("0.008918249999999999"),
    )


def test_a_paid_request_that_an_error_lost_is_unanswered() -> None:
    ((status, _, code),) = open_turns(told_by("nocost"))
    assert (status, code) == ("unanswered", "RuntimeError")
    assert totals(told_by("nocost"))[0] == 0


def test_a_refused_request_is_failed() -> None:
    ((status, _, code),) = open_turns(told_by("nosuch"))
    assert (status, code) == ("failed", "NotFoundError")


def test_a_trajectory_that_just_stops_may_have_one_request_in_flight() -> None:
    session = "chatcmpl-fake00450"
    assert open_turns(told_by("sleeptool")) == [("unanswered", ("asked", session, 1), None)]


def test_retries_leave_no_trace() -> None:
    assert open_turns(told_by("e429")) == []


@pytest.mark.parametrize("path", FILES)
def test_no_prompt_and_no_tool_text_is_in_a_record(path: Path) -> None:
    told = repr(read_whole(mini_swe_agent, path))
    texts = set(texts_in(json.loads(path.read_bytes()), TEXTS))
    assert texts
    assert [text for text in texts if text in told] == []


# Conventions


def test_c22_reasoning_inside_the_completion_is_not_added(tmp_path: Path) -> None:
    details = {"reasoning_tokens": 1_400}
    usage = used(prompt_tokens=14_000, completion_tokens=2_000, completion_tokens_details=details, total_tokens=16_000)
    told = told_in(tmp_path, answer(1, usage))
    assert [turn.usage_format for turn in turns_of(told)] == ["openai.chat"]
    assert kinds(told) == {
        "input_uncached": 14_000,
        "cache_read": 0,
        "cache_write_other": 0,
        "output": 2_000,
        "reasoning": 1_400,
        "input_total": 14_000,
        "output_total": 2_000,
    }


def test_c22_made_up_reasoning_beside_the_completion_is_added(tmp_path: Path) -> None:
    details = {"reasoning_tokens": 340}
    usage = used(prompt_tokens=900, completion_tokens=60, completion_tokens_details=details, total_tokens=1_300)
    told = told_in(tmp_path, answer(1, usage))
    assert [turn.usage_format for turn in turns_of(told)] == ["openai.chat.reasoning-beside"]
    assert (kinds(told)["reasoning"], totals(told)) == (340, (1, 900, 400))


def test_a_total_that_is_neither_sum_is_flagged(tmp_path: Path) -> None:
    told = told_in(tmp_path, answer(1, used(completion_tokens_details={"reasoning_tokens": 5}, total_tokens=9_999)))
    assert [record.flag for record in told if isinstance(record, Flag)] == ["usage_contradicts_total"]
    assert totals(told) == (1, 100, 20)


C03 = {
    "openai": (
        used(
            prompt_tokens=92_010,
            prompt_tokens_details={"cached_tokens": 90_000},
            completion_tokens=500,
            total_tokens=92_510,
        ),
        (2_010, 90_000, 0, 500),
    ),
    "kimi": (used(prompt_tokens=1_000, cached_tokens=600, completion_tokens=50, total_tokens=1_050), (400, 600, 0, 50)),
    "made up: anthropic through litellm": (
        used(prompt_tokens=7_000, cache_read_input_tokens=5_000, cache_creation_input_tokens=1_500, total_tokens=7_020),
        (500, 5_000, 1_500, 20),
    ),
    "made up: kimi says it in both places": (
        used(prompt_tokens=800, cached_tokens=300, prompt_tokens_details={"cached_tokens": 300}, total_tokens=820),
        (500, 300, 0, 20),
    ),
}


@pytest.mark.parametrize("case", C03)
def test_c03_cached_input_is_inside_the_prompt(case: str, tmp_path: Path) -> None:
    usage, (uncached, read, written, output) = C03[case]
    told = told_in(tmp_path, answer(1, usage))
    assert kinds(told) == {
        "input_uncached": uncached,
        "cache_read": read,
        "cache_write_other": written,
        "output": output,
        "reasoning": None,
        "input_total": uncached + read + written,
        "output_total": output,
    }


# Made up


def test_a_session_is_named_by_its_first_response_and_has_a_folder_and_a_version(tmp_path: Path) -> None:
    told = told_in(tmp_path, {"role": "user", "content": "a task"}, answer(1, used()), answer(2, used()), calls=2)
    assert told[0] == Session(session="chatcmpl-1", at_us=1_796_000_001_500_000, project="shop")
    assert [(turn.session, turn.offset, turn.duration_ms) for turn in turns_of(told)] == [
        ("chatcmpl-1", 1, None),
        ("chatcmpl-1", 2, 1_000.0),
    ]


def test_a_trajectory_that_grew_has_no_request_open_that_was_answered(tmp_path: Path) -> None:
    before = told_in(tmp_path, answer(1, used()), exit_status="")
    after = told_in(tmp_path, answer(1, used()), answer(2, used()))
    refused = told_in(tmp_path, answer(1, used()), exit_status="RateLimitError", calls=2)
    assert open_turns(before) == [("unanswered", ("asked", "chatcmpl-1", 1), None)]
    assert united([*before, *after]) == united(after)
    assert united([*before, *refused]) == united(refused)


@pytest.mark.parametrize(
    ("exit_status", "expected"), [("Submitted", 2), ("LimitsExceeded", 2), ("", 3), ("Timeout", 2)]
)
def test_calls_without_a_response_are_unanswered(exit_status: str, expected: int, tmp_path: Path) -> None:
    told = told_in(tmp_path, answer(1, used()), exit_status=exit_status, calls=3)
    assert [turn.status for turn in turns_of(told)] == ["completed", *["unanswered"] * expected]
    assert len({turn.key for turn in turns_of(told)}) == expected + 1


def test_a_cost_of_zero_is_kept_and_none_is_none(tmp_path: Path) -> None:
    told = told_in(tmp_path, answer(1, used(), cost=0.0), answer(2, used(), cost=None))
    assert [turn.cost_usd for turn in turns_of(told)] == [Decimal(0), None]


def test_a_reply_that_was_no_tool_call_was_paid_for_too(tmp_path: Path) -> None:
    assert totals(told_in(tmp_path, answer(1, used()) | {"role": "user"})) == (1, 100, 20)


def test_a_response_without_usage_is_not_zero(tmp_path: Path) -> None:
    (turn,) = turns_of(told_in(tmp_path, answer(1, None)))
    assert (turn.status, turn.raw_counts, turn.incomplete_reason) == ("completed", None, "no usage")


def test_a_response_without_an_id_is_known_by_its_place(tmp_path: Path) -> None:
    message = answer(2, used())
    message["extra"]["response"]["id"] = None
    assert turns_of(told_in(tmp_path, answer(1, used()), message))[1].key == ("message", "chatcmpl-1", 1)


MALFORMED = {
    "negative": (answer(1, used(prompt_tokens=-1)), "Expected `int` >= 0 - at `$.extra.response.usage.prompt_tokens`"),
    "text": (
        answer(1, used(completion_tokens="a secret")),
        "Expected `int`, got `str` - at `$.extra.response.usage.completion_tokens`",
    ),
    "missing": (
        answer(1, {"prompt_tokens": 1}),
        "Object missing required field `completion_tokens` - at `$.extra.response.usage`",
    ),
    "printed": (
        answer(1, None, response="ModelResponse(a secret)"),
        "Expected `object | null`, got `str` - at `$.extra.response`",
    ),
    "cost": (answer(1, used(), cost="NaN"), "Expected `float | null`, got `str` - at `$.extra.cost`"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_message_is_set_aside_by_its_field_and_the_next_is_read(case: str, tmp_path: Path) -> None:
    message, reason = MALFORMED[case]
    told = told_in(tmp_path, {"role": "user"}, message, answer(2, used()), calls=2)
    faults = [(record.reason, record.offset) for record in told if isinstance(record, UnreadableRecord)]
    assert faults == [(f"message not as expected: {reason}", 1)]
    assert totals(told) == (1, 100, 20)
    assert open_turns(told) == []


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"messages": [], "info"', '{"messages": []}', '{"messages": [], "trajectory_format": "a secret"}'],
)
def test_what_is_no_trajectory_is_set_aside(text: str, tmp_path: Path) -> None:
    path = tmp_path / "traj.json"
    path.write_text(text)
    with pytest.raises(UnreadableRecord, match=r"no trajectory: (?!.*secret)"):
        read_whole(mini_swe_agent, path)


def test_a_trajectory_is_known_by_its_name_and_its_beginning() -> None:
    assert all(mini_swe_agent.knows(path.read_bytes()[:4096]) and mini_swe_agent.reads(path) for path in FILES)
    assert mini_swe_agent.reads(Path("/me/.config/mini-swe-agent/last_mini_run.traj.json"))
    assert not mini_swe_agent.reads(Path("/me/.config/mini-swe-agent/registry.json"))
    assert not mini_swe_agent.knows(b'{"models": []}')
    assert mini_swe_agent.companions(FILES[0]) == ()

"""Kimi Code's wire files against the server's record, cut anywhere, forked, refused, cancelled, and malformed."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from agent_logs import RECORDINGS, Told, kinds, read_lines, read_lines_in_passes, served_totals, totals, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.agents import kimi_code
from collectors.agents.records import Record, Session, Turn
from models.errors import UnreadableRecord

SCENARIOS = sorted(folder.name for folder in (RECORDINGS / "kimi-code").iterdir())
FILES = [path for scenario in SCENARIOS for path in sorted((RECORDINGS / "kimi-code" / scenario).rglob("wire.jsonl"))]

Line = dict[str, Any]

NOTHING: Line = {"inputOther": 0, "output": 0, "inputCacheRead": 0, "inputCacheCreation": 0}


def told_by(scenario: str) -> list[Told]:
    folder = RECORDINGS / "kimi-code" / scenario
    return [record for path in sorted(folder.rglob("wire.jsonl")) for record in read_lines(kimi_code, path)]


def written(folder: Path, lines: Iterable[Line], session: str = "session_1", agent: str = "main") -> Path:
    path = folder / "sessions" / "wd_repo_1" / session / "agents" / agent / "wire.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def opening(agent: str = "main") -> list[Line]:
    return [
        {"type": "metadata", "protocol_version": "1.5", "created_at": 1_000},
        {"type": "profile.bind", "agentId": agent, "profileName": "coder",
         "environmentDisclosure": {"cwd": "/workspace/repo"}, "time": 1_001},
    ]  # fmt: skip


def request(time: int, step: str = "0.1", provider: str = "openai", kind: str = "loop") -> Line:
    return {
        "type": "llm.request", "agentId": "main", "kind": kind, "provider": provider, "model": "kimi-k3",
        "turnStep": step, "time": time,
    }  # fmt: skip


def usage(time: int, counts: Line = NOTHING, scope: str = "turn", **more: Any) -> Line:
    line = {"type": "usage.record", "agentId": "main", "model": "__kimi_env_model__", "usageScope": scope}
    return line | {"usage": NOTHING | counts, "time": time} | more


def loop(**event: Any) -> Line:
    return {"type": "context.append_loop_event", "agentId": "main", "event": event, "time": 1}


def retrying(time: int, attempt: int = 1, **more: Any) -> Line:
    line = {"type": "turn.step.retrying", "agentId": "main", "step": 1, "failedAttempt": attempt, "time": time}
    return line | {"errorName": "APIStatusError", "errorMessage": "500 some text"} | more


def ended(time: int, reason: str = "completed", **more: Any) -> Line:
    return {"type": "turn.ended", "agentId": "main", "turnId": 0, "reason": reason, "time": time, **more}


def statuses(told: Iterable[Told]) -> list[tuple[str, str | None, int | None]]:
    return [(turn.status, turn.error_code, turn.retry_number) for turn in told if isinstance(turn, Turn)]


def reasons(told: Iterable[Told]) -> list[str]:
    return [record.reason for record in told if isinstance(record, UnreadableRecord)]


def united(told: Iterable[Told]) -> list[Record]:
    """Records as the warehouse unites them: one per key, a value beats none, and an answered request is not open."""
    found: dict[object, Record] = {}
    for record in told:
        assert not isinstance(record, UnreadableRecord)
        key = record.key if isinstance(record, Turn) else msgspec.json.encode(record)
        found[key] = merged(found[key], record) if key in found else record
    answered = {record.attempt for record in found.values() if isinstance(record, Turn)}
    return sorted((record for key, record in found.items() if key not in answered), key=repr)


def merged(one: Record, other: Record) -> Record:
    values = {name: getattr(other, name) for name in one.__struct_fields__}
    for name, value in values.items():
        known = getattr(one, name)
        assert known == value or not known or not value, name
    return msgspec.structs.replace(one, **{name: value for name, value in values.items() if value})


# Recordings


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recording_has_the_requests_and_tokens_that_were_served(scenario: str) -> None:
    told = told_by(scenario)
    assert totals(told) == served_totals(RECORDINGS / "kimi-code" / scenario)
    assert reasons(told) == []


def test_cache_writes_are_unknown_over_openais_api() -> None:
    assert kinds(told_by("happy")) == {
        "input_uncached": None,
        "cache_read": 91_200,
        "cache_write_other": None,
        "output": 2_014,
        "input_total": 99_490,
        "output_total": 2_014,
    }


def test_a_turn_says_all_that_its_lines_say() -> None:
    told = told_by("happy")
    assert told[0] == Session(
        session="session_5ef84785-bf66-4cb1-8a36-bf52859365a8", at_us=1796070884946000, project="repo"
    )
    assert told[1] == Turn(
        session="session_5ef84785-bf66-4cb1-8a36-bf52859365a8",
        key=("usage", "main", 1796070885133, 3916, 502, 0, 0),
        at_us=1796070885133000,
        offset=offset_of(b'"inputOther":3916', "happy"),
        session_id="session_5ef84785-bf66-4cb1-8a36-bf52859365a8",
        llm_asked="fake-coder-1",
        provider_asked="openai",
        retry_number=0,
        ttft_ms=68.0,
        duration_ms=76.0,
        stop_reason="tool_use",
        tool_call_ids=("call_fake00202s0x0", "call_fake00202s0x1"),
        tool_names=("Read", "Read"),
        message_id="chatcmpl-fake00202",
        response_id="chatcmpl-fake00202",
        attempt=("begun", "main", 1796070885056, "loop", "0.1"),
        usage_format="kimi_code.writes-in-input",
        raw_counts={"inputOther": 3916, "output": 502, "inputCacheRead": 0},
    )


def offset_of(text: bytes, scenario: str) -> int:
    (path,) = (RECORDINGS / "kimi-code" / scenario).rglob("wire.jsonl")
    raw = path.read_bytes()
    return raw.rindex(b"\n", 0, raw.index(text)) + 1


def test_retries_are_failed_turns_and_counted() -> None:
    assert statuses(told_by("e429")) == [
        ("completed", None, 0),
        ("failed", "429", 0),
        ("failed", "429", 1),
        ("completed", None, 2),
        ("completed", None, 0),
        ("completed", None, 0),
    ]


def test_a_cut_stream_is_a_failed_turn_with_the_agents_own_code() -> None:
    assert ("failed", "APIConnectionError", 0) in statuses(told_by("trunc"))


def test_a_dead_server_is_seven_failed_turns_and_none_in_flight() -> None:
    assert statuses(told_by("e500always")) == [
        ("completed", None, 0),
        *(("failed", "500", number) for number in range(7)),
    ]


def test_an_unknown_model_is_a_failed_turn_with_the_servers_request_id() -> None:
    (turn,) = (record for record in told_by("nosuch") if isinstance(record, Turn))
    assert (turn.status, turn.error_code, turn.request_id) == ("failed", "404", "req_fake00237")


def test_a_request_in_flight_at_a_kill_is_unanswered() -> None:
    assert statuses(told_by("hang")) == [("completed", None, 0), ("unanswered", None, 0)]


def test_a_reply_whose_tools_were_killed_is_complete() -> None:
    assert statuses(told_by("sleeptool")) == [("completed", None, 0), ("completed", None, 0)]


def test_a_fork_is_named_with_its_origin_and_its_turns_are_the_origins() -> None:
    told = told_by("resume")
    sessions = [(record.session, record.parent_session) for record in told if isinstance(record, Session)]
    origin, fork = "session_5913a611-2f20-43f0-ae7f-242ba4b86ce8", "session_7cb41e6d-980d-40d1-94e1-0ff07a663471"
    assert sessions == [(origin, None), (fork, origin)]
    assert sorted(statuses(told)) == [("completed", None, 0)] * 16
    assert len({turn.key for turn in turns(told)}) == 8


def test_a_sub_agents_turns_are_its_parents_and_kept_apart() -> None:
    told = told_by("subagent")
    session = "session_cac362bd-c1af-4d89-902c-f777136e4fea"
    assert {(turn.session, turn.sub_agent_id, turn.agent) for turn in turns(told)} == {
        (session, None, None),
        (session, "agent-0", "coder"),
    }
    assert [record.session for record in told if isinstance(record, Session)] == [session]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_prompt_and_no_tool_text_is_in_a_record(scenario: str) -> None:
    told = repr(told_by(scenario))
    paths = sorted((RECORDINGS / "kimi-code" / scenario).rglob("wire.jsonl"))
    texts = {text for path in paths for line in path.read_text().splitlines() for text in texts_in(json.loads(line))}
    assert texts
    assert [text for text in texts if text in told] == []


TEXTS = {"text", "think", "output", "content", "command", "prompt", "arguments", "errorMessage", "message", "note"}


def texts_in(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_in(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, name)
    elif name in TEXTS and isinstance(value, str) and len(value) > 2:
        yield value


# Cuts


def read_cut(path: Path, cuts: Sequence[int]) -> list[Told]:
    """A recording's file, copied with what is beside it, in passes that end at these bytes."""
    session = path.parents[2]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / session.name
        shutil.copytree(session, copy)
        return read_lines_in_passes(kimi_code, copy / path.relative_to(session), cuts)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_any_cuts_of_a_recording_give_the_same_records(path: Path, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, path.stat().st_size), max_size=6))
    assert united(read_cut(path, cuts)) == united(read_lines(kimi_code, path))


@pytest.mark.parametrize("scenario", ["e429", "hang", "sleeptool", "nosuch", "subagent"])
def test_a_pass_after_every_line_gives_the_same_records(scenario: str) -> None:
    for path in sorted((RECORDINGS / "kimi-code" / scenario).rglob("wire.jsonl")):
        raw = path.read_bytes()
        ends = [at + 1 for at, byte in enumerate(raw) if byte == ord("\n")]
        assert united(read_cut(path, ends)) == united(read_lines(kimi_code, path))


def test_every_prefix_of_a_recording_counts_only_what_is_in_it() -> None:
    (path,) = (RECORDINGS / "kimi-code" / "hang").rglob("wire.jsonl")
    raw = path.read_bytes()
    usage_ends = raw.index(b"\n", raw.index(b'"usage.record"')) + 1
    for size, requests in [(usage_ends - 20, 0), (usage_ends, 1), (len(raw), 1)]:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "session_1" / "agents" / "main" / "wire.jsonl"
            copy.parent.mkdir(parents=True)
            copy.write_bytes(raw[:size])
            assert totals(read_lines(kimi_code, copy))[0] == requests


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(SCENARIOS), st.data())
def test_lines_that_are_written_twice_change_no_total(scenario: str, data: st.DataObject) -> None:
    folder = RECORDINGS / "kimi-code" / scenario
    path = data.draw(st.sampled_from(sorted(folder.rglob("wire.jsonl"))))
    lines = path.read_bytes().splitlines(keepends=True)
    times = data.draw(st.lists(st.integers(1, 2), min_size=len(lines), max_size=len(lines)))
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / path.parents[2].name / "agents" / path.parent.name / path.name
        copy.parent.mkdir(parents=True)
        copy.write_bytes(b"".join(line * number for line, number in zip(lines, times, strict=True)))
        assert totals(read_lines(kimi_code, copy)) == totals(read_lines(kimi_code, path))


def test_a_process_that_was_killed_between_reply_and_tools_keeps_the_reply(tmp_path: Path) -> None:
    lines = [
        *opening(),
        request(1_010),
        usage(1_020, {"inputOther": 7, "output": 3}),
        loop(type="tool.call", toolCallId="call_1", name="Bash"),
        request(2_010, "1.1"),
        usage(2_020, {"inputOther": 9, "output": 4}),
    ]
    told = read_lines(kimi_code, written(tmp_path, lines))
    assert [(turn.raw_counts or {}).get("output") for turn in turns(told)] == [3, 4]
    assert [turn.tool_call_ids for turn in turns(told)] == [("call_1",), ()]


# What counts mean


@pytest.mark.parametrize(
    ("provider", "written_tokens", "uncached"), [("anthropic", 0, 100), ("anthropic", 40, 100), ("vertexai", 40, 100)]
)
def test_cache_writes_are_known_over_anthropics_api_or_where_there_are_any(
    provider: str, written_tokens: int, uncached: int, tmp_path: Path
) -> None:
    counts = {"inputOther": 100, "output": 5, "inputCacheRead": 900, "inputCacheCreation": written_tokens}
    told = read_lines(
        kimi_code, written(tmp_path, [*opening(), request(2_000, provider=provider), usage(2_001, counts)])
    )
    assert kinds(told) == {
        "input_uncached": uncached,
        "cache_read": 900,
        "cache_write_other": written_tokens,
        "output": 5,
        "input_total": 1_000 + written_tokens,
        "output_total": 5,
    }


def test_a_usage_that_no_request_precedes_has_its_alias_for_a_name(tmp_path: Path) -> None:
    record = usage(2_001, {"inputOther": 1, "output": 1}, model="kimi-for-coding")
    hidden = usage(2_002, {"inputOther": 1, "output": 1})
    told = read_lines(kimi_code, written(tmp_path, [*opening(), record, hidden]))
    assert [turn.llm_asked for turn in turns(told)] == ["kimi-for-coding", None]


def test_a_reply_without_usage_is_complete_and_not_zero(tmp_path: Path) -> None:
    told = read_lines(kimi_code, written(tmp_path, [*opening(), request(2_000), usage(2_001)]))
    (turn,) = (record for record in told if isinstance(record, Turn))
    assert (turn.status, turn.raw_counts, turn.key) == ("completed", None, ("reply", "main", 2_000, "loop", "0.1"))


def test_what_was_used_until_a_cancellation_is_a_lower_bound(tmp_path: Path) -> None:
    cancel = {"type": "turn.cancel", "agentId": "main", "target": "active", "time": 2_001}
    lines = [*opening(), request(2_000), cancel, usage(2_002, {"inputOther": 50}), ended(2_003, "cancelled")]
    (turn,) = turns(read_lines(kimi_code, written(tmp_path, lines)))
    assert (turn.status, turn.completeness, turn.raw_counts) == (
        "incomplete",
        "lower_bound",
        {"inputOther": 50, "output": 0, "inputCacheRead": 0},
    )


def test_a_compaction_beside_a_step_is_a_request_of_its_own(tmp_path: Path) -> None:
    lines = [
        *opening(),
        request(2_000),
        request(2_001, "", kind="compaction"),
        usage(2_002, {"inputOther": 1, "output": 1}),
        usage(2_003, {"inputOther": 20, "output": 2}, scope="session"),
        loop(type="step.end", finishReason="end_turn", messageId="chatcmpl-1"),
        ended(2_004),
    ]
    told = read_lines(kimi_code, written(tmp_path, lines))
    assert statuses(told) == [("completed", None, 0)] * 2
    assert {(turn.response_id, turn.attempt and turn.attempt[3]) for turn in turns(told)} == {
        ("chatcmpl-1", "loop"),
        (None, "compaction"),
    }


def test_a_compaction_that_is_asked_again_leaves_the_first_request_unanswered(tmp_path: Path) -> None:
    first, second = (request(time, "", kind="compaction") for time in (2_000, 2_500))
    told = read_lines(kimi_code, written(tmp_path, [*opening(), first, second, usage(2_600, {"output": 9}, "session")]))
    assert statuses(told) == [("unanswered", None, 0), ("completed", None, 0)]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": "provider.api_error", "name": "APIStatusError", "details": {"statusCode": 529}}, "529"),
        ({"code": "provider.api_error", "name": "APIConnectionError"}, "APIConnectionError"),
        ({"code": "provider.api_error"}, "provider.api_error"),
    ],
)
def test_a_prompt_that_failed_gives_its_open_request_the_code(error: Line, code: str, tmp_path: Path) -> None:
    lines = [*opening(), request(2_000), retrying(2_001), request(2_010, "0.2"), ended(2_011, "failed", error=error)]
    assert statuses(read_lines(kimi_code, written(tmp_path, lines))) == [
        ("failed", "APIStatusError", 0),
        ("failed", code, 1),
    ]


def test_a_prompt_that_failed_without_an_open_request_is_no_turn(tmp_path: Path) -> None:
    lines = [*opening(), ended(2_000, "failed", error={"code": "loop.max_steps"})]
    assert statuses(read_lines(kimi_code, written(tmp_path, lines))) == []


# Sessions


def test_a_session_without_a_profile_begins_with_its_first_request(tmp_path: Path) -> None:
    path = written(tmp_path, [{"type": "turn.prompt", "time": 1_500}, request(2_000)])
    (path.parents[2] / "state.json").write_text('{"cwd": "C:\\\\work\\\\repo"}')
    assert read_lines(kimi_code, path)[0] == Session(session="session_1", at_us=1_500_000, project="repo")


def test_a_damaged_state_file_costs_only_the_origin(tmp_path: Path) -> None:
    path = written(tmp_path, opening())
    (path.parents[2] / "state.json").write_text("{")
    assert read_lines(kimi_code, path) == [Session(session="session_1", at_us=1_000_000, project="repo")]


# What is malformed

MALFORMED: dict[str, tuple[Line, str]] = {
    "negative": (usage(2_001, {"output": -1}), "Expected `int` >= 0 - at `$.usage.output`"),
    "text": (usage(2_001, {"inputOther": "a secret"}), "Expected `int`, got `str` - at `$.usage.inputOther`"),
    "nothing": (usage(2_001, {"output": None}), "Expected `int`, got `null` - at `$.usage.output`"),
    "fraction": (usage(2_001, {"output": 0.5}), "Expected `int`, got `float` - at `$.usage.output`"),
    "huge": (usage(2_001, {"output": 2**63}), f"Expected `int` <= {2**63 - 1} - at `$.usage.output`"),
    "year 10000": (usage(253_402_300_800_000), "Expected `int` <= 253402300799999 - at `$.time`"),
    "no usage": ({"type": "usage.record", "time": 2_001}, "Object missing required field `usage`"),
    "no time": ({"type": "usage.record", "usage": NOTHING}, "Object missing required field `time`"),
    "status": (retrying(2_001, statusCode="a secret"), "Expected `int | null`, got `str` - at `$.statusCode`"),
    "event": (
        {"type": "context.append_loop_event", "event": "step.end"},
        "Expected `object`, got `str` - at `$.event`",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_line_is_set_aside_by_its_field_and_the_next_is_read(case: str, tmp_path: Path) -> None:
    line, reason = MALFORMED[case]
    path = written(tmp_path, [*opening(), line, usage(3_000, {"inputOther": 7, "output": 3})])
    told = read_lines(kimi_code, path)
    assert reasons(told) == [f"not as expected: {reason}"]
    assert [record.offset for record in told if isinstance(record, UnreadableRecord)] == [
        sum(map(len, path.read_bytes().splitlines(keepends=True)[:2]))
    ]
    assert totals(told) == (1, 7, 3)


def test_lines_of_unknown_types_tell_nothing(tmp_path: Path) -> None:
    lines = [*opening(), {"type": "hologram.shown", "usage": "usage.record", "event": 5}, {"no": "type"}]
    assert read_lines(kimi_code, written(tmp_path, lines))[1:] == []


# Where it is


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        (".kimi-code/sessions/wd_repo_1/session_1/agents/main/wire.jsonl", True),
        (".kimi-code/sessions/wd_repo_1/session_1/agents/agent-0/wire.jsonl", True),
        (".kimi-code/sessions/wd_repo_1/session_1/state.json", False),
        (".kimi-code/session_index.jsonl", False),
        (".kimi/sessions/0a1b2c/session-id/wire.jsonl", False),
    ],
)
def test_which_files_are_read(path: str, is_read: bool) -> None:
    assert kimi_code.reads(Path("/home/me") / path) is is_read


def test_a_wire_file_is_known_by_its_beginning() -> None:
    assert all(kimi_code.knows(path.read_bytes()[:4096]) for path in FILES)
    assert not kimi_code.knows(b'{"type": "metadata", "protocol_version": "1.2"}\n{"timestamp": 1.5, "message": {}}')

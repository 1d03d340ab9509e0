"""opencode's two stores against the server's record, forks, sub-agents, a database in use, and what is malformed."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from agent_logs import RECORDINGS, Told, kinds, read_whole, served_totals, totals, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.agents import opencode
from collectors.agents.opencode import database
from collectors.agents.records import Flag, Session, Turn
from models.errors import UnreadableRecord

SCENARIOS = sorted(folder.name for folder in (RECORDINGS / "opencode").iterdir())

SCHEMA = """
create table session (id text primary key, parent_id text, directory text not null, version text not null,
    time_created integer not null);
create table message (id text primary key, session_id text not null, data text not null);
create table part (id text primary key, message_id text not null, data text not null);
"""

Row = Mapping[str, Any]


def recorded(scenario: str, folder: Path) -> Path:
    """A recording's database, built from its dump."""
    (dump,) = (RECORDINGS / "opencode" / scenario).rglob("opencode.db.sql")
    return built(folder / "opencode.db", dump.read_text(encoding="utf-8"))


def built(path: Path, sql: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)
    return path


def told_by(scenario: str, folder: Path) -> list[Told]:
    return read_whole(opencode, recorded(scenario, folder))


def reply(created: int | None = 1_796_000_000_000, **changes: Any) -> dict[str, Any]:
    """An assistant's message with 1,000 tokens in and 100 out."""
    time = {"created": created, "completed": created + 900} if created else {}
    tokens = {"input": 1_000, "output": 100, "reasoning": 0, "cache": {"read": 0, "write": 0}, "total": 1_100}
    message = {"role": "assistant", "modelID": "claude-haiku-4-5", "providerID": "anthropic", "finish": "stop"}
    return message | {"time": time, "tokens": tokens} | changes


def session_row(connection: sqlite3.Connection, session: str, parent: str | None = None, created: int = 1) -> None:
    connection.execute("insert into session values (?, ?, '/workspace/repo', '1.18.33', ?)", [session, parent, created])


def message_row(connection: sqlite3.Connection, message: str, data: Row | str, session: str = "ses1") -> None:
    text = data if isinstance(data, str) else json.dumps(data)
    connection.execute("insert into message values (?, ?, ?)", [message, session, text])


def database_of(folder: Path, messages: Mapping[str, Row | str], session: str = "ses1") -> Path:
    path = built(folder / "opencode.db", SCHEMA)
    with closing(sqlite3.connect(path)) as connection, connection:
        session_row(connection, session)
        for message, data in messages.items():
            message_row(connection, message, data, session)
    return path


def json_file(folder: Path, message: str, data: Row, session: str = "ses1") -> Path:
    path = folder / "storage" / "message" / session / f"{message}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"id": message, "sessionID": session, **data}))
    return path


def session_file(folder: Path, session: str, **info: Any) -> Path:
    path = folder / "storage" / "session" / "project1" / f"{session}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"id": session, "version": "1.0.0", "directory": "/workspace/repo", **info}))
    return path


def only_turn(told: list[Told]) -> Turn:
    (turn,) = (record for record in told if isinstance(record, Turn))
    return turn


def reasons(told: list[Told]) -> list[str]:
    return [record.reason for record in told if isinstance(record, UnreadableRecord)]


# Recordings


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recording_has_the_requests_and_tokens_that_were_served(scenario: str, tmp_path: Path) -> None:
    told = told_by(scenario, tmp_path)
    assert totals(told) == served_totals(RECORDINGS / "opencode" / scenario)
    assert reasons(told) == []


def test_cache_writes_are_known_over_anthropics_api(tmp_path: Path) -> None:
    assert kinds(told_by("anth", tmp_path)) == {
        "input_uncached": 5_078,
        "cache_read": 111_000,
        "cache_write_other": 3_740,
        "output": 2_278,
        "reasoning": 262,
        "input_total": 119_818,
        "output_total": 2_278,
    }


def test_cache_writes_are_unknown_where_they_vanish_into_input(tmp_path: Path) -> None:
    assert kinds(told_by("happy", tmp_path)) == {
        "input_uncached": None,
        "cache_read": 90_000,
        "cache_write_other": None,
        "output": 1_998,
        "reasoning": 262,
        "input_total": 98_258,
        "output_total": 1_998,
    }


def test_a_turn_says_all_that_its_row_says(tmp_path: Path) -> None:
    assert turns(told_by("anth", tmp_path))[0] == Turn(
        session="ses_dd1d351c2ffeyMF4nStPxhoUFq",
        key=("reply", 1796071013802, "fake", "fake-coder-1", 1268, 0, 2780, 504, 64),
        at_us=1796071013802000,
        offset=1796071013802,
        session_id="ses_dd1d351c2ffeyMF4nStPxhoUFq",
        llm_asked="fake-coder-1",
        provider_asked="fake",
        stop_reason="tool-calls",
        tool_call_ids=("toolu_fake00268s0x0", "toolu_fake00268s0x1"),
        tool_names=("read", "read"),
        attempt=("begun", 1796071013802, "fake", "fake-coder-1"),
        harness_version="1.18.33",
        usage_format="opencode",
        raw_counts={
            "input": 1268, "cache_read": 0, "cache_write": 2780, "output": 504, "reasoning": 64, "total": 4616,
        },
        cost_usd=Decimal("0.005879"),
    )  # fmt: skip


def test_a_session_begins_when_its_row_says(tmp_path: Path) -> None:
    session = Session(session="ses_dd1d351c2ffeyMF4nStPxhoUFq", at_us=1796071009853000, project="repo")
    assert told_by("anth", tmp_path)[0] == session


def test_a_sub_agents_turns_are_its_parents_and_kept_apart(tmp_path: Path) -> None:
    told = told_by("subagent", tmp_path)
    sub = [turn for turn in turns(told) if turn.sub_agent_id]
    assert {turn.session for turn in turns(told)} == {"ses_dd1d42eebffeGMEWZK0Rytr3vF"}
    assert [(turn.session_id, turn.agent) for turn in sub] == [("ses_dd1d41c86ffeWLnhA29KL2fN8U", "general")] * 2
    assert len([record for record in told if isinstance(record, Session)]) == 1


@pytest.mark.parametrize("scenario", ["hang", "e500always"])
def test_a_request_in_flight_at_a_kill_is_unanswered(scenario: str, tmp_path: Path) -> None:
    open_turns = [turn for turn in told_by(scenario, tmp_path) if isinstance(turn, Turn) and turn.raw_counts is None]
    assert [(turn.status, turn.error_code, turn.cost_usd) for turn in open_turns] == [("unanswered", None, None)]


def test_a_refused_request_is_failed_with_its_status(tmp_path: Path) -> None:
    turn = only_turn(told_by("nosuch", tmp_path))
    assert (turn.status, turn.error_code, turn.raw_counts, turn.llm_asked) == ("failed", "404", None, "nosuch-1")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_prompt_and_no_tool_text_is_in_a_record(scenario: str, tmp_path: Path) -> None:
    path = recorded(scenario, tmp_path)
    told = repr(read_whole(opencode, path))
    with closing(sqlite3.connect(path)) as connection:
        parts = [json.loads(data) for (data,) in connection.execute("select data from part")]
        titles = [title for (title,) in connection.execute("select title from session")]
    texts = [text for part in parts for text in texts_in(part)] + titles
    assert texts
    assert [text for text in texts if text in told] == []


def texts_in(part: Row) -> Iterator[str]:
    yield from (part[name] for name in ("text",) if len(part.get(name, "")) > 8)
    state = part.get("state", {})
    yield from (text for text in [state.get("output", ""), *map(str, state.get("input", {}).values())] if len(text) > 8)


# Reasoning and cache writes


def test_c22_reasoning_beside_output_is_output_too(tmp_path: Path) -> None:
    tokens = {"total": 1_700, "input": 1_000, "output": 400, "reasoning": 100, "cache": {"read": 200, "write": 0}}
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply(tokens=tokens, providerID="openai")}))
    assert totals(told) == (1, 1_200, 500)
    assert only_turn(told).usage_format == "opencode.writes-in-input"


def test_c22_made_up_reasoning_inside_output_is_not_added(tmp_path: Path) -> None:
    tokens = {"total": 1_640, "input": 1_000, "output": 400, "reasoning": 100, "cache": {"read": 200, "write": 40}}
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply(tokens=tokens)}))
    assert totals(told) == (1, 1_240, 400)
    assert only_turn(told).usage_format == "opencode.reasoning-in-output"


@pytest.mark.parametrize(
    ("provider", "reasoning", "output"), [("openai", 100, 400), ("google", 100, 500), ("openai", 900, 1_300)]
)
def test_before_totals_were_printed_output_was_as_the_provider_gave_it(
    provider: str, reasoning: int, output: int, tmp_path: Path
) -> None:
    tokens = {"input": 1_000, "output": 400, "reasoning": reasoning, "cache": {"read": 0, "write": 0}}
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply(tokens=tokens, providerID=provider)}))
    assert totals(told) == (1, 1_000, output)


def test_a_total_that_is_neither_sum_is_flagged(tmp_path: Path) -> None:
    tokens = {"total": 9_999, "input": 1_000, "output": 400, "reasoning": 100, "cache": {"read": 200, "write": 0}}
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply(tokens=tokens)}))
    assert [record.flag for record in told if isinstance(record, Flag)] == ["usage_contradicts_total"]
    assert totals(told) == (1, 1_200, 500)


def test_no_writes_are_none_at_a_provider_that_tells_them(tmp_path: Path) -> None:
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply()}))
    assert kinds(told)["cache_write_other"] == 0


# Two stores, forks, parents


@pytest.mark.parametrize("has_times", [False, True])
def test_c51_migrated_messages_are_one_turn_in_both_stores(has_times: bool, tmp_path: Path) -> None:
    m1, m2, m3 = (reply(1_796_000_000_000 + number if has_times else None) for number in range(3))
    files = [json_file(tmp_path, "m1", m1), json_file(tmp_path, "m2", m2)]
    told = read_whole(opencode, database_of(tmp_path, {"m2": m2, "m3": m3}))
    for path in files:
        told += read_whole(opencode, path)
    assert totals(told) == (3, 3_000, 300)


def test_c51_made_up_a_migrated_sub_agent_is_the_same_turn_of_the_same_run(tmp_path: Path) -> None:
    message = reply(agent="explore")
    session_file(tmp_path, "ses1", parentID="ses0", time={"created": 5})
    session_file(tmp_path, "ses0", time={"created": 4})
    (from_file,) = read_whole(opencode, json_file(tmp_path, "m1", message))
    path = built(tmp_path / "opencode.db", SCHEMA)
    with closing(sqlite3.connect(path)) as connection, connection:
        session_row(connection, "ses0")
        session_row(connection, "ses1", "ses0")
        connection.execute("update session set version = '1.0.0'")
        message_row(connection, "m1", message)
    assert turns(read_whole(opencode, path)) == [from_file]
    assert isinstance(from_file, Turn)
    assert (from_file.session, from_file.session_id, from_file.agent) == ("ses0", "ses1", "explore")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["json", "database", "both"]), max_size=6))
def test_wherever_messages_are_kept_their_totals_are_the_same(stores: list[str]) -> None:
    messages = {f"m{number}": reply(1_796_000_000_000 + number) for number in range(len(stores))}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kept = dict(zip(messages, stores, strict=True))
        told = read_whole(opencode, database_of(folder, {m: messages[m] for m in messages if kept[m] != "json"}))
        for message in messages:
            if kept[message] != "database":
                told += read_whole(opencode, json_file(folder, message, messages[message]))
    assert totals(told) == (len(stores), 1_000 * len(stores), 100 * len(stores))


def test_a_forks_copies_are_the_parents_turns(tmp_path: Path) -> None:
    path = database_of(tmp_path, {"m1": reply(1_796_000_000_000), "m2": reply(1_796_000_005_000)})
    with closing(sqlite3.connect(path)) as connection, connection:
        session_row(connection, "ses2", created=9)
        message_row(connection, "m3", reply(1_796_000_000_000), "ses2")
        message_row(connection, "m4", reply(1_796_000_009_000), "ses2")
    assert totals(read_whole(opencode, path)) == (3, 3_000, 300)


def test_requests_that_began_together_stay_apart(tmp_path: Path) -> None:
    more = reply(tokens={"input": 1_000, "output": 101, "reasoning": 0, "cache": {"read": 0, "write": 0}})
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply(), "m2": more, "m3": reply(modelID="other")}))
    assert totals(told) == (3, 3_000, 301)


def test_a_chain_of_parents_ends_where_it_bites_its_tail(tmp_path: Path) -> None:
    path = database_of(tmp_path, {"m1": reply()})
    with closing(sqlite3.connect(path)) as connection, connection:
        session_row(connection, "ses2", "ses1")
        connection.execute("update session set parent_id = 'ses2' where id = 'ses1'")
    assert [turn.session for turn in turns(read_whole(opencode, path))] == ["ses2"]


def test_a_json_session_is_told_unless_it_is_a_sub_agents(tmp_path: Path) -> None:
    main = session_file(tmp_path, "ses1", time={"created": 1_796_000_000_000})
    child = session_file(tmp_path, "ses2", parentID="ses1", time={"created": 1_796_000_001_000})
    assert read_whole(opencode, main) == [Session(session="ses1", at_us=1_796_000_000_000_000, project="repo")]
    assert read_whole(opencode, child) == []


# How a request ended


@pytest.mark.parametrize(
    ("changes", "status", "error_code"),
    [
        ({}, "completed", None),
        ({"finish": None}, "completed", None),  # before 2026 there was no `finish`
        ({"finish": None, "time": {"created": 1_796_000_000_000}}, "incomplete", None),
        (
            {"finish": None, "error": {"name": "UnknownError", "data": {"message": "text"}}},
            "incomplete",
            "UnknownError",
        ),
        ({"error": {"name": "MessageAbortedError", "data": {"message": "text"}}}, "completed", None),
    ],
)
def test_how_a_reply_with_usage_ended(
    changes: dict[str, Any], status: str, error_code: str | None, tmp_path: Path
) -> None:
    turn = only_turn(read_whole(opencode, database_of(tmp_path, {"m1": reply(**changes)})))
    assert (turn.status, turn.error_code) == (status, error_code)
    assert (turn.raw_counts or {}).get("total") == 1_100


@pytest.mark.parametrize(
    ("changes", "status", "error_code"),
    [
        ({}, "completed", None),
        ({"finish": None, "time": {"created": 1}}, "unanswered", None),
        ({"finish": None, "error": {"name": "APIError", "data": {"statusCode": 529}}}, "failed", "529"),
        ({"finish": None, "error": {"name": "ProviderAuthError", "data": {}}}, "failed", "ProviderAuthError"),
        ({"finish": None, "error": {"name": "MessageAbortedError"}}, "unanswered", "MessageAbortedError"),
    ],
)
def test_how_a_request_without_usage_ended_which_is_not_zero(
    changes: dict[str, Any], status: str, error_code: str | None, tmp_path: Path
) -> None:
    nothing = {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}
    turn = only_turn(read_whole(opencode, database_of(tmp_path, {"m1": reply(tokens=nothing, cost=0, **changes)})))
    assert (turn.status, turn.error_code) == (status, error_code)
    assert (turn.raw_counts, turn.cost_usd) == (None, None)


def test_a_reply_names_the_request_that_it_answers(tmp_path: Path) -> None:
    nothing = {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}
    begun = reply(tokens=nothing, finish=None, time={"created": 1_796_000_000_000})
    before = only_turn(read_whole(opencode, json_file(tmp_path, "m1", begun)))
    after = only_turn(read_whole(opencode, json_file(tmp_path, "m1", reply())))
    assert (before.status, after.status) == ("unanswered", "completed")
    assert after.attempt == before.key != after.key


@pytest.mark.parametrize(("finish", "duration_ms"), [("stop", 900.0), ("tool-calls", None)])
def test_a_message_whose_tools_ran_does_not_tell_how_long_its_reply_took(
    finish: str, duration_ms: float | None, tmp_path: Path
) -> None:
    turn = only_turn(read_whole(opencode, database_of(tmp_path, {"m1": reply(finish=finish)})))
    assert turn.duration_ms == duration_ms


# A database in use


def test_rows_that_are_only_in_the_write_ahead_log_are_read_while_the_writer_is_at_work(tmp_path: Path) -> None:
    path = database_of(tmp_path, {"m1": reply(1_796_000_000_000)})
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("pragma journal_mode = wal")
        writer.execute("pragma wal_autocheckpoint = 0")
        with writer:
            message_row(writer, "m2", reply(1_796_000_001_000))
        message_row(writer, "m3", reply(1_796_000_002_000))  # and not committed
        log = path.with_name("opencode.db-wal")
        before = (path.read_bytes(), log.read_bytes())
        assert totals(read_whole(opencode, path)) == (2, 2_000, 200)
        assert (path.read_bytes(), log.read_bytes()) == before
    assert opencode.companions(path) == (path.with_name("opencode.db-journal"), log)


def test_a_writer_that_holds_the_database_for_itself_is_no_hindrance(tmp_path: Path) -> None:
    path = database_of(tmp_path, {"m1": reply()})
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("begin exclusive")
        message_row(writer, "m2", reply(1_796_000_001_000))
        assert totals(read_whole(opencode, path)) == (1, 1_000, 100)


def test_a_writer_that_goes_away_in_the_middle_of_a_copy_takes_nothing_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database_of(tmp_path, {"m1": reply(1_796_000_000_000)})
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    with writer:
        message_row(writer, "m2", reply(1_796_000_001_000))
    copied = database.shutil.copyfile

    def copy_and_leave(source: Path, target: Path) -> None:
        copied(source, target)
        writer.close()  # which moves the log into the database and deletes it

    monkeypatch.setattr(database.shutil, "copyfile", copy_and_leave)
    assert totals(read_whole(opencode, path)) == (2, 2_000, 200)


def test_a_database_that_changes_each_time_that_it_is_copied_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database_of(tmp_path, {"m1": reply()})
    copied = database.shutil.copyfile

    def copy_and_write(source: Path, target: Path) -> None:
        copied(source, target)
        with closing(sqlite3.connect(path)) as writer, writer:
            writer.execute("insert into part select hex(randomblob(8)), 'm1', hex(randomblob(9000))")

    monkeypatch.setattr(database.shutil, "copyfile", copy_and_write)
    with pytest.raises(UnreadableRecord, match="written to in each of 5 attempts"):
        read_whole(opencode, path)


def test_the_copy_is_gone_afterwards_also_where_reading_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    path = database_of(tmp_path, {"m1": reply()})
    read_whole(opencode, path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(UnreadableRecord):
        read_whole(opencode, path)
    assert list(temporary.iterdir()) == []


# What is malformed


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no database at all, but long enough to be looked at" * 20, "SQLite cannot read it: file is not a database"),
        (b"", "not a schema of opencode's that is known: no session.id"),
    ],
)
def test_a_file_that_is_no_database_is_set_aside(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(content)
    with pytest.raises(UnreadableRecord) as caught:
        read_whole(opencode, path)
    assert caught.value.reason == reason


def test_an_unknown_schema_is_set_aside_by_the_column_that_it_lacks(tmp_path: Path) -> None:
    path = built(tmp_path / "opencode.db", SCHEMA.replace("parent_id", "forked_from"))
    with pytest.raises(UnreadableRecord, match=r"no session\.parent_id"):
        read_whole(opencode, path)


MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "negative": ({"tokens": {"input": -5, "output": 1}}, "Expected `int` >= 0 - at `$.tokens.input`"),
    "text": ({"tokens": {"input": "a secret", "output": 1}}, "Expected `int`, got `str` - at `$.tokens.input`"),
    "nothing": ({"tokens": {"input": None, "output": 1}}, "Expected `int`, got `null` - at `$.tokens.input`"),
    "no output": ({"tokens": {"input": 1}}, "Object missing required field `output` - at `$.tokens`"),
    "fraction": ({"tokens": {"input": 1, "output": 0.5}}, "Expected `int`, got `float` - at `$.tokens.output`"),
    "huge": ({"tokens": {"input": 2**63, "output": 1}}, f"Expected `int` <= {2**63 - 1} - at `$.tokens.input`"),
    "time": ({"time": {"created": "now"}}, "Expected `int | null`, got `str` - at `$.time.created`"),
    "year 10000": (
        {"time": {"created": 253_402_300_800_000}},
        "Expected `int` <= 253402300799999 - at `$.time.created`",
    ),
    "cost": ({"cost": "NaN"}, "Expected `float | null`, got `str` - at `$.cost`"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_message_is_set_aside_in_either_store_and_the_others_are_read(case: str, tmp_path: Path) -> None:
    changes, reason = MALFORMED[case]
    told = read_whole(opencode, database_of(tmp_path, {"m1": reply(**changes), "m2": reply()}))
    assert reasons(told) == [f"message: not as expected: {reason}"]
    assert totals(told) == (1, 1_000, 100)
    with pytest.raises(UnreadableRecord) as caught:
        read_whole(opencode, json_file(tmp_path, "m1", reply(**changes)))
    assert caught.value.reason == f"not as expected: {reason}"


def test_a_negative_cost_is_told_as_it_is(tmp_path: Path) -> None:
    turn = only_turn(read_whole(opencode, database_of(tmp_path, {"m1": reply(cost=-0.25)})))
    assert turn.cost_usd == Decimal("-0.25")


def test_a_message_without_usage_is_set_aside(tmp_path: Path) -> None:
    message = {name: value for name, value in reply().items() if name != "tokens"}
    with pytest.raises(UnreadableRecord, match="Object missing required field `tokens`"):
        read_whole(opencode, json_file(tmp_path, "m1", message))
    assert reasons(read_whole(opencode, database_of(tmp_path, {"m1": message}))) == [
        "message: not as expected: Expected `object`, got `null` - at `$.tokens`"
    ]


def test_rows_that_are_no_json_are_set_aside_with_their_number(tmp_path: Path) -> None:
    path = database_of(tmp_path, {"m1": reply(), "m2": "{not json"})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("insert into part values ('p1', 'm1', 'no json either')")
    told = read_whole(opencode, path)
    reason = "message: no id, no session, or data that is not JSON"
    assert [(r.reason, r.offset) for r in told if isinstance(r, UnreadableRecord)] == [(reason, 2)]
    assert totals(told) == (1, 1_000, 100)


def test_half_a_json_file_is_set_aside(tmp_path: Path) -> None:
    path = json_file(tmp_path, "m1", reply())
    path.write_text(path.read_text()[:40])
    with pytest.raises(UnreadableRecord) as caught:
        read_whole(opencode, path)
    assert caught.value.reason == "not JSON"


def test_a_users_message_tells_nothing(tmp_path: Path) -> None:
    assert read_whole(opencode, json_file(tmp_path, "m0", {"role": "user", "time": {"created": 1}})) == []


# Where it is


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        ("opencode/opencode.db", True),
        ("opencode/opencode-dev.db", True),
        ("opencode/opencode.db-wal", False),
        ("opencode/storage/message/ses1/m1.json", True),
        ("opencode/storage/session/project1/ses1.json", True),
        ("opencode/storage/part/m1/p1.json", False),
        ("opencode/auth.json", False),
    ],
)
def test_which_files_are_read(path: str, is_read: bool) -> None:
    assert opencode.reads(Path("/home/me/.local/share") / path) is is_read


def test_a_database_and_a_message_are_known_by_their_beginnings(tmp_path: Path) -> None:
    assert opencode.knows(database_of(tmp_path, {}).read_bytes()[:4096])
    assert opencode.knows(json_file(tmp_path, "m1", reply()).read_bytes()[:4096])
    assert not opencode.knows(b"\x7fELF")

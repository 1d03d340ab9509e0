"""The page of one run: sessions out of recorded logs, a long one, and an attempt of which no request is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import altair as alt
import pytest
from agent_logs import RECORDINGS
from filelock import FileLock
from pages import OpenPage, charts, figures, tables
from streamlit.testing.v1 import AppTest
from worlds import Attempt

from app import queries, run_charts, run_facts
from app.charts import Spec
from app.queries import Answer, Build
from app.warehouse.build import build
from app.warehouse.query import connect, run
from collectors.agents.collect import collect_logs
from collectors.agents.find import given_roots
from collectors.agents.records import session_run_id
from collectors.agents.registry import AGENTS
from collectors.home import Home
from collectors.store import LocalStore
from models import Event, RunStarted, TokensReported, TurnCompleted

PAGE = "views/what_happened_in_this_run.py"

RECORDED = (
    ("claude-code", "subagent"),
    ("claude-code", "e429"),
    ("claude-code", "hang"),
    ("pi", "happy"),
    ("codex", "nosuch"),
)
LLM = "claude-sonnet-4-5-20250929"
LONG = "f" * 32
NINE = datetime(2026, 11, 2, 9, tzinfo=UTC)
WHOLE = Attempt(
    "some-tasks", "pi", "fix-it", tokens={"input_tokens": 900, "output_tokens": 70, "cache_read_tokens": 100}
)


def long_session() -> Iterable[Event]:
    """300 requests of two agents with a night between them; one breaks off, and the last has no reply in the log."""
    at = NINE
    yield RunStarted(
        **_stamp(at, 0), run_id=LONG, kind="session", source="pi", harness="pi", llm="unstated", project="shop"
    )
    for number in range(1, 301):
        at += timedelta(hours=15) if number == 151 else timedelta(seconds=20)
        is_last, is_broken, is_sub_agent = number == 300, number == 200, 40 <= number < 60
        status = "unanswered" if is_last else "incomplete" if is_broken else "completed"
        who: dict[str, Any] = {"agent": "explore", "sub_agent_id": "sub-1"} if is_sub_agent else {}
        yield TurnCompleted(
            **_stamp(at, number), **who, source="agent_log", run_id=LONG, turn_id=f"turn-{number}", ordinal=number,
            llm_answered=None if is_last else "some-llm", status=status,
            duration_ms=None if is_last else 9000.0, usage_format="pi",
        )  # fmt: skip
        if not is_last:
            yield TokensReported(
                **_stamp(at, number), subject_kind="turn", subject_id=f"turn-{number}", run_id=LONG, source="agent_log",
                usage_format="pi", raw_counts={"input": 100, "cacheRead": 900, "cacheWrite": 0, "output": 10},
                completeness="lower_bound" if is_broken else "complete",
            )  # fmt: skip


def _stamp(at: datetime, offset: int) -> dict[str, Any]:
    return {"occurred_at": at, "producer": "pi/1", "source_ref": "sessions/long.jsonl", "source_offset": offset}


@pytest.fixture(scope="session")
def runs_home(session_folder: Path) -> Home:
    """Recorded sessions, a long one and an attempt, built once by whichever worker comes first."""
    home = Home(session_folder / "runs-home")
    with FileLock(session_folder / "runs-home.lock"):
        if home.current_build() is None:
            for agent, scenario in RECORDED:
                collect_logs(given_roots(RECORDINGS / agent / scenario / "home", list(AGENTS)), home)
            LocalStore(home.events).append([*long_session(), *WHOLE.events()])
            build(home)
    return home


def recorded(agent: str, scenario: str) -> str:
    """The run of a recording with one session, whose id ends its log's name."""
    logs = (RECORDINGS / agent / scenario / "home").rglob("*.jsonl")
    [session] = [path.stem[-36:] for path in logs if path.parent.name != "subagents"]
    return session_run_id(agent, session)


SUBAGENT, RETRIED, KILLED = (recorded("claude-code", scenario) for scenario in ("subagent", "e429", "hang"))
UNSPLIT = recorded("pi", "happy")


@pytest.fixture(scope="session")
def runs_build(runs_home: Home) -> Build:
    return queries.current_build(runs_home)


def captions(page: AppTest) -> str:
    return " ".join(caption.value for caption in page.caption)


def alts(page: AppTest) -> list[str]:
    return [chart.proto.alt for chart in page.get("vega_lite_chart")]


def marks(chart: Callable[[Answer], Spec], build: Build, run_id: str) -> list[dict[str, Any]]:
    """What a chart draws of a run."""
    return chart(queries.turns(build, run_id))["data"]["values"]


def test_the_title_is_the_finding_and_the_line_under_it_says_of_what(open_page: OpenPage, runs_home: Home) -> None:
    page = open_page(runs_home, PAGE, run=SUBAGENT)
    assert not page.exception
    assert page.title[0].value == (
        "7 requests, 2 of them by a sub-agent; 81.5% of 66,786 input tokens came from the cache"
    )
    assert page.markdown[0].value.startswith(
        f"`{LLM}` · Claude Code `2.1.332` · in `repo` · started 2026-11-30 20:29:43 UTC."
    )
    assert figures(page) == {
        "Requests": "7",
        "Failed": "0",
        "Unanswered": "0",
        "Input tokens": "66,786",
        "Cache hits": "81.5%",
        "Output tokens": "2,156",
        "Reasoning": "459",
        "Tool calls": "6",
        "Sub-agents": "1",
        "Wall time": "0.8 s",
        "Client estimate": "$0.0921",
    }


def test_every_request_is_a_row_with_its_agent_its_tokens_and_its_tools(open_page: OpenPage, runs_home: Home) -> None:
    rows = tables(open_page(runs_home, PAGE, run=SUBAGENT))[0]
    assert [row["Agent"] for row in rows].count("general-purpose") == 2
    assert [row["Request"] for row in rows] == ["1", "2", "3", "4", "5", "6", "7"]
    assert rows[1].items() >= {
        "Time, UTC": "2026-11-30 20:29:43",
        "LLM": LLM,
        "Status": "completed",
        "Input": "11,662",
        "Without cache": "1,006",
        "Cache read": "10,600",
        "Cache write": "56",
        "Cache hits": "90.9%",
        "Output": "306",
        "Took": "22 ms",
        "Tool calls": "2: Read",
        "Stop reason": "tool_use",
        "Input so far": "15,184",
        "Output so far": "611",
    }.items()  # fmt: skip


def test_the_time_line_has_a_lane_for_each_agent_and_colour_only_for_what_is_wrong(runs_build: Build) -> None:
    calm = marks(run_charts.time_line, runs_build, SUBAGENT)
    assert list(dict.fromkeys(mark["lane"] for mark in calm)) == ["main agent", "general-purpose"]
    assert not any(mark["is_trouble"] for mark in calm)
    retried = marks(run_charts.time_line, runs_build, RETRIED)
    assert [mark["Status"] for mark in retried if mark["is_trouble"]] == ["failed: 429", "failed: 429, retry 1"]


def test_a_refused_request_used_nothing_and_makes_no_sum_a_lower_bound(
    open_page: OpenPage, runs_home: Home, runs_build: Build
) -> None:
    page = open_page(runs_home, PAGE, run=RETRIED)
    assert page.title[0].value.startswith("4 requests; 2 more failed; ")
    refused = [row for row in tables(page)[0] if row["Status"].startswith("failed")]
    assert {(row["Input"], row["Output"]) for row in refused} == {("none", "none")}
    assert not any(mark["is_unknown"] for mark in marks(run_charts.tokens, runs_build, RETRIED))
    assert not any("input_dashed" in mark for mark in marks(run_charts.sums, runs_build, RETRIED))


def test_a_request_without_a_reply_is_named_unknown_and_bounds_the_sums(
    open_page: OpenPage, runs_home: Home, runs_build: Build
) -> None:
    page = open_page(runs_home, PAGE, run=KILLED)
    assert page.title[0].value.startswith("1 request; 1 more had no reply; ")
    assert "Not everything is in the log, and its tokens are a lower bound: 1 request without a reply in the log." in (
        page.markdown[0].value
    )
    assert figures(page)["Input tokens"].startswith("at least ")
    assert len(charts(page)) == 3
    [last] = [row for row in tables(page)[0] if row["Status"] == "unanswered"]
    assert (last["Input"], last["Cache read"], last["Input so far"]) == ("unknown", "unknown", "at least 3,540")
    assert [mark["is_unknown"] for mark in marks(run_charts.tokens, runs_build, KILLED)] == [False, True]
    assert "A question mark" in captions(page)


def test_input_of_unknown_kind_is_outlined_as_such_and_never_zero(
    open_page: OpenPage, runs_home: Home, runs_build: Build
) -> None:
    page = open_page(runs_home, PAGE, run=UNSPLIT)
    assert page.title[0].value.endswith("input tokens, how many from the cache is unknown")
    assert figures(page)["Cache hits"] == "unknown"
    for mark, row in zip(marks(run_charts.tokens, runs_build, UNSPLIT), tables(page)[0], strict=True):
        known = mark["unknown_high"] - mark["unknown_low"] + mark.get("cache_write_high", 0)
        assert f"{known:,}" == row["Input"]
        assert "cache_read_high" not in mark
    assert "Dashed outline: input whose kind is not in the log." in captions(page)
    assert "Unknown, and not drawn: cache read." in captions(page)


def test_a_run_of_which_no_request_was_answered_has_no_chart_of_tokens(open_page: OpenPage, runs_home: Home) -> None:
    page = open_page(runs_home, PAGE, run=recorded("codex", "nosuch"))
    assert not page.exception
    assert page.title[0].value == "No request was answered; 1 failed"
    assert len(charts(page)) == 1


def test_a_long_session_stays_readable(open_page: OpenPage, runs_home: Home, runs_build: Build) -> None:
    page = open_page(runs_home, PAGE, run=LONG)
    assert page.title[0].value == (
        "299 requests, 20 of them by a sub-agent; 1 more had no reply; "
        "90.0% of at least 299,000 input tokens came from the cache"
    )
    assert "Shaded: a long wait between requests, cut short." in captions(page)
    assert "The first 200 of 300 rows; the downloads have all of them." in captions(page)
    shown = [marks(chart, runs_build, LONG) for chart in (run_charts.time_line, run_charts.tokens, run_charts.sums)]
    assert list(map(len, shown)) == [300, 300, 301]
    ends = [mark["end"] for mark in shown[0]]
    assert ends == sorted(ends)
    assert ends[-1] < 3 * 60 * 60  # of 16 hours
    assert len(str(shown)) < 500_000


def test_a_request_that_broke_off_has_used_at_least_this(open_page: OpenPage, runs_home: Home) -> None:
    [*_, before, broken] = tables(open_page(runs_home, PAGE, run=LONG))[0]
    assert (before["Input"], before["Input so far"]) == ("1,000", "199,000")
    assert (broken["Status"], broken["Input"], broken["Input so far"]) == (
        "incomplete",
        "at least 1,000",
        "at least 200,000",
    )


def test_an_attempt_without_turns_shows_what_is_known_of_the_whole(open_page: OpenPage, runs_home: Home) -> None:
    page = open_page(runs_home, PAGE, kind="attempt")
    assert not page.exception
    assert [note.value for note in page.info] == [
        "No turns: what is known of this run is known of it as a whole, and of none of its requests."
    ]
    assert figures(page).items() >= {"Input tokens": "1,000", "Cache hits": "10.0%", "Output tokens": "70"}.items()
    assert "some-tasks, `fix-it`, attempt 1 · completed" in page.markdown[0].value
    assert not charts(page)
    assert {row["Tokens"]: row["Count"] for row in tables(page)[0]}["of which reasoning"] == "unknown"


def test_every_run_opens_and_every_chart_has_its_text(open_page: OpenPage, runs_home: Home, runs_build: Build) -> None:
    runs = queries.runs(runs_build, {}, 100).rows
    assert len(runs) == 7
    for row in runs:
        page = open_page(runs_home, PAGE, run=row["run_id"])
        assert not page.exception, row
        assert all(text.endswith("The table of requests has every figure.") for text in alts(page))


def test_a_choice_is_in_the_url_and_a_filter_that_leaves_the_run_out_lets_go_of_it(
    open_page: OpenPage, runs_home: Home
) -> None:
    page = open_page(runs_home, PAGE)
    assert dict(page.query_params) == {}
    page.selectbox(key="run").select(SUBAGENT).run()
    assert dict(page.query_params) == {"run": SUBAGENT}
    page.selectbox(key="harness").select("pi").run()
    assert dict(page.query_params) == {"harness": "pi"}
    assert not page.info
    assert all(" · pi · " in option for option in page.selectbox(key="run").options)


def test_runs_are_listed_newest_first_with_what_they_were(open_page: OpenPage, runs_home: Home) -> None:
    options = open_page(runs_home, PAGE).selectbox(key="run").options
    starts = [option.split(" · ")[0] for option in options]
    assert starts == sorted(starts, reverse=True)
    assert "2026-11-02 09:00:00 · pi · shop · 299 requests" in options
    assert "2026-06-01 · pi · fix-it · requests unknown" in options


def test_a_run_in_the_url_that_is_not_there_is_said_above_the_filters(open_page: OpenPage, runs_home: Home) -> None:
    page = open_page(runs_home, PAGE, run="'; drop table", harness="pi", kind="session")
    assert not page.exception
    assert page.info[0].value.startswith("Run: there is no `'; drop table` here, so this shows 2026-11-30 ")


def test_a_run_beyond_the_list_can_be_linked_to(
    open_page: OpenPage, runs_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = open_page(runs_home, PAGE).selectbox(key="run").options
    monkeypatch.setattr("app.run_facts.MOST_RUNS", 2)
    page = open_page(runs_home, PAGE, run=LONG)
    assert page.selectbox(key="run").options == [*newest[:2], "2026-11-02 09:00:00 · pi · shop · 299 requests"]
    assert "The list has the newest 2 of 7 runs." in captions(page)


def test_the_sql_behind_the_page_gives_its_rows_again(runs_home: Home, runs_build: Build) -> None:
    answers: list[Answer] = [
        query(runs_build, run_id)
        for run_id in (SUBAGENT, LONG)
        for query in (queries.run, queries.turns, queries.run_costs)
    ]
    with connect(runs_home) as connection:
        for answer in answers:
            assert run(connection, answer.sql).to_arrow_table().equals(answer.table)


def test_every_chart_is_valid_vega_lite(runs_build: Build) -> None:
    for row in queries.runs(runs_build, {"kind": "session"}, 100).rows:
        answer = queries.turns(runs_build, row["run_id"])
        specs = [run_charts.time_line(answer)]
        if run_charts.is_any_known(answer):
            specs += [run_charts.tokens(answer), run_charts.sums(answer)]
        for spec in specs:
            alt.LayerChart.from_dict(spec | {"data": {"values": []}})


def test_names_of_the_data_are_text_and_no_markup() -> None:
    row = {
        "kind": "session", "llms": ["a`**b**\n"], "harness": "pi", "harness_version": None, "project": "[x](y)",
        "started_at": None, "started_at_basis": None,
    }  # fmt: skip
    assert run_facts.about(row) == "`a'**b**\\n` · pi, version unknown · in `[x](y)` · time unknown."


def test_an_empty_warehouse_is_a_sentence(open_page: OpenPage, empty_home: Home) -> None:
    page = open_page(empty_home, PAGE)
    assert not page.exception
    assert page.title[0].value == "What happened in this run?"
    assert page.info[0].value.startswith("This warehouse holds no runs yet.")


def test_no_warehouse_is_a_sentence(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(Home(tmp_path / "nothing"), PAGE)
    assert page.info[0].value.startswith("no warehouse in ")

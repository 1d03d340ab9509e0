"""Requests to LLMs, told by agents' logs: one turn each, one owner, and every unknown by its name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from worlds import Attempt

from models import CostReported, Event, PriceObserved, RunFlagged, RunStarted, TokensReported, TurnCompleted

Marts = duckdb.DuckDBPyConnection
NINE = datetime(2026, 6, 1, 9, tzinfo=UTC)


def log(at: int, file: str, offset: int, agent: str) -> dict[str, Any]:
    """Where and when a record was written: seconds after nine, in a log."""
    return {
        "occurred_at": NINE + timedelta(seconds=at),
        "occurred_at_basis": "exact",
        "producer": f"{agent}/1",
        "source_ref": file,
        "source_offset": offset,
    }


def session(run: str, at: int = 0, agent: str = "claude_code", **fields: Any) -> RunStarted:
    return RunStarted(
        **log(at, f"{run}.jsonl", 0, agent),
        run_id=run,
        kind="session",
        source=agent,
        harness=agent,
        llm="unstated",
        session_id=f"s-{run}",
        project="shop",
        **fields,
    )


def turn(
    run: str,
    turn_id: str,
    at: int = 10,
    counts: dict[str, int] | None = None,
    cost: str | None = None,
    offset: int | None = None,
    agent: str = "claude_code",
    file: str | None = None,
    usage_format: str | None = None,
    completeness: str = "complete",
    **fields: Any,
) -> list[Event]:
    """One record of a request, with its usage and its client's cost where there are any."""
    place = log(at, file or f"{run}.jsonl", at if offset is None else offset, agent)
    usage_format = usage_format or agent
    told: dict[str, Any] = {"status": "completed", "session_id": f"s-{run}", "llm_answered": "claude-sonnet-4-5"}
    told |= fields
    subject: dict[str, Any] = {"subject_kind": "turn", "subject_id": turn_id, "source": "agent_log"}
    events: list[Event] = [
        TurnCompleted(
            **place,
            turn_id=turn_id,
            source="agent_log",
            run_id=run,
            ordinal=place["source_offset"],
            usage_format=usage_format,
            **told,
        )
    ]
    if counts is not None:
        reason = None if completeness == "complete" else "no final usage"
        usage: dict[str, Any] = {"raw_counts": counts, "completeness": completeness, "incomplete_reason": reason}
        events.append(TokensReported(**place, **subject, usage_format=usage_format, **usage))
    if cost is not None:
        events.append(CostReported(**place, **subject, cost_basis="client_estimate", amount=Decimal(cost)))
    return events


def claude(count_in: int, count_out: int, **more: int) -> dict[str, int]:
    return {"input_tokens": count_in, "output_tokens": count_out, **more}


def c08() -> tuple[list[Event], list[Event]]:
    """A reply written three times as it grows, cut between two collections."""
    kept = {"cache_creation_input_tokens": 4000, "cache_read_input_tokens": 20000}
    first = turn(
        "c08", "m1", 10, claude(12, 3, **kept), completeness="lower_bound", status="incomplete", tool_call_ids=("a",)
    )
    last = turn("c08", "m1", 12, claude(12, 240, **kept), stop_reason="tool_use", tool_call_ids=("b",), duration_ms=900)
    other = turn("c08", "m2", 20, claude(5, 900), completeness="complete", ttft_ms=70)
    shrunk = turn("c08", "m2", 19, claude(7, 1), completeness="lower_bound", status="incomplete", ttft_ms=90)
    return [session("c08"), *first, *other], [*last, *shrunk]


def c33() -> tuple[list[Event], list[Event]]:
    """One record twice, and a third that says otherwise."""
    begun = [session("c33", agent="codex")]
    once = turn("c33", "e1", 10, {"input_tokens": 1000, "output_tokens": 100}, agent="codex", offset=100)
    again = turn("c33", "e1", 10, {"input_tokens": 1000, "output_tokens": 100}, agent="codex", offset=200)
    third = turn("c33", "e1", 10, {"input_tokens": 1000, "output_tokens": 999}, agent="codex", offset=300)
    mine = turn("c33", "e2", 11, {"input_tokens": 7, "output_tokens": 5, "total_tokens": 12}, agent="codex")
    return [*begun, *once, *again, *third, *mine], []


def c07() -> list[Event]:
    """Four calls in five files: a main one, and those of sub-agents; one file tells the main one again."""
    usage = claude(1000, 100)
    return [
        session("c07"),
        *turn("c07", "A", 10, usage, offset=1),
        *turn("c07", "S1", 11, usage, offset=2, sub_agent_id="sidechain"),
        *turn("c07", "S1", 11, usage, file="agent-1.jsonl", offset=1, sub_agent_id="1", session_id="agent-1"),
        *turn("c07", "S2", 12, usage, file="agent-1.jsonl", offset=2, sub_agent_id="1", session_id="agent-1"),
        *turn("c07", "S3", 13, usage, file="agent-2.jsonl", offset=1, sub_agent_id="2", session_id="agent-2"),
        *turn("c07", "A", 10, usage, file="agent-aside.jsonl", offset=1, sub_agent_id="aside", session_id="aside"),
    ]


def forks() -> tuple[list[Event], list[Event]]:
    """Sessions and their forks, each pair with another sign of who owns what both tell."""
    usage = {"input": 10, "output": 1}

    def shared(turn_id: str, *runs: str) -> list[list[Event]]:
        return [turn(run, turn_id, 30, usage, agent="pi", offset=n, session_id=run) for n, run in enumerate(runs)]

    named, chain = shared("t-named", "z-parent", "a-fork"), shared("t-chain", "m-root", "b-middle", "a-leaf")
    early, own = shared("t-early", "z-early", "a-late"), shared("t-own", "z-plain", "a-goes-on")
    attempt, least = shared("t-attempt", "a-session", "z-attempt"), shared("t-least", "b-copy", "a-copy")
    driven = Attempt("forks", "pi", "t").events()[1].model_copy(update={"run_id": "z-attempt"})
    starts = [
        session("z-parent", 5, "pi"),
        session("a-fork", 0, "pi", parent_run_id="z-parent"),
        session("m-root", 5, "pi"),
        session("b-middle", 0, "pi", parent_run_id="m-root"),
        session("a-leaf", 0, "pi", parent_run_id="b-middle"),
        session("z-early", 1, "pi"),
        session("a-late", 2, "pi"),
        session("z-plain", 1, "pi"),
        session("a-goes-on", 1, "pi"),
        session("a-session", 0, "pi"),
        driven,
    ]
    goes_on = turn("a-goes-on", "t-after", 40, usage, agent="pi")
    one = [*named[0], *chain[0], *chain[2], *early[0], *own[0], *attempt[0], *least[0], *goes_on]
    other = [*named[1], *chain[1], *early[1], *own[1], *attempt[1], *least[1], *starts]
    return one, other


def c41() -> list[Event]:
    """Three operations in six attempts: one broke off, one was refused twice, one timed out before it succeeded."""
    return [
        session("c41"),
        *turn("c41", "o1", 10, claude(1000, 4), completeness="lower_bound", status="incomplete"),
        *turn("c41", "o2-1", 20, status="failed", error_code="529", retry_number=0),
        *turn("c41", "o2-2", 21, status="failed", error_code="429", retry_number=1),
        *turn("c41", "o2-3", 22, claude(1000, 100), retry_number=2),
        *turn("c41", "o3-1", 30, status="failed", error_code="client_timeout", retry_number=0),
        *turn("c41", "o3-2", 31, claude(1000, 100), retry_number=1),
    ]


def open_requests() -> tuple[list[Event], list[Event]]:
    """A request that a later pass answers, one that a later pass saw fail, and one of which nothing more is told."""
    kimi: dict[str, Any] = {"agent": "kimi_code", "llm_answered": None}
    usage = {"inputOther": 5, "output": 2}
    first = [
        session("open", agent="kimi_code"),
        *turn("open", "asked-1", 10, status="unanswered", **kimi),
        *turn("open", "asked-2", 20, status="unanswered", **kimi),
        *turn("open", "asked-3", 40, status="unanswered", llm_asked="kimi-k3", **kimi),
    ]
    later = [
        *turn("open", "answer-1", 15, usage, attempt_id="asked-1", llm_asked="kimi-k3", **kimi),
        *turn("open", "asked-2", 25, status="failed", error_code="400", attempt_id="asked-2", **kimi),
    ]
    return first, later


def others() -> list[Event]:
    """Sessions that each have one thing to tell."""
    pi: dict[str, Any] = {"agent": "pi", "llm_answered": "gpt-5.4"}
    unsplit = {"input_tokens": 10, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 60, "output_tokens": 5}
    return [
        *turn("no-start", "n1", 10, claude(10, 5), harness_version="2.1.0", duration_ms=2500),
        *turn("no-start", "n2", 20, claude(20, 9), llm_answered="claude-haiku-4-5", harness_version="2.1.1"),
        *turn("no-start", "n3", 30, claude(20, 9), llm_answered="claude-haiku-4-5", tool_call_ids=("x", "y")),
        session("unsplit"),
        *turn("unsplit", "u1", 10, unsplit, usage_format="claude_code.writes-unsplit", bad_utf8_bytes=3),
        session("title", agent="opencode"),
        *turn("title", "title-1", 10, {"input": 10, "output": 5, "reasoning": 2, "total": 17}, "0.5", agent="opencode"),
        session("priced", agent="pi"),
        *turn("priced", "p1", 10, {"input": 10, "output": 5}, "0.25", **pi),
        *turn("priced", "p2", 20, {"input": 10, "output": 5}, "0.50", **pi),
        session("partly", agent="pi"),
        *turn("partly", "q1", 10, {"input": 10, "output": 5}, "0.25", **pi),
        *turn("partly", "q2", 20, {"input": 10, "output": 5}, "0", **pi),
        *turn("partly", "q3", 30, {"input": 10, "output": 5}, "-1", **pi),
        session("zeros", agent="pi"),
        *turn("zeros", "z1", 10, {"input": 10, "output": 5}, "0", **pi),
        session("whole"),
        *turn("whole", "w1", 10, claude(10, 5), "0.25"),
        run_cost("whole", "0.75", cost_basis="client_estimate"),
        session("foreign"),
        *turn("foreign", "f1", 10, claude(10, 5), llm_answered="glm-5.2"),
        run_cost("foreign", "9", cost_basis="client_estimate"),
        session("metered", agent="kiro"),
        *turn("metered", "k1", 10, agent="kiro", usage_format="kiro.none", llm_answered=None),
        run_cost("metered", "46", cost_basis="credits", currency="KIRO_CREDIT"),
        PriceObserved(
            **log(0, "prices", 0, "prices"),
            book="kiro",
            seller="kiro",
            llm="any",
            meter="credit",
            unit="credit",
            amount=Decimal("0.04"),
            observed_at=NINE - timedelta(days=1),
        ),
        session("refused"),
        *turn("refused", "r1", 10, status="failed", error_code="401"),
        session("misprinted", agent="codex"),
        *turn("misprinted", "i1", 10, {"input_tokens": 7, "output_tokens": 5, "total_tokens": 99}, agent="codex"),
        RunFlagged(**log(9, "misprinted.jsonl", 9, "codex"), run_id="misprinted", flag="tokens_without_llm"),
        *report_beside_turns(),
    ]


def run_cost(run: str, amount: str, **fields: Any) -> CostReported:
    about: dict[str, Any] = {"subject_kind": "run", "subject_id": run, "source": "agent_log"}
    return CostReported(**log(50, f"{run}.jsonl", 50, "claude_code"), **about, amount=Decimal(amount), **fields)


def report_beside_turns() -> list[Event]:
    """An attempt of which its report, its log and a proxy tell."""
    attempt = Attempt(
        "both", "claude-code", "t", tokens={"input_tokens": 1, "output_tokens": 1, "cache_read_tokens": 0}
    )
    logged = turn(attempt.run_id, "b1", 10, claude(70, 7))
    seen = [event.model_copy(update={"source": "proxy"}) for event in turn(attempt.run_id, "b2", 10, claude(80, 8))]
    return [*attempt.events(), *logged, *seen]


@pytest.fixture(scope="module")
def worlds(build_world: Callable[..., Marts]) -> tuple[Marts, Marts]:
    """The same events in two orders; the first one was collected twice."""
    parts = [c08(), c33(), forks(), open_requests()]
    one = [event for first, _ in parts for event in first] + c07() + c41() + others()
    other = [event for _, later in parts for event in later]
    return build_world(one, other, one, other), build_world(other, one)


@pytest.fixture(scope="module")
def marts(worlds: tuple[Marts, Marts]) -> Marts:
    return worlds[0]


def run(marts: Marts, run_id: str, columns: str) -> tuple[Any, ...]:
    [row] = marts.execute(f"select {columns} from marts.fct_runs where run_id = '{run_id}'").fetchall()
    return row


def turns(marts: Marts, run_id: str, columns: str) -> list[tuple[Any, ...]]:
    query = f"select {columns} from marts.fct_turns where run_id = '{run_id}' order by turn_number"
    return marts.execute(query).fetchall()


def cost_of(marts: Marts, run_id: str) -> list[tuple[Any, ...]]:
    query = "select cost_basis, amount_usd, low_usd, status, reason from marts.fct_run_costs where run_id = ?"
    return marts.execute(query, [run_id]).fetchall()


def findings(marts: Marts, check: str) -> list[tuple[Any, ...]]:
    query = """
        select subject, detail, source_ref, source_offset from marts.data_quality_findings
        where check_name = ? and source <> 'world' order by 1, 2
    """
    return marts.execute(query, [check]).fetchall()


@pytest.mark.parametrize("order", [0, 1])
def test_c08_a_reply_that_grew_is_one_turn_with_the_largest_of_every_number(
    worlds: tuple[Marts, Marts], order: int
) -> None:
    columns = """turn_id, input_uncached_tokens, cache_write_other_tokens, cache_read_tokens, output_tokens,
        usage_status, status, stop_reason, tool_calls, completed_at, ttft_ms, duration_ms"""
    assert turns(worlds[order], "c08", columns) == [
        ("m1", 12, 4000, 20000, 240, "complete", "completed", "tool_use", 2, NINE + timedelta(seconds=12), None, 900),
        ("m2", 7, 0, 0, 900, "complete", "completed", None, 0, NINE + timedelta(seconds=20), 90, None),
    ]
    assert run(worlds[order], "c08", "requests, input_total_tokens, output_total_tokens, usage_status") == (
        2, 24019, 1140, "complete",
    )  # fmt: skip


@pytest.mark.parametrize("order", [0, 1])
def test_c33_a_record_told_twice_counts_once_and_one_that_differs_is_a_conflict(
    worlds: tuple[Marts, Marts], order: int
) -> None:
    columns = "turn_id, input_total_tokens, output_total_tokens, usage_status"
    assert turns(worlds[order], "c33", columns) == [("e1", 1000, 100, "conflict"), ("e2", 7, 5, "complete")]
    detail = "2 versions differ in raw_counts; not counted: c33.jsonl, offset 300"
    assert findings(worlds[order], "conflicting_facts") == [("tokens_reported e1", detail, "c33.jsonl", 100)]
    assert run(worlds[order], "c33", "usage_status, usage_reason, output_total_tokens") == (
        "conflict", "1 request: the source states several counts", 105,
    )  # fmt: skip


def test_c33_a_second_ingest_and_another_order_leave_every_table_equal(worlds: tuple[Marts, Marts]) -> None:
    for (mart,) in worlds[0].execute("select table_name from information_schema.tables").fetchall():
        columns = [name for name, *_ in worlds[0].execute(f"describe marts.{mart}").fetchall() if name != "found_at"]
        query = f"select {', '.join(columns)} from marts.{mart} order by all"
        assert worlds[0].execute(query).fetchall() == worlds[1].execute(query).fetchall(), mart


def test_c07_calls_of_sub_agents_are_their_parents_and_count_once(marts: Marts) -> None:
    columns = "turn_id, is_sub_agent, source_ref"
    assert turns(marts, "c07", columns)[0] == ("A", False, "c07.jsonl")
    assert [(turn_id, is_sub) for turn_id, is_sub, _ in turns(marts, "c07", columns)[1:]] == [
        ("S1", True), ("S2", True), ("S3", True),
    ]  # fmt: skip
    assert run(marts, "c07", "requests, input_total_tokens, output_total_tokens, usage_status") == (
        4, 4000, 400, "complete",
    )  # fmt: skip
    assert run(marts, "c07", "session_id, project, llm, wall_s") == ("s-c07", "shop", "claude-sonnet-4-5", 13.0)


@pytest.mark.parametrize("order", [0, 1])
def test_a_request_of_several_runs_is_its_owners_with_the_owners_place(worlds: tuple[Marts, Marts], order: int) -> None:
    query = (
        "select turn_id, run_id, session_id from marts.fct_turns where harness = 'pi' and turn_id like 't-%' order by 1"
    )
    assert worlds[order].execute(query).fetchall() == [
        ("t-after", "a-goes-on", "s-a-goes-on"),
        ("t-attempt", "z-attempt", "z-attempt"),
        ("t-chain", "m-root", "m-root"),
        ("t-early", "z-early", "z-early"),
        ("t-least", "a-copy", "a-copy"),
        ("t-named", "z-parent", "z-parent"),
        ("t-own", "z-plain", "z-plain"),
    ]


def test_c41_three_operations_in_six_attempts_are_at_least_what_the_log_knows(marts: Marts) -> None:
    assert [turn[1:] for turn in turns(marts, "c41", "turn_id, status, usage_status, usage_reason")] == [
        ("incomplete", "lower_bound", "no final usage"),
        ("failed", "unknown", "refused: it used nothing"),
        ("failed", "unknown", "refused: it used nothing"),
        ("completed", "complete", None),
        ("failed", "unknown", "failed: it may have been billed"),
        ("completed", "complete", None),
    ]
    columns = "requests, failed_requests, input_total_tokens, output_total_tokens, usage_status, usage_reason"
    reason = "1 request that failed and may have been billed; 1 request without final usage"
    assert run(marts, "c41", columns) == (3, 3, 3000, 204, "lower_bound", reason)
    assert ("claude_code s-c41", reason, None, None) in findings(marts, "lower_bound_tokens")


@pytest.mark.parametrize("order", [0, 1])
def test_c12_a_request_that_is_answered_later_is_no_longer_open(worlds: tuple[Marts, Marts], order: int) -> None:
    assert turns(worlds[order], "open", "turn_id, status, error_code, usage_reason") == [
        ("answer-1", "completed", None, None),
        ("asked-2", "failed", "400", "refused: it used nothing"),
        ("asked-3", "unanswered", None, "no reply in the log"),
    ]
    columns = "requests, failed_requests, unanswered_requests, usage_status, usage_reason, llm"
    assert run(worlds[order], "open", columns) == (
        1, 1, 1, "lower_bound", "1 request without a reply in the log", "kimi-k3",
    )  # fmt: skip


def test_a_session_without_its_beginning_is_what_its_requests_say(marts: Marts) -> None:
    columns = "kind, source, harness, arm_id, llm, llms, harness_version, started_at, wall_s, tool_calls, usage_status"
    assert run(marts, "no-start", columns) == (
        "session", "claude_code", "claude_code", None, "claude-haiku-4-5", ["claude-haiku-4-5", "claude-sonnet-4-5"],
        "2.1.1", NINE + timedelta(seconds=7.5), 22.5, 2, "complete",
    )  # fmt: skip


def test_c28_writes_that_are_not_split_are_known_in_sum_and_null_by_kind(marts: Marts) -> None:
    columns = (
        "input_uncached_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_other_tokens, cache_write_tokens"
    )
    assert turns(marts, "unsplit", f"{columns}, input_total_tokens, cache_hit_share") == [
        (10, 30, None, None, 60, 100, 0.3)
    ]
    assert run(marts, "unsplit", f"{columns}, usage_reason") == (
        10, 30, None, None, 60, "1 request: the split of the input by kind is not reported",
    )  # fmt: skip
    assert findings(marts, "bad_utf8") == [("claude_code s-unsplit", "3 bytes", "unsplit.jsonl", None)]


def test_c28_what_a_format_never_logs_makes_tokens_and_cost_a_lower_bound_by_name(marts: Marts) -> None:
    reason = "not logged: the title request of a session"
    columns = "input_total_tokens, output_total_tokens, reasoning_tokens, usage_status, usage_reason"
    assert run(marts, "title", columns) == (10, 7, 2, "lower_bound", reason)
    assert cost_of(marts, "title") == [("client_estimate", None, Decimal("0.5"), "lower_bound", reason)]


def test_a_sessions_cost_is_what_was_stated_of_it_else_the_sum_of_its_requests(marts: Marts) -> None:
    priced, whole = Decimal("0.75"), Decimal("0.75")
    assert cost_of(marts, "priced") == [("client_estimate", priced, priced, "known", None)]
    assert cost_of(marts, "whole") == [("client_estimate", whole, whole, "known", None)]
    partly = ("client_estimate", None, Decimal("0.25"), "lower_bound", "1 of 3 requests have a cost of their own")
    assert cost_of(marts, "partly") == [partly]
    aside = "reported 0 kept aside: tokens were counted"
    assert cost_of(marts, "zeros") == [("client_estimate", None, None, "unknown", aside)]
    assert turns(marts, "partly", "client_cost_usd, client_cost_status, client_cost_reason") == [
        (Decimal("0.25"), "known", None),
        (None, "unknown", aside),
        (None, "unknown", "a negative amount was stated"),
    ]


def test_another_llms_price_is_no_cost_and_credits_have_a_dated_rate(marts: Marts) -> None:
    assert cost_of(marts, "foreign") == [("client_estimate", None, None, "unknown", "priced as another model")]
    assert findings(marts, "foreign_price")[0][0] == "claude_code s-foreign"
    assert cost_of(marts, "metered") == [("credits", Decimal("1.84"), Decimal("1.84"), "known", None)]


def test_a_run_without_any_usage_is_unknown_and_never_zero(marts: Marts) -> None:
    columns = "requests, input_total_tokens, usage_source, usage_status, usage_reason"
    assert run(marts, "metered", columns) == (0, None, None, "unknown", "tokens not reported")
    assert run(marts, "refused", columns) == (0, None, None, "unknown", "every request was refused")


def test_a_printed_total_that_is_not_the_sum_is_listed_and_fails_nothing(marts: Marts) -> None:
    assert findings(marts, "usage_identity") == [
        ("codex s-misprinted, request i1", "printed 99, ours 12", "misprinted.jsonl", 10)
    ]
    assert findings(marts, "run_flagged") == [("codex s-misprinted", "tokens_without_llm", "misprinted.jsonl", 9)]


def test_a_run_has_one_usage_source_and_the_best_one(marts: Marts) -> None:
    query = """
        select usage_source, input_total_tokens, requests, llms from marts.fct_runs where dataset = 'both'
    """
    assert marts.execute(query).fetchall() == [("proxy", 80, 1, ["claude-sonnet-4-5"])]
    query = "select source, turn_id from marts.fct_turns where turn_id in ('b1', 'b2')"
    assert marts.execute(query).fetchall() == [("proxy", "b2")]


def test_sessions_are_no_arms_and_unstated_is_no_llm(marts: Marts) -> None:
    [(arms,)] = marts.execute("select count(*) from marts.dim_arms where llm = 'unstated'").fetchall()
    llms = [llm for (llm,) in marts.execute("select llm from marts.dim_llms order by 1").fetchall()]
    assert arms == 0
    assert llms == ["claude-haiku-4-5", "claude-sonnet-4-5", "glm-5.2", "gpt-5.4", "kimi-k3", "some-llm"]

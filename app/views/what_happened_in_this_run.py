"""What happened in this run? One attempt or session, request by request."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import components, formats, queries, run_charts, run_facts, words
from app.components import Column
from app.facts import Row
from app.queries import Answer, Build
from app.url_state import Filters
from collectors.home import find_home

TIME_LINE = (
    "A bar is one request, from sending it to the end of its reply; its left edge is drawn thicker. "
    "Grey: it was answered. Coloured: it failed, broke off, or the log has no reply."
)
UNTIMED = "A dark tick alone: how long the request took is not in the log."
CUT = "Shaded: a long wait between requests, cut short."
TOKENS = "A bar is one request; its parts are what went in, by kind, and on top what came out."
KIND_UNKNOWN = "Dashed outline: input whose kind is not in the log."
TOKENS_UNKNOWN = "A question mark: the log does not say what the request used."
SUMS = "What the run had used after each request."
AT_LEAST = "Dashed: at least this, for a request has no count, or broke off."


def page() -> None:
    build = queries.current_build(find_home())
    choices = queries.run_choices(build).rows
    if choices:
        show(build, choose_run(build, choices))
    else:
        st.title("What happened in this run?")
        st.info("This warehouse holds no runs yet. Run `meterhouse collect agents`, then `meterhouse build`.")
    components.footer(build)


def choose_run(build: Build, choices: Sequence[Row]) -> str:
    """Kind and harness narrow the list of runs. A run that the URL names is offered however old it is."""
    filters = Filters()
    kind = filters.narrow("kind", "Kind", sorted({row["kind"] for row in choices}, reverse=True))
    of_kind = [row for row in choices if kind in (None, row["kind"])]
    harness = filters.narrow("harness", "Harness", sorted({row["harness"] for row in of_kind}))
    chosen = {"kind": kind, "harness": harness}
    runs = {row["run_id"]: row for row in queries.runs(build, chosen, run_facts.MOST_RUNS).rows}
    in_all = next(iter(runs.values()))["runs"]
    asked = st.query_params.get("run")
    if asked and asked not in runs:
        runs |= {row["run_id"]: row for row in queries.runs(build, chosen | {"run_id": asked}, 1).rows}
    if asked not in runs and asked == st.session_state.get("run"):
        st.query_params.pop("run", None)  # it was shown until a filter left it out
    run_id = filters.choose("run", "Run", list(runs), lambda run_id: run_facts.option(runs[run_id]), width=560)
    if in_all > run_facts.MOST_RUNS:
        st.caption(f"The list has the newest {formats.count(run_facts.MOST_RUNS)} of {formats.count(in_all)} runs.")
    return run_id


def show(build: Build, run_id: str) -> None:
    answer, turns = queries.run(build, run_id), queries.turns(build, run_id)
    [run] = answer.rows
    st.title(run_facts.finding(run))
    st.markdown(" ".join(filter(None, (run_facts.about(run), run_facts.missing(run)))))
    show_numbers(run, queries.run_costs(build, run_id).rows)
    if turns.rows:
        show_time_line(turns)
        if run_charts.is_any_known(turns):
            show_tokens(turns)
            show_sums(turns)
        show_turns(turns, run_id)
    else:
        st.info("No turns: what is known of this run is known of it as a whole, and of none of its requests.")
    show_whole(answer, run_id)


def show_numbers(run: Row, costs: Sequence[Row]) -> None:
    """What is known of the run; what no source tells is left to the sentence above and the table below."""
    items = [
        ("Requests", _count(run["requests"]), "Requests to an LLM, those without any usage left out."),
        ("Failed", _count(run["failed_requests"]), "Requests that were refused or broke."),
        ("Unanswered", _count(run["unanswered_requests"]), "Requests of whose end the log says nothing."),
        ("Input tokens", run_facts.tokens_of(run, "input_total_tokens"), "All that went in, cached or not."),
        ("Cache hits", formats.share(run["cache_hit_share"]), "Input tokens read from a cache, of all input tokens."),
        ("Output tokens", run_facts.tokens_of(run, "output_total_tokens"), "All that came out, reasoning included."),
        ("Reasoning", _count(run["reasoning_tokens"]), "Output tokens that were spent on reasoning."),
        ("Tool calls", _count(run["tool_calls"]), "Calls that the replies ask for."),
        ("Sub-agents", _count(run["sub_agents"]), "Agents that the main agent started and that made requests."),
        ("Wall time", formats.seconds(run["wall_s"]), "From its beginning to its last request."),
        *map(_cost, costs or [NO_COST]),
    ]
    with st.container(horizontal=True, gap="medium"):
        for label, value, meaning in items:
            if value:
                st.metric(label, value, help=meaning, width="content")


NO_COST = {
    "cost_basis": "client_estimate", "cost_method": "as_stated", "amount_usd": None, "low_usd": None, "high_usd": None,
    "status": "unknown", "reason": "not reported by the source",
}  # fmt: skip


def _cost(row: Row) -> tuple[str, str, str]:
    """What somebody said that the run cost: its standing as the label, its status in the help."""
    amount = formats.cost(row["amount_usd"], row["low_usd"], row["high_usd"])
    reason = f" ({row['reason']})" if row["reason"] else ""
    return words.option(row["cost_basis"]), amount, f"Status: {words.name(row['status'])}{reason}."


def _count(value: int | None) -> str | None:
    return None if value is None else formats.count(value)


def show_time_line(turns: Answer) -> None:
    st.subheader("Time line")
    timed = [turn for turn in turns.rows if run_charts.is_timed(turn)]
    left_out = len(turns.rows) - len(timed)
    if not timed:
        st.info("The log does not say when its requests were.")
        return
    about = [
        TIME_LINE,
        UNTIMED if any(map(run_charts.is_instant, timed)) else "",
        CUT if len(run_charts.pieces(timed)) > 1 else "",
        f"Not drawn: {run_facts.counted(left_out, 'request')} without a time." if left_out else "",
    ]
    _chart("time-line", about, run_charts.time_line(turns))


def show_tokens(turns: Answer) -> None:
    st.subheader("Tokens of each request")
    about = [
        TOKENS,
        KIND_UNKNOWN if any(map(run_facts.kind_unknown, turns.rows)) else "",
        TOKENS_UNKNOWN if any(map(run_charts.is_unknown, turns.rows)) else "",
    ]
    _chart("tokens", about, run_charts.tokens(turns))


def show_sums(turns: Answer) -> None:
    last = turns.rows[-1]
    known = [name for name in queries.SUMMED if last[f"{name}_so_far_tokens"] is not None]
    st.subheader("Tokens so far")
    unknown = [name.replace("_", " ") for name in queries.SUMMED if name not in known]
    about = [
        SUMS,
        AT_LEAST if any(last[f"is_{name}_at_least"] for name in known) else "",
        f"Unknown, and not drawn: {words.listed(unknown)}." if unknown else "",
    ]
    _chart("sums", about, run_charts.sums(turns))


def _chart(key: str, about: Sequence[str], spec: run_charts.Spec) -> None:
    text = " ".join(filter(None, about))
    st.caption(text)
    st.vega_lite_chart(spec, key=key, alt=f"{text} The table of requests has every figure.")


def show_turns(turns: Answer, run_id: str) -> None:
    st.subheader("Every request")
    columns = turn_columns(turns.rows)
    unknown = components.unknown_columns(turns.rows, columns)
    if unknown:
        st.caption(f"Unknown of every request: {', '.join(column.title.lower() for column in unknown)}.")
    known = [column for column in columns if column not in unknown]
    components.table(turns.rows, known, lambda turn: turn["status"] in run_facts.TROUBLE)
    components.evidence(turns, f"turns-{run_id[:12]}")


def turn_columns(turns: Sequence[Row]) -> list[Column]:
    names = run_facts.agents(turns)
    return [
        Column("Request", lambda turn: formats.count(turn["turn_number"]), "number"),
        Column("Time, UTC", run_facts.clock),
        Column("Agent", lambda turn: names[turn["sub_agent_id"]]),
        Column("LLM", lambda turn: turn["llm"] or formats.UNKNOWN),
        Column("Status", run_facts.status),
        Column("Input", _tokens("input_total_tokens"), "number"),
        Column("Without cache", _tokens("input_uncached_tokens"), "number"),
        Column("Cache read", _tokens("cache_read_tokens"), "number"),
        Column("Cache write", _tokens("cache_write_tokens"), "number"),
        Column("Cache hits", lambda turn: formats.share(turn["cache_hit_share"]), "number"),
        Column("Output", _tokens("output_total_tokens"), "number"),
        Column("Reasoning", _tokens("reasoning_tokens"), "number"),
        Column("Took", lambda turn: run_facts.latency(turn["duration_ms"]), "number"),
        Column("First token", lambda turn: run_facts.latency(turn["ttft_ms"]), "number"),
        Column("Tool calls", run_facts.tools),
        Column("Stop reason", lambda turn: turn["stop_reason"] or formats.UNKNOWN),
        Column("Client estimate", lambda turn: formats.money(turn["client_cost_usd"]), "number"),
        *(Column(title, _so_far(name), "number") for name, title in run_charts.SUM_TITLES.items()),
        Column("Not in the log", lambda turn: turn["usage_reason"] or "", "prose"),
    ]


def _tokens(column: str) -> Callable[[Row], str]:
    return lambda turn: run_facts.tokens(turn, column)


def _so_far(name: str) -> Callable[[Row], str]:
    return lambda turn: run_facts.so_far(turn, name)


def show_whole(answer: Answer, run_id: str) -> None:
    """The run's own row: its tokens by kind."""
    st.subheader("The run as a whole")
    [run] = answer.rows
    columns = [
        Column("Tokens", lambda row: row["kind"]),
        Column("Count", lambda row: row["tokens"], "number"),
    ]
    components.table(run_facts.kinds(run), columns, lambda row: row["is_total"])
    components.evidence(answer, f"run-{run_id[:12]}")


page()

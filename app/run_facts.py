"""A run and its requests as people read them: the sentences of their page, and one function per figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app import formats, words
from app.facts import Row

MOST_RUNS = 500
"""Runs that the list offers, newest first; the filters and the URL reach the rest."""

TROUBLE = ("failed", "unanswered", "incomplete")
"""What became of a request that needs a look."""

MAIN_AGENT, SUB_AGENT = "main agent", "sub-agent"

INPUT_KINDS = ("cache_read", "cache_write", "input_uncached")
"""The kinds that a request's input is made of, in the order in which bars stack them."""


def option(run: Row) -> str:
    """A run as the list offers it: `2026-11-30 20:29:43 · Claude Code · repo · 7 requests`."""
    what = run["task_id"] or run["project"] or run["dataset"] or "project unknown"
    attempt = f" #{run['attempt_number']}" if (run["attempt_number"] or 1) > 1 else ""
    requests = "requests unknown" if run["requests"] is None else counted(run["requests"], "request")
    started = moment(run["started_at"], run["started_at_basis"])
    return f"{started} · {words.name(run['harness'])} · {what}{attempt} · {requests}"


def moment(time: datetime | None, basis: str | None = "exact") -> str:
    """A time in UTC, as fine as it is known."""
    if time is None:
        return "time unknown"
    return f"{time:%Y-%m-%d %H:%M:%S}" if basis == "exact" else f"{time:%Y-%m-%d}"


def counted(number: int, noun: str) -> str:
    """`1 request`, `7 requests`."""
    return f"{formats.count(number)} {noun}{'' if number == 1 else 's'}"


def finding(run: Row) -> str:
    """The page's title: `7 requests, 2 of them by a sub-agent; 81.5% of 66,786 input tokens came from the cache`."""
    return "; ".join(filter(None, (_requests(run), _lost(run), _cached(run))))


def _requests(run: Row) -> str:
    if not run["requests"]:
        is_any_lost = run["failed_requests"] or run["unanswered_requests"]
        return "No request was answered" if is_any_lost else "No request is known"
    by_others, sub_agents = run["sub_agent_requests"], run["sub_agents"]
    if not by_others:
        return counted(run["requests"], "request")
    who = "a sub-agent" if sub_agents == 1 else counted(sub_agents, "sub-agent")
    return f"{counted(run['requests'], 'request')}, {formats.count(by_others)} of them by {who}"


def _lost(run: Row) -> str:
    """Requests without usage: `4 more failed and 1 had no reply`."""
    more = " more" if run["requests"] else ""
    lost = ((run["failed_requests"], "failed"), (run["unanswered_requests"], "had no reply"))
    told = [f"{formats.count(number)}{more} {what}" for number, what in lost if number]
    return words.listed(told) if told else ""


def _cached(run: Row) -> str:
    total, share = run["input_total_tokens"], run["cache_hit_share"]
    if not run["requests"] and total is None:
        return ""
    if not total:
        return "input tokens unknown" if total is None else "no input tokens"
    tokens = f"{tokens_of(run, 'input_total_tokens')} input tokens"
    if share is None:
        return f"{tokens}, how many from the cache is unknown"
    return f"{formats.share(share) if share else 'none'} of {tokens} came from the cache"


def tokens_of(run: Row, column: str) -> str:
    """A run's tokens, with `at least` where requests are missing from them."""
    text = formats.count(run[column])
    return f"at least {text}" if run["usage_status"] == "lower_bound" and run[column] is not None else text


def about(run: Row) -> str:
    """Which LLMs, which harness, of what, and when."""
    llms = ", ".join(_code(llm) for llm in run["llms"])
    version = f" {_code(run['harness_version'])}" if run["harness_version"] else ", version unknown"
    parts = [llms, f"{words.name(run['harness'])}{version}", *_subject(run)]
    started = moment(run["started_at"], run["started_at_basis"])
    return f"{' · '.join(parts)} · {f'started {started} UTC' if run['started_at'] else started}."


def _subject(run: Row) -> list[str]:
    """What a session worked in, or what an attempt was at and how it ended."""
    if run["kind"] == "session":
        return [f"in {_code(run['project'])}"] if run["project"] else []
    number = f", attempt {run['attempt_number']}" if run["attempt_number"] else ""
    ended = run["outcome"].replace("_", " ")
    detail = f" ({_code(run['outcome_detail'])})" if run["outcome_detail"] else ""
    task = (
        [f"{words.name(run['dataset'])}, {_code(run['task_id'])}{number}"] if run["task_id"] and run["dataset"] else []
    )
    return [*task, f"{'end ' if ended == 'unstated' else ''}{ended}{detail}"]


def missing(run: Row) -> str:
    """What is not in the log, by name; empty where nothing is missing."""
    status, reason = run["usage_status"], run["usage_reason"]
    told = ": ".join(filter(None, (INCOMPLETE.get(status), reason)))
    excluded = f"Excluded from every comparison: {run['excluded_reason']}" if run["is_excluded"] else ""
    return " ".join(f"{words.sentence(text)}." for text in (told, excluded) if text)


INCOMPLETE: Mapping[str, str] = {
    "lower_bound": "not everything is in the log, and its tokens are a lower bound",
    "conflict": "the log tells its tokens in several ways",
    "unknown": "its tokens are unknown",
}
"""What a run's usage status means, where it is not simply complete."""


def _code(text: str) -> str:
    """Text of the data as Markdown that stays text."""
    return f"`{' '.join(formats.printable(text.replace('`', chr(39))).split())}`"


def agents(turns: Sequence[Row]) -> dict[str | None, str]:
    """Sub-agent id -> its name here, the main agent (None) first, then by first request."""
    by_id = {turn["sub_agent_id"]: turn["agent"] or SUB_AGENT for turn in turns if turn["is_sub_agent"]}
    named: dict[str | None, str] = {None: MAIN_AGENT}
    for sub_agent_id, kind in by_id.items():
        twins = [other for other, its_kind in by_id.items() if its_kind == kind]
        named[sub_agent_id] = kind if len(twins) == 1 else f"{kind} {twins.index(sub_agent_id) + 1}"
    return named


def status(turn: Row) -> str:
    """What became of a request, with its error and which attempt it was: `failed: 429, retry 1`."""
    text = turn["status"] or formats.UNKNOWN
    error = f": {turn['error_code']}" if turn["error_code"] else ""
    retry = f", retry {turn['retry_number']}" if turn["retry_number"] else ""
    return f"{text}{error}{retry}"


def tokens(turn: Row, column: str) -> str:
    """A request's tokens of one kind. One that was refused used none; one that broke off, at least these."""
    if turn[column] is None:
        return "none" if turn["is_refused"] else formats.UNKNOWN
    return f"{'at least ' if turn['usage_status'] == 'lower_bound' else ''}{formats.count(turn[column])}"


def so_far(turn: Row, name: str) -> str:
    """The sum up to this request, with `at least` where a request before it lacks its part."""
    value = turn[f"{name}_so_far_tokens"]
    text = formats.count(value)
    return f"at least {text}" if turn[f"is_{name}_at_least"] and value is not None else text


def latency(ms: float | None) -> str:
    """A duration of a request: `45 ms`, `4.2 s`, `3 min 20 s`."""
    return f"{round(ms)} ms" if ms is not None and ms < 1000 else formats.seconds(None if ms is None else ms / 1000)


def tools(turn: Row) -> str:
    """How many tool calls, and of which tools: `2: Bash, Read`."""
    if turn["tool_calls"] is None:
        return formats.UNKNOWN
    names = ", ".join(turn["tool_names"] or [])
    return f"{formats.count(turn['tool_calls'])}: {names}" if names else formats.count(turn["tool_calls"])


def clock(turn: Row) -> str:
    """When a request was sent, else when its last record was written."""
    return moment(turn["started_at"] or turn["completed_at"], turn["occurred_at_basis"])


def kind_unknown(turn: Row) -> int:
    """The input of a request that is in no kind that its log tells."""
    kinds = [turn[f"{kind}_tokens"] for kind in INPUT_KINDS]
    if turn["input_total_tokens"] is None or None not in kinds:
        return 0
    return max(0, turn["input_total_tokens"] - sum(filter(None, kinds)))


def hover(turn: Row, agent: str) -> dict[str, str]:
    """Everything that a chart says about one request, in reading order."""
    return {
        "Request": formats.count(turn["turn_number"]),
        "Agent": agent,
        "Status": status(turn),
        "Sent": clock(turn),
        "Took": latency(turn["duration_ms"]),
        "Input": tokens(turn, "input_total_tokens"),
        "From the cache": tokens(turn, "cache_read_tokens"),
        "Output": tokens(turn, "output_total_tokens"),
        "Tool calls": tools(turn),
    }


HOVER = ("Request", "Agent", "Status", "Sent", "Took", "Input", "From the cache", "Output", "Tool calls")

KINDS: Mapping[str, str] = {
    "input_total_tokens": "Input",
    "input_uncached_tokens": "neither read from nor written to a cache",
    "cache_read_tokens": "read from a cache",
    "cache_write_5m_tokens": "written to a cache for five minutes",
    "cache_write_1h_tokens": "written to a cache for an hour",
    "cache_write_other_tokens": "written to a cache for an unstated time",
    "output_total_tokens": "Output",
    "reasoning_tokens": "of which reasoning",
}
"""A column of a run's tokens -> what it counts, each side's total before its parts."""


def kinds(run: Row) -> list[dict[str, Any]]:
    """A run's tokens, one row per kind."""
    return [
        {"kind": name, "tokens": tokens_of(run, column), "is_total": name[0].isupper()}
        for column, name in KINDS.items()
    ]

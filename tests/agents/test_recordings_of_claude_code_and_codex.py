"""Every recording of Claude Code and Codex counts what the server says that it served."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from agent_logs import RECORDINGS, Told, kinds, read_lines, read_lines_in_passes, served, served_totals, totals, turns

from collectors.agents import LinesAgent, claude_code, codex
from collectors.agents.records import Session, Turn

AGENTS: dict[str, LinesAgent] = {"claude-code": claude_code, "codex": codex}
SCENARIOS = [
    pytest.param(agent, folder, id=f"{agent}-{folder.name}")
    for agent in AGENTS
    for folder in sorted((RECORDINGS / agent).iterdir())
]


def logs(agent: str, folder: Path) -> list[Path]:
    return [
        path for path in sorted(folder.rglob("*.jsonl")) if AGENTS[agent].reads(path) and path.name != "served.jsonl"
    ]


def told_by(agent: str, folder: Path) -> list[Told]:
    return [record for path in logs(agent, folder) for record in read_lines(AGENTS[agent], path)]


def served_kinds(folder: Path) -> Counter[str]:
    """Tokens by kind as the server put them on the wire, of the requests that it answered in full."""
    sums: Counter[str] = Counter()
    for line in served(folder):
        if line["usage"] and line["complete"] and line["kind"] != "side":
            sums.update(line["usage"])
    return sums


@pytest.mark.parametrize(("agent", "folder"), SCENARIOS)
def test_requests_and_both_totals_equal_what_was_served(agent: str, folder: Path) -> None:
    assert totals(told_by(agent, folder)) == served_totals(folder)


@pytest.mark.parametrize(("agent", "folder"), SCENARIOS)
def test_nothing_in_a_recording_is_set_aside(agent: str, folder: Path) -> None:
    assert [record for record in told_by(agent, folder) if isinstance(record, Exception)] == []


@pytest.mark.parametrize("folder", sorted((RECORDINGS / "claude-code").iterdir()), ids=lambda folder: folder.name)
def test_claude_code_keeps_every_kind_but_behind_a_translating_gateway(folder: Path) -> None:
    wire, ours = served_kinds(folder), kinds(told_by("claude-code", folder))
    is_direct = not folder.name.startswith("litellm")
    expected = {
        "input_uncached": wire["input"],
        "cache_read": wire["cache_read"],
        "cache_write_5m": wire["cache_write_5m"] if is_direct else None,
        "cache_write_1h": wire["cache_write_1h"] if is_direct else None,
        "cache_write_other": 0 if is_direct else None,
        "reasoning": wire["reasoning"] if is_direct else None,
    }
    assert {kind: ours.get(kind, 0) for kind in expected} == expected


@pytest.mark.parametrize("folder", sorted((RECORDINGS / "codex").iterdir()), ids=lambda folder: folder.name)
def test_codex_keeps_every_kind_with_both_cache_writes_in_one(folder: Path) -> None:
    wire, ours = served_kinds(folder), kinds(told_by("codex", folder))
    expected = {
        "input_uncached": wire["input"],
        "cache_read": wire["cache_read"],
        "cache_write_other": wire["cache_write_5m"] + wire["cache_write_1h"],
        "reasoning": wire["reasoning"],
    }
    assert {kind: ours.get(kind, 0) for kind in expected} == expected


NOT_ANSWERED = {
    ("claude-code", "e429"): {("failed", "429"): 2},
    ("claude-code", "e500always"): {("failed", "500"): 3},
    ("claude-code", "hang"): {("unanswered", None): 1},
    ("claude-code", "litellm-e429"): {("failed", "429"): 2},
    ("claude-code", "nosuch"): {("failed", "404"): 1, ("unanswered", None): 1},
    ("claude-code", "sseerr"): {("unanswered", None): 1},
    ("claude-code", "trunc"): {("failed", "ECONNRESET"): 1},
    ("codex", "e500always"): {("failed", "internal_server_error"): 1},
    ("codex", "hang"): {("unanswered", None): 1},
    ("codex", "nosuch"): {("failed", "model_not_found"): 1},
}


@pytest.mark.parametrize(("agent", "folder"), SCENARIOS)
def test_a_request_without_a_reply_is_told_by_name(agent: str, folder: Path) -> None:
    told = told_by(agent, folder)
    found = Counter(
        (record.status, record.error_code)
        for record in told
        if isinstance(record, Turn) and record.status not in ("completed", "incomplete")
    )
    assert dict(found) == NOT_ANSWERED.get((agent, folder.name), {})


@pytest.mark.parametrize(("agent", "scenario"), [("claude-code", "subagent"), ("codex", "subagent")])
def test_a_sub_agent_is_rolled_up_to_its_session_and_kept_apart(agent: str, scenario: str) -> None:
    told = told_by(agent, RECORDINGS / agent / scenario)
    [session] = [record for record in told if isinstance(record, Session)]
    main, sub = Counter[str](), Counter[str]()
    for turn in turns(told):
        (sub if turn.sub_agent_id else main)[turn.session] += 1
    assert (main, sub) == ({session.session: 5}, {session.session: 2})


@pytest.mark.parametrize("agent", AGENTS)
def test_a_resumed_session_stays_one_and_a_fork_begins_another(agent: str) -> None:
    told = told_by(agent, RECORDINGS / agent / "resume")
    assert len([record for record in told if isinstance(record, Session)]) == 2


@pytest.mark.parametrize(("agent", "folder"), SCENARIOS)
def test_any_cut_into_passes_tells_the_same_turns(agent: str, folder: Path, tmp_path: Path) -> None:
    for number, path in enumerate(logs(agent, folder)):
        copy = tmp_path / str(number) / path.name
        copy.parent.mkdir()
        copy.write_bytes(path.read_bytes())
        size = copy.stat().st_size
        whole = read_lines(AGENTS[agent], copy)
        for cuts in ([size // 2], [size // 7 * step for step in range(1, 7)], list(range(1, size, size // 23 or 1))):
            parts = read_lines_in_passes(AGENTS[agent], copy, cuts)
            assert what_counts(parts) == what_counts(whole)


def what_counts(told: list[Told]) -> dict[object, object]:
    """The turns by key, as the warehouse joins the records of one request: the largest of every count, and a request
    that was answered is not unanswered.
    """
    found: dict[object, dict[str, int]] = {}
    answered = {record.attempt for record in told if isinstance(record, Turn) and record.status == "completed"}
    for record in told:
        if isinstance(record, Turn) and record.key not in answered:
            before = found.setdefault(record.key, {})
            for kind, count in (record.raw_counts or {}).items():
                before[kind] = max(count, before.get(kind, 0))
    return dict(found)


@pytest.mark.parametrize(("agent", "folder"), SCENARIOS)
def test_no_record_holds_a_prompt_or_a_tools_text(agent: str, folder: Path) -> None:
    text = repr(told_by(agent, folder))
    assert not [
        word for word in ("calc", "TASK", "Let me look", "working", "system-reminder", "unittest") if word in text
    ]

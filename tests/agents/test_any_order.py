"""However the lines of logs lie in files, and however often and whenever they are collected: the same totals."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendered import Renderer

from collectors.agents.collect import collect_logs
from collectors.agents.find import Root
from collectors.event_files import schema_of
from collectors.home import Home, resources
from models import EVENTS

STEPS = (
    "stg_events__run_started", "stg_events__turn_completed", "stg_events__tokens_reported", "int_turns",
    "int_usages_reported", "int_usage_sources", "int_usages", "int_usage_terms", "int_usage_kinds", "int_usage_sides",
    "int_usage_tokens",
)  # fmt: skip
TOTALS = """
    select count(*), sum(input_total_tokens)::bigint, sum(cache_read_tokens)::bigint, sum(output_total_tokens)::bigint
    from int_usage_tokens
"""
EXAMPLES = settings(max_examples=15, deadline=None)


@pytest.fixture(scope="module")
def steps() -> list[str]:
    """The SQL from events to tokens, one table a step."""
    renderer = Renderer()
    return [f"create table {name} as {renderer.model(name)}" for name in STEPS]


def totals(home: Home, steps: list[str]) -> tuple[int, int, int, int]:
    """Requests, input, cache reads and output, as the warehouse counts them."""
    with duckdb.connect() as connection:
        connection.execute("set TimeZone='UTC'; create schema events")
        for name, kind in EVENTS.items():
            empty = schema_of(kind).empty_table()
            files = sorted(str(path) for path in (home.events / name).glob("month=2*/*.parquet"))
            connection.register(f"empty_{name}", empty)
            told = f" union all by name select * from read_parquet({files}, union_by_name = true)" if files else ""
            connection.execute(f"create view events.{name} as select * from empty_{name}{told}")
        for path in (resources("dbt_project") / "seeds").glob("*.csv"):
            connection.execute(f"create table {path.stem} as select * from read_csv('{path}')")
        for step in steps:
            connection.execute(step)
        [row] = connection.execute(TOTALS).fetchall()
    return row


def claude_lines() -> list[bytes]:
    """Eight requests of a session, with sub-agents: each grows over up to four lines."""
    lines = []
    for number in range(8):
        final = 100 + number
        outputs = [1, 3, 3, final][number % 4 :]
        for block, output in enumerate(outputs):
            usage = {"input_tokens": 10 + number, "cache_read_input_tokens": 1000 * number, "output_tokens": output}
            message = {
                "id": f"m{number}", "model": "claude-sonnet-4-5", "usage": usage,
                "stop_reason": "end_turn" if output == final else None,
                "content": [{"type": "tool_use", "id": f"t{number}-{block}", "name": "Bash"}],
            }  # fmt: skip
            lines.append(
                {"type": "assistant", "timestamp": f"2026-06-01T10:{number:02}:0{block}.000Z", "sessionId": "S",
                 "requestId": f"r{number}", "isSidechain": number > 5, "message": message}
            )  # fmt: skip
    return [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines]


CLAUDE_TOTALS = (
    8,
    sum(10 + number + 1000 * number for number in range(8)),
    sum(1000 * number for number in range(8)),
    sum(100 + number for number in range(8)),
)


def codex_lines() -> list[bytes]:
    """Eight responses of a thread, each with a record of its own."""
    told: list[dict[str, Any]] = []
    for number in range(8):
        usage = {
            "input_tokens": 1000 + number, "cached_input_tokens": 10 * number, "output_tokens": 50,
            "total_tokens": 1050 + number,
        }  # fmt: skip
        payload = {"response_id": f"resp{number}", "usage": usage}
        told.append({"timestamp": f"2026-06-01T11:0{number}:00Z", "type": "token_usage_record", "payload": payload})
    return [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in told]


CODEX_TOTALS = (8, sum(1000 + n for n in range(8)), sum(10 * n for n in range(8)), 8 * 50)


@st.composite
def told_somehow(draw: st.DrawFn, lines: list[bytes], names: list[str]) -> list[tuple[str, bytes]]:
    """The lines in any order, some twice, each in any of the files."""
    extra = draw(st.lists(st.sampled_from(lines), max_size=12))
    order = draw(st.permutations([*lines, *extra]))
    return [(draw(st.sampled_from(names)), line) for line in order]


def collected(agent: str, told: list[tuple[str, bytes]], passes: int, seed: int, steps: list[str]) -> Any:
    """The totals after the files were collected so many times while they grew, cut anywhere, also within a line."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "logs", Home(Path(folder) / "warehouse")
        texts: dict[str, bytes] = {}
        for name, line in told:
            texts[name] = texts.get(name, b"") + line
        cuts = {
            name: sorted(chance.randrange(len(text) + 1) for _ in range(passes - 1)) for name, text in texts.items()
        }
        for number in range(passes):
            for name, text in texts.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text[: cuts[name][number] if number < passes - 1 else len(text)])
            collect_logs([Root(agent, root, "default")], home)
        return totals(home, steps)


CLAUDE_FILES = ["S.jsonl", "S/subagents/agent-1.jsonl", "S/subagents/agent-aside_question-3.jsonl", "F.jsonl"]


@EXAMPLES
@given(told=told_somehow(claude_lines(), CLAUDE_FILES), passes=st.integers(1, 4), seed=st.integers(0, 99))
def test_claude_codes_lines_in_any_order_files_and_passes_have_the_same_totals(
    steps: list[str], told: list[tuple[str, bytes]], passes: int, seed: int
) -> None:
    assert collected("claude-code", told, passes, seed, steps) == CLAUDE_TOTALS


CODEX_FILES = ["rollout-1-a.jsonl", "2026/06/01/rollout-2-b.jsonl", "rollout-3-c.jsonl"]


@EXAMPLES
@given(told=told_somehow(codex_lines(), CODEX_FILES), passes=st.integers(1, 4), seed=st.integers(0, 99))
def test_codexs_records_in_any_order_files_and_passes_have_the_same_totals(
    steps: list[str], told: list[tuple[str, bytes]], passes: int, seed: int
) -> None:
    assert collected("codex", told, passes, seed, steps) == CODEX_TOTALS

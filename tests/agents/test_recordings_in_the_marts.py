"""All recordings of all agents, collected and built once: the marts count what the servers say that they served."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from agent_logs import RECORDINGS, served_totals
from filelock import FileLock

from app.warehouse.build import build
from app.warehouse.query import connect
from collectors.agents.collect import collect_logs
from collectors.agents.find import given_roots
from collectors.agents.registry import AGENTS
from collectors.home import Home

Marts = duckdb.DuckDBPyConnection
SCENARIOS = sorted(
    path.relative_to(RECORDINGS).as_posix() for path in RECORDINGS.glob("*/*") if (path / "served.jsonl").exists()
)
NOT_IN_THE_LOG = {"mini-swe-agent/nocost": (0, 0, 0)}
"""mini-swe-agent stops for want of a price before it writes the paid reply down."""


def collect_everything(folder: Path, home: Home) -> None:
    """Every recording below one folder; opencode's databases are made of their dumps."""
    shutil.copytree(RECORDINGS, folder)
    for dump in folder.rglob("*.db.sql"):
        with sqlite3.connect(dump.with_suffix("")) as database:
            database.executescript(dump.read_text(encoding="utf-8"))
        database.close()
        dump.unlink()
    collect_logs(given_roots(folder, list(AGENTS)), home)


@pytest.fixture(scope="session")
def marts(session_folder: Path) -> Iterator[Marts]:
    """The marts of all recordings, made by whichever worker comes first."""
    home = Home(session_folder / "recordings-home")
    with FileLock(session_folder / "recordings-home.lock"):
        if home.current_build() is None:
            shutil.rmtree(session_folder / "recordings", ignore_errors=True)
            collect_everything(session_folder / "recordings", home)
            build(home)
    with connect(home) as connection:
        yield connection


@pytest.fixture(scope="session")
def counted(marts: Marts) -> dict[str, tuple[int, int, int]]:
    """Scenario -> requests, input and output tokens, by where the turn that counts was read."""
    rows = marts.execute("""
        select regexp_extract(source_ref, 'recordings/([^/]+/[^/]+)/', 1),
            count(input_total_tokens), sum(input_total_tokens)::bigint, sum(output_total_tokens)::bigint
        from marts.fct_turns
        where input_total_tokens is not null
        group by all
    """).fetchall()
    return {scenario: (requests, inputs, outputs) for scenario, requests, inputs, outputs in rows}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_requests_and_both_totals_of_every_recording_equal_what_was_served(
    counted: dict[str, tuple[int, int, int]], scenario: str
) -> None:
    expected = NOT_IN_THE_LOG.get(scenario) or served_totals(RECORDINGS / scenario)
    assert counted.get(scenario, (0, 0, 0)) == expected


def test_a_run_is_the_sum_of_its_requests(marts: Marts) -> None:
    different = marts.execute("""
        select runs.run_id
        from marts.fct_runs as runs
        join (
            select run_id, count(input_total_tokens) as requests, sum(input_total_tokens) as inputs,
                sum(output_total_tokens) as outputs
            from marts.fct_turns group by run_id
        ) as turns using (run_id)
        where (runs.requests, runs.input_total_tokens, runs.output_total_tokens)
            is distinct from (turns.requests, turns.inputs, turns.outputs)
    """).fetchall()
    assert different == []


def test_what_a_log_cannot_know_is_told_by_name(marts: Marts) -> None:
    told = marts.execute("""
        select distinct harness, usage_reason from marts.fct_runs
        where usage_status = 'lower_bound' and harness in ('claude-code', 'opencode', 'mini-swe-agent') order by all
    """).fetchall()
    assert ("claude-code", "1 request without a reply in the log") in told
    assert ("mini-swe-agent", "1 request without a reply in the log") in told
    assert all("not logged: the title request of a session" in reason for agent, reason in told if agent == "opencode")


def test_no_recording_leaves_a_conflict_or_a_record_set_aside(marts: Marts) -> None:
    found = marts.execute("""
        select check_name, detail from marts.data_quality_findings
        where check_name in ('conflicting_facts', 'record_set_aside', 'usage_identity')
    """).fetchall()
    assert found == []

"""Logs into the store: found, read on, appended once, whoever is killed or races whom."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from agent_logs import RECORDINGS
from commands import meterhouse, start

from collectors.agents import collect as collecting
from collectors.agents.collect import collect_logs
from collectors.agents.find import default_roots, given_roots
from collectors.agents.registry import AGENTS
from collectors.event_files import read_events
from collectors.home import Home
from collectors.store import LocalStore
from models import Event, RecordSetAside, RunStarted, TokensReported, TurnCompleted

SECRETS = (
    "FAKE-bearer-000000000000", "sk-ant-FAKE0000000000000000", "AIzaFAKE00000000000000000000000000000",
    "AKIAFAKE000000000000", "sk-proj-FAKE00000000000000",
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "warehouse")


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A user's home folder with the logs of two agents."""
    folder = tmp_path / "user"
    for agent, scenario in (("claude-code", "subagent"), ("codex", "resume")):
        shutil.copytree(RECORDINGS / agent / scenario / "home", folder, dirs_exist_ok=True)
    return folder


def collect(path: Path, home: Home) -> collecting.CollectedAll:
    return collect_logs(given_roots(path, list(AGENTS)), home)


def stored(home: Home) -> list[Event]:
    """Every event in the store, schema files left out."""
    files = [path for paths in LocalStore(home.events).files().values() for path in paths[1:]]
    return [event for path in files for event in read_events(path)]


def ids(home: Home) -> list[str]:
    return sorted(event.event_id for event in stored(home))


def test_every_event_of_a_log_is_one_that_its_contract_makes(user: Path, home: Home) -> None:
    collect(user, home)
    events = stored(home)  # read back through the contracts, which refuse what is none
    assert LocalStore(home.events).verify() == []
    kinds = {kind: sum(type(event) is kind for event in events) for kind in (RunStarted, TurnCompleted, TokensReported)}
    assert kinds == {RunStarted: 3, TurnCompleted: 19, TokensReported: 19}


def test_nothing_new_appends_nothing(user: Path, home: Home) -> None:
    first = collect(user, home)
    before = sorted(path.name for path in home.events.rglob("*.parquet"))
    again = collect(user, home)
    assert (first.events, again.events, [each.logs_read for each in again.roots]) == (41 + 1, 0, [0, 0])
    assert sorted(path.name for path in home.events.rglob("*.parquet")) == before


def test_only_what_a_log_grew_by_is_read(user: Path, home: Home) -> None:
    [log] = (user / ".claude/projects").glob("*/*.jsonl")
    text = log.read_bytes()
    at = text.rindex(b"\n", 0, len(text) // 2) + 1
    log.write_bytes(text[:at])
    collect(user, home)
    log.write_bytes(text)
    collect(user, home)
    turns = [event for event in stored(home) if isinstance(event, TurnCompleted) and event.session_id == log.stem]
    offsets = [turn.source_offset or 0 for turn in turns]
    assert len({turn.turn_id for turn in turns if turn.status == "completed"}) == 5
    assert min(offsets) < at <= max(offsets)


def test_logs_in_two_processes_are_the_logs_in_one(
    user: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect(user, home)
    monkeypatch.setattr(collecting, "SECOND_PROCESS_FROM_BYTES", 0)
    other = Home(tmp_path / "other")
    done = collect(user, other)
    assert (ids(other), done.events) == (ids(home), len(ids(home)))
    assert collect(user, other).events == 0


def test_an_event_file_that_is_gone_comes_back(user: Path, home: Home) -> None:
    collect(user, home)
    before = ids(home)
    for path in (home.events / "tokens_reported").glob("month=2*/*.parquet"):
        path.unlink()
    collect(user, home)
    assert sorted(set(ids(home))) == sorted(set(before))


def test_progress_that_is_lost_or_broken_costs_a_reading_and_nothing_else(user: Path, home: Home) -> None:
    collect(user, home)
    before = ids(home)
    for path in home.progress.rglob("*.json"):
        path.write_text("{half")
    assert [each.logs_read for each in collect(user, home).roots] == [2, 2]
    assert ids(home) == before


def test_a_line_that_is_not_understood_is_set_aside_with_file_and_place(user: Path, home: Home) -> None:
    [log] = (user / ".claude/projects").glob("*/*.jsonl")
    size = log.stat().st_size
    with log.open("ab") as file:
        file.write(b'{"type":"assistant","message":{"id":"m","usage":{"input_tokens":"many","output_tokens":1}}}\n')
    collect(user, home)
    [aside] = [event for event in stored(home) if isinstance(event, RecordSetAside)]
    assert (aside.collector, aside.record_offset, aside.path) == (
        "claude-code", size, f"projects/-workspace-repo/{log.name}",
    )  # fmt: skip
    assert aside.reason == "not as expected: Expected `int`, got `str` - at `$.message.usage.input_tokens`"


def test_c57_no_secret_lands_wherever_it_stands_in_a_log(user: Path, home: Home) -> None:
    [log] = (user / ".claude/projects").glob("*/*.jsonl")
    planted = {name: f"{name} {secret}" for name, secret in zip("abcde", SECRETS, strict=True)}
    for number, secret in enumerate(SECRETS):
        line: dict[str, Any] = {
            "type": "assistant", "timestamp": "2026-06-01T10:00:00Z", "version": secret,
            "requestedModel": f"x {secret}",
            "request": {"headers": {"authorization": f"Bearer {secret}", "x-api-key": secret}}, "env": planted,
            "requestId": f"r-{secret}", "agentId": secret, "isSidechain": True, "cwd": f"/project/{secret}",
            "message": {"id": f"plant{number}", "model": secret, "stop_reason": secret,
                "content": [{"type": "tool_use", "id": "t", "name": secret}],
                "usage": {"input_tokens": 1000, "output_tokens": 100}},
        }  # fmt: skip
        with log.open("a") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.write(json.dumps({**line, "message": {"usage": secret}}, separators=(",", ":")) + "\n")
    ended = meterhouse(home, "collect", "agents", str(user))
    events = [
        event for event in stored(home) if isinstance(event, TurnCompleted) and "plant" in (event.message_id or "")
    ]
    assert len(events) == len(SECRETS)
    assert {event.llm_answered for event in events} == {
        "FAKE-bearer-000000000000", "[redacted:anthropic_key]", "[redacted:google_key]", "[redacted:aws_key]",
        "[redacted:openai_key]",
    }  # fmt: skip
    everything = [path.read_bytes() for path in home.path.rglob("*") if path.is_file() and path.suffix != ".parquet"]
    everything += [str(pq.read_table(path).to_pylist()).encode() for path in home.events.rglob("*.parquet")]
    found = [secret for secret in SECRETS[1:] for text in (*everything, ended.stdout.encode(), ended.stderr.encode())
             if secret.encode() in text]  # fmt: skip
    assert found == []


@pytest.mark.parametrize(
    "text", ["ASIAPACIFIC", "msg_01a22e27daf871938b7b2dbe21ca267b", "req_fake00001", "sk-1", "task-9"]
)
def test_c57_what_merely_looks_random_is_kept(text: str) -> None:
    from collectors.redact import redacted

    assert redacted(f"a {text} b") == f"a {text} b"


def test_logs_are_found_where_variables_say_and_else_by_default(tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    found = {(root.agent, root.path, root.found_by) for root in default_roots(
        {"CLAUDE_CONFIG_DIR": str(moved), "HOME": "/elsewhere"}, tmp_path / "user", ["claude-code", "codex"],
    )}  # fmt: skip
    assert ("claude-code", moved / "projects", "CLAUDE_CONFIG_DIR") in found
    assert ("codex", tmp_path / "user/.codex/sessions", "default") in found


def run(home: Home, *arguments: str, user: Path) -> tuple[int, str, str]:
    """A collect of a user's own logs; its exit code and what it says."""
    moved = [variable for agent in AGENTS.values() for place in agent.places if (variable := place.variable)]
    ended = meterhouse(home, "collect", *arguments, HOME=str(user), **dict.fromkeys(moved, ""))
    return ended.returncode, ended.stdout.replace(str(user), "~"), ended.stderr.replace(str(user), "~")


def test_collect_agents_says_what_it_found_and_what_it_did_not(user: Path, home: Home) -> None:
    code, said, complained = run(home, "agents", user=user)
    lines = said.splitlines()
    assert (code, complained) == (0, "")
    assert lines[:2] == [
        "claude-code: 7 requests and 1 new session from 2 logs of ~/.claude/projects",
        "codex: 12 requests and 2 new sessions from 2 logs of ~/.codex/sessions",
    ]
    assert lines[2].startswith("not found: ")
    assert run(home, "agents", user=user)[1].splitlines()[:2] == [
        "claude-code: nothing new in 2 logs of ~/.claude/projects",
        "codex: nothing new in 2 logs of ~/.codex/sessions",
    ]


def test_c51_a_known_folder_without_a_log_is_no_data_and_no_clean_zero(tmp_path: Path, home: Home) -> None:
    (tmp_path / "user/.codex/sessions").mkdir(parents=True)
    code, _, complained = run(home, "agents", user=tmp_path / "user")
    assert (code, complained) == (
        1, "meterhouse: codex: no data found: expected Codex rollouts (sessions/YYYY/MM/DD/rollout-*.jsonl)"
        " in ~/.codex/sessions\n",
    )  # fmt: skip


def test_a_machine_without_agents_and_a_path_without_logs_are_said_in_one_line(tmp_path: Path, home: Home) -> None:
    nobody = tmp_path / "nobody"
    nobody.mkdir()
    assert run(home, "agents", user=nobody)[0::2] == (
        1, "meterhouse: no agent keeps logs here: none of "
        f"{sum(len(agent.places) for agent in AGENTS.values())} default folders exists\n",
    )  # fmt: skip
    assert run(home, "codex", str(nobody), user=nobody)[0::2] == (
        1, f"meterhouse: expected logs of an agent under {'~'}, found none; nothing was collected\n",
    )  # fmt: skip
    assert run(home, "agents", str(nobody / "gone"), user=nobody)[0] == 2


def test_only_regular_files_are_read_and_no_loop_is_followed(user: Path, home: Home) -> None:
    folder = user / ".claude/projects/-workspace-repo"
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "gone.jsonl").symlink_to(folder / "nowhere.jsonl")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    done = collect(user, home)
    assert [(each.root.agent, each.logs) for each in done.roots if each.logs] == [("claude-code", 2), ("codex", 2)]


def test_a_collect_that_is_killed_and_run_again_leaves_what_one_collect_leaves(
    user: Path, home: Home, tmp_path: Path
) -> None:
    collect(user, home)
    other = Home(tmp_path / "killed")
    for seconds in (0.2, 0.4, 0.6, 0.8):
        process = start(other, "collect", "agents", str(user))
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert meterhouse(other, "collect", "agents", str(user)).returncode == 0
    assert sorted(set(ids(other))) == ids(home)


def test_two_collects_at_once_lose_and_double_nothing(user: Path, home: Home, tmp_path: Path) -> None:
    collect(user, home)
    other = Home(tmp_path / "raced")
    racing = [start(other, "collect", "agents", str(user)) for _ in range(2)]
    assert [process.communicate() and process.returncode for process in racing] == [0, 0]
    assert sorted(set(ids(other))) == ids(home)

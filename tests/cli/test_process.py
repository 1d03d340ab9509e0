"""The command as a process: pipes, signals, terminals, ports."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from commands import in_terminal, start

from collectors.home import Home

LONG = "select count(*) from range(1_000_000_000_000) as numbers (i) where i % 7 = 3"


def test_a_closed_pipe_ends_a_command_without_a_word(published: Home) -> None:
    process = start(published, "sql", "select range from range(1_000_000)", "--format", "csv")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "range\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == -signal.SIGPIPE
    process.stderr.close()


def test_ctrl_c_is_exit_130_without_a_word(published: Home) -> None:
    process = start(published, "sql", LONG)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 130


@pytest.mark.parametrize(("command", "after_s"), [("demo", 2), ("build", 2), ("build", 10)])
def test_ctrl_c_in_the_middle_of_long_work_is_exit_130_without_a_word(empty: Home, command: str, after_s: int) -> None:
    process = start(empty, command)
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 130
    assert empty.current_build() is None


def test_a_spinner_turns_only_where_a_terminal_watches(published: Home, empty: Home) -> None:
    assert "\r\x1b[K⠋ reading every file (0 s)" in in_terminal(published, "verify")
    assert start(published, "verify").communicate()[1] == ""


def test_doctor_and_sql_print_no_colour(published: Home) -> None:
    assert "\x1b" not in in_terminal(published, "sql", "from costs")
    assert "\x1b" not in in_terminal(published, "doctor")


def served(process: subprocess.Popen[str]) -> str:
    """The URL that the command prints when the app answers."""
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.fullmatch(r"the app is at (http://127\.0\.0\.1:\d+) \(Ctrl-C ends it\)\n", line)
    assert match, line + (process.stderr.read() if process.stderr else "")
    return match[1]


@pytest.fixture
def foreign_folder(tmp_path: Path) -> Path:
    """A folder with packages of our names that are not ours."""
    for name in ("app", "models", "collectors"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('not this one')")
    return tmp_path


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_app_starts_on_a_free_port_says_where_and_ends_cleanly(
    published: Home, ending: signal.Signals, foreign_folder: Path
) -> None:
    with socket.socket() as busy:
        try:
            busy.bind(("127.0.0.1", 8501))
            busy.listen()
        except OSError:
            pass  # somebody else keeps it busy
        process = start(published, "app", cwd=foreign_folder)
        url = served(process)
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=30) as answer:
            assert answer.read() == b"ok"
        assert not url.endswith(":8501")
    process.send_signal(ending)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(url.rsplit(":", 1)[1]))) != 0


def test_a_port_asked_for_that_is_busy_is_one_line(published: Home) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        process = start(published, "app", "--port", str(port))
        line = f"meterhouse: expected port {port} to be free, it is in use; choose another, or leave out --port\n"
        assert process.communicate(timeout=60) == ("", line)
    assert process.returncode == 1

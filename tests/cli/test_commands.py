from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import meterhouse
from tiny import attempt

from app import cli
from app.commands import collect
from collectors.home import Home
from collectors.results import COLLECTORS
from collectors.store import LocalStore

COMMANDS = ["demo", "collect", "build", "sql", "verify", "prune", "app", "doctor"]


@pytest.fixture
def instances(tmp_path: Path) -> Path:
    """A folder with one readable SWE-bench result."""
    folder = tmp_path / "results"
    folder.mkdir()
    attempts = {"django__django-1": {"resolved": True, "cost": 0.5, "api_calls": 3}}
    (folder / "good.json").write_text(json.dumps({"some-model": attempts}))
    (folder / "arm.yaml").write_text("dataset: swe-bench-verified\ndate: 2026-06-01\n")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_it_exits_with_and_gives_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Exits 0" in text
    assert f"meterhouse {command}" in text.split("Example")[1]
    assert max(map(len, text.splitlines())) <= 80


def test_help_names_every_source(capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["collect", "--help"])
    text = capsys.readouterr().out
    assert [name for name in COLLECTORS if name not in text] == []


def test_help_and_version_start_without_the_heavy_libraries() -> None:
    heavy = {"duckdb", "pyarrow", "pandas", "dbt", "streamlit"}
    script = f"import sys, app.cli; print(sorted({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope"], "meterhouse: No such command 'nope'; see `meterhouse --help`"),
        (["collect"], "meterhouse: Missing argument 'source'; see `meterhouse collect --help`"),
        (["build", "--as-off", "x"], "meterhouse: No such option: --as-off (Possible options: --as-of)"),
        (["build", "--as-of", "soon"], "meterhouse: expected a date like 2026-11-30 or a time like"),
        (
            ["prune", "--older-than", "long"],
            "meterhouse: expected an age like 30m, 24h or 7d for --older-than, got 'long'",
        ),
        (
            ["collect", "nobody", "."],
            "meterhouse: expected a source (openhands-index, reference-benchmark, swe-bench), got 'nobody'",
        ),
        (["app", "--port", "0"], "meterhouse: Invalid value for '--port': Input should be greater than or equal to 1"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(arguments: list[str], line: str, empty: Home) -> None:
    run = meterhouse(empty, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(line)
    assert run.stderr.count("\n") == 1


def test_a_missing_path_is_exit_2_and_the_other_paths_land(empty: Home, instances: Path, tmp_path: Path) -> None:
    run = meterhouse(empty, "collect", "swe-bench", str(tmp_path / "gone"), str(instances))
    gone = f"a folder or file at {tmp_path / 'gone'}, found nothing there; check the path"
    assert (run.returncode, run.stderr) == (2, f"meterhouse: swe-bench: expected {gone}\n")
    assert run.stdout.startswith("swe-bench: ")
    assert meterhouse(empty, "collect", "swe-bench", str(instances)).stdout == (
        f"swe-bench: nothing new in {instances} (1 unchanged)\n"
    )


def test_a_folder_with_nothing_of_the_source_is_exit_1(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    run = meterhouse(empty, "collect", "openhands-index", str(tmp_path / "nothing"))
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (1, "", 1)
    assert "nothing was collected" in run.stderr


def test_a_truncated_file_is_set_aside_by_name_and_the_rest_lands(empty: Home, instances: Path) -> None:
    (instances / "bad.json").write_text('{"some-model": {"x": {"resol')
    run = meterhouse(empty, "collect", "swe-bench", str(instances), "--json")
    [summary] = json.loads(run.stdout)
    assert run.returncode == 1
    assert [record["path"] for record in summary["set_aside"]] == ["results/bad.json"]
    assert run.stderr == (
        "meterhouse: swe-bench: set aside results/bad.json at 1: not JSON: unterminated string starting at"
        " (line 1, column 23)\n"
    )
    assert summary["events"] > 1


def test_verify_names_a_damaged_file_and_is_exit_1(empty: Home) -> None:
    [path] = LocalStore(empty.events).append([attempt("a")]).files
    assert meterhouse(empty, "verify").stdout.endswith("are what was written\n")
    path.write_bytes(path.read_bytes()[:-20])
    run = meterhouse(empty, "verify", "--json")
    assert (run.returncode, [row["path"] for row in json.loads(run.stdout)]) == (1, [str(path)])
    assert run.stderr == (
        "meterhouse: expected sound files, found 1 that are not; move them away, then collect and build again\n"
    )


def test_verify_finds_a_published_mart_that_was_changed(published: Home, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(published.path), str(copy)], check=True)
    mart = Home(copy).marts() / "costs.parquet"
    mart.write_bytes(mart.read_bytes()[:-1] + b"x")
    run = meterhouse(Home(copy), "verify", "--json")
    assert (run.returncode, json.loads(run.stdout)) == (
        1,
        [{"path": str(mart), "reason": "is not the file that was published"}],
    )


def test_doctor_names_the_command_that_helps_and_is_exit_0_when_nothing_is_broken(empty: Home) -> None:
    found = json.loads(meterhouse(empty, "doctor", "--json").stdout)
    assert [(each["status"], each["check"], each["fix"]) for each in found] == [
        ("ok", "packages", None),
        ("note", "home", "meterhouse demo"),
        ("note", "build", "meterhouse build"),
    ]


def test_doctor_is_exit_1_when_current_names_a_build_that_is_not_there(empty: Home) -> None:
    LocalStore(empty.events).append([attempt("a")])
    empty.current.write_text("0123456789abcdef\n")
    run = meterhouse(empty, "doctor")
    assert run.returncode == 1
    assert (
        "broken  build: CURRENT names 0123456789abcdef, which is not whole\n          fix: meterhouse build"
        in run.stdout
    )
    assert "events: run_started 1" in run.stdout


def test_doctor_sees_that_the_events_are_newer_than_the_marts(published: Home) -> None:
    text = meterhouse(published, "doctor").stdout
    assert (
        "note    build: events or dbt files are newer than what is published\n          fix: meterhouse build" in text
    )


def test_prune_says_what_went(empty: Home) -> None:
    (empty.builds / "0123456789abcdef").mkdir(parents=True)
    run = meterhouse(empty, "prune", "--older-than", "0s", "--json")
    assert [row["kind"] for row in json.loads(run.stdout)] == ["superseded build"]
    assert meterhouse(empty, "prune").stdout == "removed 0 things, 0.0 MB\n"


def test_what_nobody_foresaw_is_one_line_and_a_traceback_only_with_debug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(collect, "collect_one", broken)
    assert cli.run(["collect", "swe-bench", "."]) == 1
    assert capsys.readouterr().err == (
        "meterhouse: unexpected ZeroDivisionError: two lines; run it with --debug and report this\n"
    )
    with pytest.raises(ZeroDivisionError):
        cli.run(["collect", "swe-bench", ".", "--debug"])


def test_a_home_that_cannot_be_written_is_one_line(instances: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = meterhouse(Home(tmp_path / "file" / "home"), "collect", "swe-bench", str(instances))
    assert (run.returncode, run.stderr.count("\n")) == (1, 1)
    assert run.stderr.startswith(f"meterhouse: {tmp_path / 'file' / 'home'}")
    assert run.stderr.endswith(": Not a directory\n")

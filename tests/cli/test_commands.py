from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from commands import meterhouse
from tiny import attempt

from app import cli
from app.commands import collect
from collectors.agents.registry import AGENTS
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
    assert [name for name in ("agents", *AGENTS, *COLLECTORS) if name not in text] == []


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
            "meterhouse: expected a source (agents, openhands-index, reference-benchmark, swe-bench), got 'nobody'",
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


def in_process(home: Home, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("METERHOUSE_HOME", str(home.path))
        code = cli.run([*arguments])
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("below", ["file", "file/home", "dangling"])
def test_a_home_that_can_be_no_folder_is_one_line_that_says_what_to_set(below: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    home, first = tmp_path / below, tmp_path / below.partition("/")[0]
    more = {"collect": ["swe-bench", "."], "sql": ["select 1"]}
    came = {command: in_process(Home(home), command, *more.get(command, [])) for command in COMMANDS}
    line = f"meterhouse: expected a folder for events and marts at {home}, {first} is none"
    told = f"{line}; move it away, or set METERHOUSE_HOME to a folder\n"
    assert came == dict.fromkeys(COMMANDS, (2, "", told))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "file"]


NO_IDS = [b"", b"\n", b"\xff\xfe", b"\0" * 20, b"x" * 5000, b"../../etc", b"0123456789abcdef"]


@pytest.mark.parametrize("content", NO_IDS)
def test_a_current_that_names_no_build_is_told_with_a_remedy_and_nothing_is_lost(
    published: Home, tmp_path: Path, content: bytes
) -> None:
    home = Home(shutil.copytree(published.path, tmp_path / "copy"))
    home.current.write_bytes(content)
    code, out, _ = in_process(home, "doctor")
    assert (code, "which is not whole\n          fix: meterhouse build\n" in out) == (1, True)
    code, out, _ = in_process(home, "verify", "--json")
    assert (code, json.loads(out)) == (1, [{"path": str(home.current), "reason": "names no build that is there"}])
    line = f"meterhouse: expected {home.current} to name a build that is there; run `meterhouse build` first\n"
    assert in_process(home, "prune", "--older-than", "0s") == (1, "", line)
    code, out, err = in_process(home, "sql", "select 1")
    assert (code, out, err.count("\n"), "`build`" in err) == (1, "", 1, True)
    assert [path.name for path in home.builds.iterdir()] == [published.current_build()]


def test_a_current_that_is_a_folder_is_told_with_a_remedy(published: Home, tmp_path: Path) -> None:
    home = Home(shutil.copytree(published.path, tmp_path / "copy"))
    home.current.unlink()
    home.current.mkdir()
    line = f"expected {home.current} to name a build: Is a directory; move it away, then run `meterhouse build`"
    for command in (["verify"], ["prune"], ["sql", "select 1"]):
        assert in_process(home, *command) == (1, "", f"meterhouse: {line}\n")
    code, out, _ = in_process(home, "doctor")
    assert (code, f"broken  build: {line}\n" in out) == (1, True)


def test_verify_names_an_event_file_that_is_gone_though_a_collect_or_the_build_names_it(
    published: Home, tmp_path: Path, instances: Path
) -> None:
    home = Home(shutil.copytree(published.path, tmp_path / "copy"))
    built = [path for path in sorted(home.events.rglob("*.parquet")) if "month=0000-00" not in path.parts]
    meterhouse(home, "collect", "swe-bench", str(instances))
    collected = [path for path in home.events.rglob("*.parquet") if path not in built]
    collected = sorted(path for path in collected if "month=0000-00" not in path.parts)
    built[0].unlink()
    collected[0].unlink()
    run = meterhouse(home, "verify", "--json")
    assert (run.returncode, json.loads(run.stdout)) == (
        1,
        sorted(
            [
                {"path": str(built[0]), "reason": "is gone; the published build was made of it"},
                {"path": str(collected[0]), "reason": "is gone; a collect wrote it"},
            ],
            key=lambda row: row["path"],
        ),
    )
    meterhouse(home, "collect", "swe-bench", str(instances))
    assert [row["path"] for row in json.loads(meterhouse(home, "verify", "--json").stdout)] == [str(built[0])]


def test_verify_says_what_it_looked_at(empty: Home, published: Home) -> None:
    LocalStore(empty.events).append([attempt("a")])
    assert meterhouse(empty, "verify").stdout == "1 event files (nothing is published yet) are what was written\n"
    assert meterhouse(published, "verify").stdout.endswith("event files and the published marts are what was written\n")


def test_a_home_that_cannot_be_written_is_one_line(instances: Path, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.path.mkdir()
    home.events.write_text("")
    run = meterhouse(home, "collect", "swe-bench", str(instances))
    assert (run.returncode, run.stderr) == (1, f"meterhouse: {home.events}: File exists\n")


def test_a_name_with_line_breaks_and_escapes_is_told_in_one_line(tmp_path: Path, instances: Path) -> None:
    rows = {"some\nmodel\x1b[31m": {"a\nb": {"resolved": "yes"}, "c": {"resolved": True}}}
    (instances / "bad.json").write_text(json.dumps(rows))
    code, _, err = in_process(Home(tmp_path / "home"), "collect", "swe-bench", str(instances))
    told = r"some\nmodel\x1b[31m a\nb: resolved: expected true or false, came a text"
    assert (code, err) == (1, f"meterhouse: swe-bench: set aside results/bad.json: {told}\n")

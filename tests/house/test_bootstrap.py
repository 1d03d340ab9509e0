"""The environment's maker against pretended Pythons: shell scripts that answer as an interpreter of that kind would."""

import ast
import json
import sys
import threading
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from app import bootstrap

CHECKOUT = Path(__file__).parents[2]
SCRIPT = """#!/bin/sh
PATH=/usr/bin:/bin
if [ "$2" = -c ]; then echo '{answer}'; exit; fi
echo "{name} $*" >> '{calls}'
if [ "$3" = venv ]; then mkdir -p "$4/bin" && cp "$0" "$4/bin/python"; exit; fi
{pip}
"""
PIP = "-I -m pip install --quiet --no-input --no-user --disable-pip-version-check"
LOCKED = f"{PIP} --only-binary :all: --require-hashes --requirement"
PROJECT = f"{PIP} --no-index --no-deps --no-build-isolation --editable ."


class Machine(NamedTuple):
    checkout: Path
    path: Path
    calls_file: Path

    def has(
        self,
        name: str,
        version: str = "3.12.1",
        modules: tuple[str, ...] = ("venv", "ensurepip", "pip"),
        standard: bool = True,
        pip: str = "exit 0",
    ) -> None:
        python = self.path / name
        minor = [int(part) for part in version.split(".")[:2]]
        answer = {"path": str(python), "version": version, "minor": minor, "standard": standard, "modules": modules}
        python.write_text(SCRIPT.format(answer=json.dumps(answer), name=name, calls=self.calls_file, pip=pip))
        python.chmod(0o755)

    def calls(self) -> list[str]:
        """The commands run since the last look, the checkout's folder shown as `.`."""
        text = self.calls_file.read_text() if self.calls_file.exists() else ""
        self.calls_file.unlink(missing_ok=True)
        return text.replace(str(self.checkout), ".").splitlines()

    def made(self, dev: bool = False) -> list[str]:
        bootstrap.ensure_environment(self.checkout, dev)
        return self.calls()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path / "a checkout", tmp_path / "bin", tmp_path / "calls")
    machine.checkout.mkdir()
    machine.path.mkdir()
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (machine.checkout / name).write_text(name)
    monkeypatch.setenv("PATH", str(machine.path))
    monkeypatch.setattr(sys, "executable", str(machine.path / "python3"))
    monkeypatch.setattr(bootstrap, "ROOT", machine.checkout)
    return machine


def steps(python: str, lock: str = "requirements.lock", anew: bool = True) -> list[str]:
    venv = [f"{python} -I -m venv ./.venv"] if anew else []
    return [*venv, f"{python} {LOCKED} ./{lock}", f"{python} {PROJECT}"]


def test_first_run_makes_and_second_run_does_nothing(machine: Machine) -> None:
    machine.has("python3")
    assert machine.made() == steps("python3")
    assert machine.made() == []


def test_a_changed_lock_is_installed_into_the_same_environment(machine: Machine) -> None:
    machine.has("python3")
    machine.made()
    (machine.checkout / "requirements.lock").write_text("newer")
    assert machine.made() == steps("python3", anew=False)


def test_the_tools_environment_serves_the_commands_and_not_the_other_way_round(machine: Machine) -> None:
    machine.has("python3")
    machine.made()
    assert machine.made(dev=True) == steps("python3", "requirements-dev.lock", anew=False)
    assert machine.made() == []


def test_a_failed_install_is_told_in_one_line_and_made_anew_by_the_next_run(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.has("python3", pip="echo 'ERROR: No matching distribution found for duckdb'; echo noise; exit 1")
    assert bootstrap.main([]) == 1
    problem = capsys.readouterr().err
    assert problem.count("\n") == 1
    assert "ERROR: No matching distribution found for duckdb" in problem
    (machine.checkout / ".venv" / "half").mkdir()
    machine.calls()

    machine.has("python3")
    assert machine.made() == steps("python3")
    assert not (machine.checkout / ".venv" / "half").exists()


def test_an_environment_made_elsewhere_is_made_anew(machine: Machine) -> None:
    machine.has("python3")
    machine.made()
    moved = machine._replace(checkout=machine.checkout.rename(machine.checkout.with_name("moved")))
    assert moved.made() == steps("python3")


def test_an_environment_whose_python_is_gone_is_made_anew(machine: Machine) -> None:
    machine.has("python3")
    machine.made()
    (machine.checkout / ".venv" / "bin" / "python").unlink()
    assert machine.made() == steps("python3")


def test_two_makes_at_once_make_one_environment(machine: Machine) -> None:
    machine.has("python3", pip="sleep 0.2")
    makes = [threading.Thread(target=bootstrap.ensure_environment, args=(machine.checkout, False)) for _ in range(2)]
    for make in makes:
        make.start()
    for make in makes:
        make.join()
    assert machine.calls() == steps("python3")


def test_an_old_python_gives_way_to_a_newer_one_on_the_path(machine: Machine) -> None:
    machine.has("python3", version="3.9.2")
    machine.has("python3.11", version="3.11.4", modules=("venv",))
    machine.has("python3.13", version="3.13.0")
    assert machine.made() == steps("python3.13")


OLD = {"version": "3.6.9"}
NEW = {"version": "3.15.0"}
FREE_THREADED = {"version": "3.14.0", "standard": False}
WITHOUT_VENV = {"version": "3.12.1", "modules": ("venv",)}


@pytest.mark.parametrize(
    ("python", "remedy"),
    [
        (OLD, "`apt install python3.13-venv`"),
        (NEW, "`apt install python3.13-venv`"),
        (FREE_THREADED, "`apt install python3.13-venv`"),
        (WITHOUT_VENV, "`apt install python3.12-venv`"),
    ],
)
def test_a_python_that_will_not_do_gets_one_line_with_the_remedy(
    machine: Machine, capsys: pytest.CaptureFixture[str], python: dict, remedy: str
) -> None:
    machine.has("python3", **python)
    assert bootstrap.main([]) == 1
    problem = capsys.readouterr().err
    assert problem.count("\n") == 1
    assert f"Python {python['version']} at " in problem
    assert remedy in problem
    assert not (machine.checkout / ".venv").exists()


def test_it_runs_on_the_pythons_it_turns_away() -> None:
    source = Path(bootstrap.__file__).read_text()
    ast.parse(source, feature_version=(3, 6))
    imported = {name for node in ast.walk(ast.parse(source)) for name in imports(node)}
    assert imported <= sys.stdlib_module_names


def imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [str(node.module)]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_it_takes_exactly_the_pythons_that_the_package_names() -> None:
    classifiers = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["classifiers"]
    named = {line.rpartition(" ")[2] for line in classifiers if "Python :: 3." in line}
    minors = range(bootstrap.OLDEST[1], bootstrap.NEWEST[1] + 1)
    assert named == {f"3.{minor}" for minor in minors}

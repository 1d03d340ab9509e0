"""What holds for the tree as a whole: its map, its verbs, its locks, and what no file may say."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from app.cli import cli

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
README = (ROOT / "README.md").read_text()
MARTS = sorted(path.stem for path in (ROOT / "dbt_project/models/marts").glob("*.sql"))
COMMANDS = sorted(typer.main.get_command(cli).commands)  # pyright: ignore[reportAttributeAccessIssue]

TOP_LEVEL = {
    ".ci", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
    "README.md", "app", "benchmarks", "collectors", "datasets", "dbt_project", "docs", "models", "pyproject.toml",
    "requirements-dev.lock", "requirements.lock", "tests",
}  # fmt: skip

# Written with brackets, so that this file does not hold what it looks for.
UNSAID = {
    "a folder beside the checkout": r"\.\./share[d]",
    "somebody's machine": r"(?<![\w.])/(wor[k]|roo[t]|User[s])/|(?<![\w.])/hom[e]/(?!user|me|someone)",
    "a registry's host": r"pypi\.or[g]|pythonhoste[d]|npmjs\.(or[g]|co[m])|(deb|security)\.debian\.or[g]",
}


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def test_the_top_level_is_the_map() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in tracked()} == TOP_LEVEL


def test_tests_and_datasets_are_no_packages() -> None:
    folders = ("tests", "datasets")
    assert [
        path for path in tracked() if path.name == "__init__.py" and path.relative_to(ROOT).parts[0] in folders
    ] == []


def test_no_module_of_the_app_is_named_like_a_package() -> None:
    forbidden = {"app", "models", "collectors", "datasets"}
    assert [path for path in (ROOT / "app").rglob("*") if path.stem in forbidden and path.suffix in ("", ".py")] == []


@pytest.mark.parametrize("subject", UNSAID)
def test_no_file_names(subject: str) -> None:
    pattern = re.compile(UNSAID[subject].encode())
    texts = {path.relative_to(ROOT): path.read_bytes() for path in tracked()}
    assert [(path, match.group()) for path, text in texts.items() for match in pattern.finditer(text)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_the_command(command: str) -> None:
    assert f"meterhouse {command}" in README


@pytest.mark.parametrize("mart", MARTS)
def test_the_readme_names_the_mart(mart: str) -> None:
    assert f"`{mart}`" in README


def test_every_verb_of_the_makefile_says_what_it_does_in_at_most_three_commands() -> None:
    makefile = (ROOT / "Makefile").read_text()
    rules = re.findall(r"^([a-z-]+):(.*)\n((?:\t.*\n?)*)", makefile, flags=re.MULTILINE)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)
    assert phony
    assert sorted(phony[1].split()) == sorted(name for name, _, _ in rules)
    assert [name for name, rest, commands in rules if "## " not in rest or commands.count("\n\t") > 2] == []


def test_ci_can_be_run() -> None:
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_the_hooks_need_no_network() -> None:
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [each["repo"] for each in repositories] == ["local"]


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = sorted(int(path.name[:4]) for path in (ROOT / "docs/decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers


def locked(name: str) -> dict[str, set[str]]:
    """Package -> its versions; a package may have one for each range of Pythons."""
    versions: dict[str, set[str]] = {}
    pattern = r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)"
    for package, version in re.findall(pattern, (ROOT / name).read_text(), flags=re.MULTILINE):
        versions.setdefault(package, set()).add(version)
    return versions


def test_the_locks_hold_what_the_project_pins() -> None:
    pinned = {
        name: {version} for name, _, version in (line.partition("==") for line in PYPROJECT["project"]["dependencies"])
    }
    for lock in ("requirements.lock", "requirements-dev.lock"):
        versions = locked(lock)
        assert {name: versions.get(name) for name in pinned} == pinned


def test_the_tools_lock_is_the_other_and_more() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()


def test_every_locked_package_has_its_hashes() -> None:
    for lock in ("requirements.lock", "requirements-dev.lock"):
        without = re.findall(r"^\S+==.*\n(?!    --hash=sha256:)", (ROOT / lock).read_text(), flags=re.MULTILINE)
        assert without == []


def test_what_is_imported_is_what_the_project_depends_on() -> None:
    modules = {"pydantic_core": "pydantic", "yaml": "pyyaml", "dbt": "dbt-core"}
    files = [path for package in ("models", "collectors", "app") for path in (ROOT / package).rglob("*.py")]
    ours = {"models", "collectors", "app"}
    names = {name for path in files if path.name != "picture.py" for name in imports(path)}
    needed = {modules.get(name, name) for name in names - ours - sys.stdlib_module_names}
    declared = {line.partition("==")[0] for line in PYPROJECT["project"]["dependencies"]}
    assert needed | {"dbt-duckdb"} == declared


def imports(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    qualified = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in plain | qualified}

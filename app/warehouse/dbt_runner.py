"""dbt in this process: quiet, one line per failure. dbt takes seconds to import, so it is imported when it runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from app.warehouse.inputs import TARGET
from models.errors import BuildFailed

OnStep = Callable[[int, int], None]
"""Called as each dbt node starts: which of how many."""

LOG = "dbt.log"
"""In the target folder: what dbt said of the last build."""
_BAD = frozenset({"error", "fail", "runtime error"})


def run(project: Path, target_path: Path, folder: Path, database: str, as_of: datetime | None, on_step: OnStep) -> None:
    """Build every model, seed and test of the project into folder/database. Raises BuildFailed."""
    # A relative database path in a working directory of its own: dbt parses everything again when the path changes.
    with chdir(folder), _environment(database, as_of):
        _invoke(_arguments(project, target_path), target_path / LOG, on_step)


def parse(project: Path, target_path: Path, database: str) -> None:
    """Parse the project into the target folder, as a later build of it will need it. Raises BuildFailed."""
    with _environment(database, None):
        _invoke(["parse", *_places(project, target_path)], target_path / LOG, lambda step, steps: None)


def _arguments(project: Path, target_path: Path) -> list[str]:
    return ["build", "--exclude-resource-type", "unit_test", *_places(project, target_path)]


def _places(project: Path, target_path: Path) -> list[str]:
    return [
        *("--target", TARGET),
        *("--project-dir", str(project), "--profiles-dir", str(project)),
        *("--target-path", str(target_path), "--log-path", str(target_path), "--log-level", "none"),
        *("--log-level-file", "none", "--no-use-colors", "--no-send-anonymous-usage-stats"),
    ]


def _invoke(arguments: list[str], log: Path, on_step: OnStep) -> None:
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager
    from dbt.cli.main import dbtRunner

    lines: list[str] = []
    try:
        outcome = dbtRunner(callbacks=[_listener(on_step, lines)]).invoke(arguments)
    finally:
        DuckDBConnectionManager.close_all_connections()
        log.write_text("\n".join(lines), encoding="utf-8")
    if isinstance(outcome.exception, KeyboardInterrupt):
        raise outcome.exception
    if not outcome.success:
        raise BuildFailed("\n".join(_failures(outcome)) + f"; the published marts are untouched, the log is {log}")


def _listener(on_step: OnStep, lines: list[str]) -> Callable[[Any], None]:
    """dbt's own log spells out every event, also those below its level, and takes a twelfth of a build's time."""

    def hear(event: Any) -> None:
        if event.info.name == "LogStartLine":
            on_step(event.data.index, event.data.total)
        if event.info.level != "debug":
            lines.append(f"{event.info.ts.ToJsonString()} {event.info.level}: {event.info.msg}")

    return hear


def _failures(outcome: Any) -> Iterator[str]:
    """One line per node that failed; what was skipped because of it is not repeated."""
    if outcome.exception is not None:
        yield f"build failed: {_one_line(str(outcome.exception))}"
        return
    for result in outcome.result.results:
        if str(result.status) in _BAD:
            yield f"build failed: {result.node.resource_type} {result.node.name}: {_reason(result)}"


def _reason(result: Any) -> str:
    if str(result.status) == "fail":
        return f"{result.failures} rows break it ({result.node.original_file_path})"
    return _one_line(str(result.message))


def _one_line(text: str) -> str:
    """dbt's message without the stack of macros under it."""
    return re.sub(r"\s+", " ", re.split(r"\n\s*> (?:in|called by) ", text)[0]).strip()


@contextmanager
def _environment(database: str, as_of: datetime | None) -> Iterator[None]:
    """What the project reads from its environment."""
    day = as_of.date().isoformat() if as_of else ""
    values = {"METERHOUSE_DUCKDB_PATH": database, "METERHOUSE_AS_OF": day, "DO_NOT_TRACK": "1"}
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

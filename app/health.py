"""What `meterhouse doctor` looks at. Each finding says what was found, and the command that mends it."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Literal

import duckdb

from app.formats import count
from app.warehouse.builds import Published, all_builds, is_whole, leftovers, published
from app.warehouse.inputs import freeze
from app.warehouse.prune import temporary_files
from app.warehouse.query import connect
from collectors.home import Home, resources
from collectors.store import LocalStore
from models.errors import MeterhouseError, NoWarehouse

_BUILD, _PRUNE = "meterhouse build", "meterhouse prune"
_INSTALL = "make demo APP=0, or pip install --force-reinstall meterhouse"


@dataclass(frozen=True)
class Finding:
    """`note`: stale or missing, and nothing is wrong with what is there."""

    status: Literal["ok", "note", "broken"]
    check: str
    found: str
    fix: str | None = None


def findings(home: Home) -> list[Finding]:
    """Every finding, in the order of an event's way through the house."""
    return [_installed(), *_events(home), *_build(home), *_set_aside(home), *_leftovers(home)]


def _installed() -> Finding:
    pins = _pins()
    found = {name: _version(name) for name in pins}
    wrong = [f"{name} {found[name] or 'missing'} (expected {pins[name]})" for name in pins if found[name] != pins[name]]
    if wrong:
        return Finding("broken", "packages", ", ".join(wrong), _INSTALL)
    versions = [f"{name} {found[name]}" for name in ("dbt-core", "dbt-duckdb", "duckdb", "pyarrow", "streamlit")]
    own = [f"meterhouse {version('meterhouse')}", f"Python {platform.python_version()}"]
    return Finding("ok", "packages", ", ".join(own + versions))


def _pins() -> dict[str, str]:
    """Package -> the one version that this release was tested with."""
    found = (re.match(r"([\w-]+)==([\w.]+)$", line) for line in requires("meterhouse") or [])
    return {match[1]: match[2] for match in found if match}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _events(home: Home) -> Iterator[Finding]:
    if not home.events.is_dir():
        yield Finding("note", "home", f"{home.path} holds nothing yet", "meterhouse demo")
        return
    try:
        counts = _events_per_type(home)
    except duckdb.Error as error:
        yield Finding("broken", "events", str(error).splitlines()[0], "meterhouse verify")
        return
    yield Finding("ok", "home", f"{home.path}, {count(sum(counts.values()))} events")
    for kind, events in counts.items():
        yield Finding("ok", "events", f"{kind} {count(events)}")


def _events_per_type(home: Home) -> dict[str, int]:
    """Event type -> stored rows, of the types that have any; a row stored twice counts twice."""
    with duckdb.connect() as connection:
        sql = "select count(*) from read_parquet($files, union_by_name = true, hive_partitioning = false)"
        counts = {
            kind: connection.execute(sql, {"files": [str(path) for path in files]}).fetchall()[0][0]
            for kind, files in LocalStore(home.events).files().items()
        }
    return {kind: events for kind, events in counts.items() if events}


def _build(home: Home) -> Iterator[Finding]:
    try:
        build_id = home.current_build()
    except MeterhouseError as error:
        yield Finding("broken", "build", str(error), _BUILD)
        return
    if build_id is None:
        yield Finding("note", "build", "nothing is published yet", _BUILD)
        return
    if not is_whole(home, build_id):
        yield Finding("broken", "build", f"CURRENT names {build_id}, which is not whole", _BUILD)
        return
    current, builds = published(home), len(all_builds(home))
    yield Finding("ok", "build", f"{build_id}, {_age(current.created_at)} old; {builds} on disk")
    yield from _staleness(home, current)


def _staleness(home: Home, current: Published) -> Iterator[Finding]:
    if current.as_of is not None:
        yield Finding("note", "build", f"published as of {current.as_of.isoformat()}", _BUILD)
    if freeze(home, resources("dbt_project"), current.as_of).build_id != current.build_id:
        yield Finding("note", "build", "events or dbt files are newer than what is published", _BUILD)


def _age(moment: datetime) -> str:
    minutes = int((datetime.now(UTC) - moment).total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} days"


def _set_aside(home: Home) -> Iterator[Finding]:
    sql = "from data_quality_findings where check_name = 'record_set_aside'"
    try:
        with connect(home) as connection:
            [(records,)] = connection.execute(f"select count(*) {sql}").fetchall()
    except NoWarehouse:
        return
    except (duckdb.Error, MeterhouseError) as error:
        yield Finding("broken", "marts", str(error).splitlines()[0], "meterhouse verify")
        return
    if records:
        yield Finding("note", "set aside", f"{count(records)} records were not understood", f'meterhouse sql "{sql}"')


def _leftovers(home: Home) -> Iterator[Finding]:
    if unfinished := leftovers(home):
        yield Finding("note", "leftovers", f"{len(unfinished)} builds that were killed, or run now", _PRUNE)
    if files := temporary_files(home):
        yield Finding("note", "leftovers", f"{len(files)} temporary files; those older than a day can go", _PRUNE)

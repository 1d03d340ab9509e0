from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tiny import FIRST_DAY, PROJECT, attempt

from app.warehouse.inputs import freeze, parse_as_of
from collectors.home import Home
from collectors.store import LocalStore
from models.errors import UsageError


def test_equal_inputs_have_one_id_in_any_home(tmp_path: Path) -> None:
    homes = [Home(tmp_path / name) for name in ("one", "two")]
    for home in homes:
        LocalStore(home.events).append([attempt("a")])
    assert len({freeze(home, PROJECT).build_id for home in homes}) == 1


def test_an_event_a_project_file_and_an_as_of_each_change_the_id(home: Home, store: LocalStore, tmp_path: Path) -> None:
    project = Path(shutil.copytree(PROJECT, tmp_path / "project"))
    ids = [freeze(home, project).build_id]
    store.append([attempt("a")])
    ids.append(freeze(home, project).build_id)
    (project / "models" / "marts" / "costs.sql").write_text("select 1 as one")
    ids.append(freeze(home, project).build_id)
    ids.append(freeze(home, project, FIRST_DAY).build_id)
    assert len(set(ids)) == 4


def test_what_dbt_and_editors_write_changes_no_id(home: Home, tmp_path: Path) -> None:
    project = Path(shutil.copytree(PROJECT, tmp_path / "project"))
    before = freeze(home, project).build_id
    for name in ("target/manifest.json", "logs/dbt.log", "models/.costs.sql.swp", ".user.yml"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x")
    assert freeze(home, project).build_id == before


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30", datetime(2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC)),
        ("2026-11-30T10:00:00Z", datetime(2026, 11, 30, 10, tzinfo=UTC)),
        ("2026-11-30T10:00:00+02:00", datetime(2026, 11, 30, 8, tzinfo=UTC)),
    ],
)
def test_a_date_is_its_end_in_utc_and_a_time_is_that_instant(text: str, moment: datetime) -> None:
    assert parse_as_of(text) == moment


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "2026-11-30T10:00:00", "", "30.11.2026"])
def test_what_is_no_time_or_lacks_its_offset_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected a date like 2026-11-30 or a time like 2026-11-30T10:00:00Z, got"):
        parse_as_of(text)

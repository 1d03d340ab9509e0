from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from app import charts, picture
from app.queries import Build

DOCS = Path(__file__).parents[2] / "docs"


def test_the_picture_in_the_readme_is_drawn_from_the_shipped_data(demo_build: Build) -> None:
    # Where this fails, `METERHOUSE_HOME=… python -m app.picture docs` draws it again.
    assert picture.spec(demo_build) == json.loads((DOCS / "frontier.json").read_text(encoding="utf-8"))


def test_the_same_marts_give_the_same_picture(demo_build: Build) -> None:
    first = json.dumps(picture.spec(demo_build))
    charts.frontier.cache_clear()
    assert json.dumps(picture.spec(demo_build)) == first


@pytest.mark.parametrize("theme", picture.THEMES)
def test_each_theme_is_drawn_with_its_finding_and_its_colours(theme: str) -> None:
    drawn = (DOCS / f"frontier-{theme}.svg").read_text(encoding="utf-8")
    colours = tomllib.loads(picture.CONFIG.read_text(encoding="utf-8"))["theme"][theme]
    assert "Four arms of 43 are worth paying for" in drawn
    assert all(colour in drawn for colour in (colours["backgroundColor"], *colours["chartCategoricalColors"]))


def test_the_command_writes_the_chart_and_both_themes(
    demo_build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METERHOUSE_HOME", str(demo_build.home))
    picture.main(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "frontier-dark.svg",
        "frontier-light.svg",
        "frontier.json",
    ]
    assert (tmp_path / "frontier.json").read_bytes() == (DOCS / "frontier.json").read_bytes()

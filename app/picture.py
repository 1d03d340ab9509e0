"""The picture in the README: `python -m app.picture docs`, drawn from the published marts by the pages' own chart.

Writes `frontier.json` (the chart without a theme, which a test compares) and one SVG for each of the app's two themes.
Needs the development requirements.
"""

from __future__ import annotations

import json
import sys
import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app import charts, queries, sentences
from app.queries import Build, Ground
from collectors.home import find_home

WIDTH, CHARS = 900, 132
THEMES = ("light", "dark")
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
CONFIG = Path(__file__).parent / ".streamlit" / "config.toml"


def spec(build: Build) -> dict[str, Any]:
    """The frontier of the first ground: where most arms can be placed in amounts of one standing."""
    first = queries.grounds(build).rows[0]
    ground = Ground(**{column: first[column] for column in queries.GROUND})
    answer, [numbers] = queries.frontier(build, ground), queries.frontier_numbers(build, ground).rows
    about = (
        sentences.ground(numbers, ground),
        sentences.how_to_read(answer.rows, ground.axis),
        sentences.not_shown(answer.rows),
    )
    title = {
        "text": sentences.finding(numbers, ground.axis),
        "subtitle": textwrap.wrap(" ".join(filter(None, about)), CHARS),
    }
    return charts.frontier(answer, ground.quality_metric, ground.axis) | {"title": title, "width": WIDTH}


def themed(picture: Mapping[str, Any], theme: Mapping[str, Any]) -> dict[str, Any]:
    """The same chart in the colours that the app has under this theme."""
    ink, _, muted, faint = theme["chartCategoricalColors"]
    axis = {"labelColor": muted, "titleColor": muted, "gridColor": faint, "gridOpacity": 0.5, "domainColor": faint}
    return dict(picture) | {
        "config": {
            "background": theme["backgroundColor"],
            "font": FONT,
            "padding": 20,
            "range": {"category": theme["chartCategoricalColors"]},
            "axis": axis | {"tickColor": faint, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
            "legend": {"labelColor": muted, "labelFontSize": 12},
            "view": {"stroke": None},
            "title": {
                "anchor": "start", "frame": "group", "offset": 24, "color": ink, "fontSize": 24,
                "subtitleColor": muted, "subtitleFontSize": 13, "subtitleLineHeight": 19, "subtitlePadding": 8,
            },
        }
    }  # fmt: skip


def main(folder: Path) -> None:
    """Draw from the home that the app would read."""
    import vl_convert

    picture = spec(queries.current_build(find_home()))
    themes = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    (folder / "frontier.json").write_text(json.dumps(picture, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for theme in THEMES:
        svg = vl_convert.vegalite_to_svg(themed(picture, themes[theme]))
        (folder / f"frontier-{theme}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

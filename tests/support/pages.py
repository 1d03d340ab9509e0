"""What tests of the app share."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

from streamlit.testing.v1 import AppTest

OpenPage = Callable[..., AppTest]
"""`open_page(home, page=…, **query)`: the first run of a page under this URL."""

TRUST = "views/can_i_trust_this_data.py"


def figures(page: AppTest) -> dict[str, str]:
    """The row of numbers: label -> what is shown."""
    return {metric.label: metric.value for metric in page.metric}


def charts(page: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in page.get("vega_lite_chart")]


class Table(HTMLParser):
    """A table of a page: its rows, the header first, as lists of what the cells show."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._is_cell = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_cell = tag in ("th", "td")
        if tag == "tr":
            self.rows.append([])
        elif self._is_cell:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._is_cell = self._is_cell and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self._is_cell:
            self.rows[-1][-1] += data

    @property
    def records(self) -> list[dict[str, str]]:
        return [dict(zip(self.rows[0], row, strict=True)) for row in self.rows[1:]]


def tables(page: AppTest) -> list[list[dict[str, str]]]:
    """The rows of every table of a page."""
    bodies = [element.proto.body for element in page.get("html")]
    return [Table(body).records for body in bodies if "<table>" in body]

"""What tests of the app share."""

from __future__ import annotations

import json
from collections.abc import Callable
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


def plain(table: Any) -> list[list[str]]:
    """The rows of a static table, without the marks that keep its text from being Markdown."""
    return [[text.replace("\\", "") for text in row] for row in table.value.to_numpy().tolist()]

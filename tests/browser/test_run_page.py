"""What happened in this run?, over a recorded session with a sub-agent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from agent_logs import RECORDINGS
from filelock import FileLock
from playwright.sync_api import Page, expect

from app.warehouse.build import build
from collectors.agents.collect import collect_logs
from collectors.agents.find import given_roots
from collectors.agents.registry import AGENTS
from collectors.home import Home

pytestmark = pytest.mark.browser

PAGE = "What happened in this run?"


@pytest.fixture(scope="module")
def app_url(session_folder: Path, serve: Callable[[Home], AbstractContextManager[str]]) -> Iterator[str]:
    """The app over one session."""
    home = Home(session_folder / "one-session")
    with FileLock(session_folder / "one-session.lock"):
        if home.current_build() is None:
            collect_logs(given_roots(RECORDINGS / "claude-code" / "subagent" / "home", list(AGENTS)), home)
            build(home)
    with serve(home) as url:
        yield url


def _open(visit: Callable[..., Page], width: int, theme: str) -> Page:
    page = visit("/", width=width, theme=theme, height=3000)
    if width < 600:
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text(PAGE).first.click()
    if width < 600:
        page.get_by_test_id("stSidebarCollapseButton").click()
    page.get_by_role("heading", name="The run as a whole").wait_for()
    return page


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (400, "dark")])
def test_a_run_is_drawn_request_by_request_and_fits(
    visit: Callable[..., Page], width: int, theme: str, tmp_path: Path
) -> None:
    page = _open(visit, width, theme)
    expect(page.get_by_role("heading", name="7 requests, 2 of them by a sub-agent; 81.5%")).to_be_visible()
    expect(page.locator("canvas.marks, svg.marks")).to_have_count(3, timeout=60_000)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    folder = Path(os.environ.get("METERHOUSE_SCREENSHOTS", tmp_path))
    assert len(page.screenshot(path=folder / f"what-happened-in-this-run-{theme}-{width}.png")) > 20_000


def test_pointing_at_a_request_tells_what_it_was(visit: Callable[..., Page]) -> None:
    page = _open(visit, 1280, "light")
    page.locator("svg.marks path[aria-label*='general-purpose']").first.hover(force=True)
    hover = page.locator("#vg-tooltip-element.visible")
    hover.wait_for()
    assert "general-purpose" in hover.inner_text()

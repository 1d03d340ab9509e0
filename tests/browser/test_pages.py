from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

TRUST = "Can I trust this data?"


@pytest.fixture
def shoot(tmp_path: Path) -> Callable[[Page, str], int]:
    """Keep a picture of a page, in METERHOUSE_SCREENSHOTS for people who want to look; how many bytes it has."""
    folder = Path(os.environ.get("METERHOUSE_SCREENSHOTS", tmp_path))

    def shoot_one(page: Page, name: str) -> int:
        return len(page.screenshot(path=folder / f"{name}.png"))

    return shoot_one


def _open_trust(visit: Visit, **how: object) -> Page:
    page = visit("/", **how)
    is_narrow = bool(page.viewport_size and page.viewport_size["width"] < 600)
    if is_narrow:
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text(TRUST).first.click()
    if is_narrow:
        page.get_by_test_id("stSidebarCollapseButton").click()
    page.get_by_role("heading", name="Checks").wait_for()
    return page


@pytest.mark.parametrize("width", [1280, 420])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_frontier_is_drawn_and_fits(
    visit: Visit, shoot: Callable[[Page, str], int], theme: str, width: int
) -> None:
    page = visit("/", theme=theme, width=width)
    expect(page.get_by_role("heading", name="Four arms of 43 are worth paying for")).to_be_visible()
    expect(page.get_by_text("Not shown: Codex with GPT-5.4 and GPT-5.5, cost unknown.")).to_be_visible()
    expect(page.locator("canvas.marks, svg.marks")).to_be_visible()
    expect(page.get_by_role("heading", name="Not comparable: two arms")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    assert shoot(page, f"what-should-i-use-{theme}-{width}") > 20_000


@pytest.mark.parametrize("width", [1280, 420])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_findings_and_the_claims_are_shown(
    visit: Visit, shoot: Callable[[Page, str], int], theme: str, width: int
) -> None:
    page = _open_trust(visit, theme=theme, width=width, height=3400)
    expect(page.get_by_text("lower bound cost").first).to_be_visible()
    expect(page.locator("canvas.marks, svg.marks")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    assert shoot(page, f"can-i-trust-this-data-{theme}-{width}") > 20_000


def test_the_theme_is_the_one_the_reader_prefers(visit: Visit) -> None:
    colour = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    assert [visit("/", theme=theme).evaluate(colour) for theme in ("light", "dark")] == [
        "rgb(255, 255, 255)",
        "rgb(20, 22, 26)",
    ]


def test_pointing_at_an_arm_tells_its_facts(visit: Visit) -> None:
    page = visit("/")
    page.locator("svg.marks path[aria-label*='openhands · claude-fable-5']").last.hover(force=True)
    hover = page.locator("#vg-tooltip-element.visible")
    hover.wait_for()
    keys, values = (hover.locator(f"td.{part}").all_inner_texts() for part in ("key", "value"))
    facts = dict(zip(keys, values, strict=True))
    assert facts | {"Harness version": ""} == {
        "Arm": "openhands · claude-fable-5",
        "Tasks solved": "95.8% (479/500)",
        "95% interval": "93.7% to 97.2%",
        "Graded only": "95.8%",
        "Cost per task": "$1.4319",
        "Cost per solved": "$1.4947",
        "Cost known for": "500 of 500 attempts",
        "Cost basis": "client estimate",
        "Wall time per task": "unknown",
        "Stands": "on the frontier",
        "Harness version": "",
    }


def test_a_choice_changes_the_url_and_a_reload_keeps_it(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("combobox", name="Dataset").click()
    page.get_by_role("option", name="mcp-gateway-registry", exact=True).click()
    heading = page.get_by_role("heading", name="Three arms of nine are worth paying for")
    expect(heading).to_be_visible()
    assert "dataset=mcp-gateway-registry" in page.url
    page.reload()
    expect(heading).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Four arms of 43 are worth paying for")).to_be_visible()


def test_the_download_is_the_table(visit: Visit) -> None:
    page = visit("/")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert download.value.suggested_filename == "frontier-swe-bench-verified-client_estimate.csv"
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 44
    assert lines[0].startswith("arm_label,status,reason,quality,")


def test_the_sql_is_there_when_it_is_asked_for(visit: Visit) -> None:
    page = visit("/")
    page.get_by_text("The SQL behind it").click()
    expect(page.get_by_test_id("stCode")).to_contain_text("from marts.frontier_points as points")

from __future__ import annotations

from pathlib import Path

from pages import TRUST, OpenPage, charts, figures, tables

from app import queries
from app.queries import Build
from collectors.home import Home


def test_the_page_counts_what_every_check_found(open_page: OpenPage, demo_home: Home, demo_build: Build) -> None:
    page = open_page(demo_home, TRUST)
    [numbers] = queries.trust_numbers(demo_build).rows
    assert page.title[0].value == f"No errors, and {numbers['warnings']} warnings to know about"
    assert list(figures(page).values()) == [f"{value:,}" for value in numbers.values()]
    checks = {row["Check"] for row in tables(page)[0]}
    assert checks >= {"record set aside", "unknown cost", "lower bound cost", "conflicting facts", "claim differs"}


def test_a_claim_that_ours_does_not_reproduce_is_in_the_table_and_coloured_in_the_chart(
    open_page: OpenPage, demo_home: Home
) -> None:
    page = open_page(demo_home, TRUST, status="differs", metric="cost_per_instance")
    [row] = [row for row in tables(page)[-1] if row["Arm"] == "gemini-cli · Gemini-3.1-Pro" and row["Printed"] == "1.4"]
    assert (row["Printed"], row["Ours"], row["Reason"]) == ("1.4", "$4.1522", "recomputed from the facts")
    [chart] = charts(page)
    assert {layer["transform"][1]["calculate"] for layer in chart["layer"] if "transform" in layer} == {
        "'muted'",
        "'accent'",
    }


def test_filters_narrow_the_lists_and_stay_in_the_url(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, TRUST)
    page.selectbox(key="check").select("unknown_cost").run()
    assert dict(page.query_params) == {"check": "unknown_cost"}
    assert {row["Check"] for row in tables(page)[1]} == {"unknown cost"}
    page.selectbox(key="check").select("all").run()
    assert dict(page.query_params) == {}


def test_every_filter_of_the_shipped_data_opens(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, TRUST)
    options = {box.key: box.options for box in page.selectbox}
    for key in ("severity", "from", "status", "claimed_by"):
        for option in options[key][1:]:
            value = next(value for value in (option, option.lower().replace(" ", "_")) if value)
            assert not open_page(demo_home, TRUST, **{key: value}).exception, (key, value)


def test_filters_that_match_nothing_say_so(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, TRUST, severity="info", check="unknown_cost", status="differs", metric="task_score")
    assert [note.value for note in page.info] == ["No findings match.", "No claims match."]


def test_a_filter_in_the_url_that_is_not_there_gives_way_with_a_sentence(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, TRUST, check="nonsense")
    assert page.info[0].value == "Check: there is no `nonsense` here, so this shows All."
    assert not page.exception


def test_no_warehouse_is_a_sentence(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(Home(tmp_path / "nothing"), TRUST)
    assert page.title[0].value == "Can I trust this data?"
    assert page.info[0].value.startswith("no warehouse in ")


def test_an_empty_warehouse_has_no_findings_and_no_claims(open_page: OpenPage, empty_home: Home) -> None:
    page = open_page(empty_home, TRUST)
    assert page.title[0].value == "No errors, and no warnings to know about"
    assert [note.value for note in page.info] == ["No findings match.", "No claims match."]
    assert not page.exception

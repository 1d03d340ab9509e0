from __future__ import annotations

from pathlib import Path

from pages import OpenPage, charts, figures, tables

from app import queries
from app.queries import Answer, Build, Ground
from app.warehouse.query import connect, run
from collectors.home import Home

PARAMS = {
    "dataset": "dataset",
    "quality_metric": "metric",
    "cost_basis": "basis",
    "cost_method": "method",
    "axis": "axis",
}


def _ground(build: Build, **chosen: str) -> Ground:
    rows = queries.grounds(build).rows
    row = next(row for row in rows if all(row[column] == value for column, value in chosen.items()))
    return Ground(**{column: row[column] for column in queries.GROUND})


def test_the_first_page_states_the_finding_of_the_shipped_data(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home)
    assert [title.value for title in page.title] == ["Four arms of 43 are worth paying for"]
    assert figures(page) == {
        "Arms": "43",
        "Tasks": "500",
        "Attempts": "21,500",
        "On the frontier": "4",
        "Undecided": "0",
        "Lower bounds": "13",
        "Unknown cost": "2",
    }
    assert len(charts(page)) == 1


def test_an_arm_of_unknown_cost_is_listed_with_its_reason_and_named_as_not_shown(
    open_page: OpenPage, demo_home: Home
) -> None:
    page = open_page(demo_home)
    why = "cost unknown: not reported by the source"
    assert tables(page)[0] == [
        {"Arm": "codex · GPT-5.5", "Tasks solved": "78.0%", "Solved": "390/500", "Reason": why},
        {"Arm": "codex · GPT-5.4", "Tasks solved": "73.8%", "Solved": "369/500", "Reason": why},
    ]
    assert "Not shown: Codex with GPT-5.4 and GPT-5.5, cost unknown." in page.caption[0].value


def test_the_page_says_which_build_it_reads(open_page: OpenPage, demo_home: Home) -> None:
    assert str(demo_home.current_build()) in open_page(demo_home).caption[-1].value


def test_every_ground_of_the_shipped_data_opens(open_page: OpenPage, demo_home: Home, demo_build: Build) -> None:
    for row in queries.grounds(demo_build).rows:
        where = {param: row[column] for column, param in PARAMS.items()}
        page = open_page(demo_home, **where)
        assert not page.exception, where
        assert {box.key: box.value for box in page.selectbox}.items() <= where.items()
        assert (not charts(page)) == page.title[0].value.startswith("No frontier"), where


def test_opening_a_page_adds_nothing_to_the_url(open_page: OpenPage, demo_home: Home) -> None:
    assert dict(open_page(demo_home).query_params) == {}


def test_a_choice_is_in_the_url_and_the_url_is_a_choice(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home)
    page.selectbox(key="dataset").select("mcp-gateway-registry").run()
    page.selectbox(key="basis").select("credits").run()
    assert dict(page.query_params) == {"dataset": "mcp-gateway-registry", "basis": "credits"}
    linked = open_page(demo_home, **dict(page.query_params))
    assert linked.title[0].value == page.title[0].value
    assert dict(linked.query_params) == dict(page.query_params)
    assert not linked.info


def test_a_value_in_the_url_that_is_not_there_gives_way_with_a_sentence(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, dataset="`no such` thing", basis="'; drop table", axis="")
    assert not page.exception
    assert [note.value for note in page.info] == [
        "Dataset: there is no `'no such' thing` here, so this shows SWE-bench Verified.",
        "Cost basis: there is no `'; drop table` here, so this shows Client estimate.",
        "Compared on: there is no `` here, so this shows Cost.",
    ]
    page.selectbox(key="dataset").select("mcp-gateway-registry").run()
    assert page.query_params["dataset"] == "mcp-gateway-registry"


def test_arms_that_attempted_different_tasks_get_a_list_and_no_chart(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, dataset="swe-bench-multimodal")
    assert page.title[0].value == "No frontier can be drawn over 43 arms"
    assert not charts(page)
    reasons = [row["Reason"] for row in tables(page)[1]]
    assert len(reasons) == 42
    assert "covers 68 of 103" in reasons


def test_a_frontier_over_several_bases_is_called_directional(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home, dataset="mcp-gateway-registry", basis="headline")
    assert "Directional only: it compares amounts of different standing (client estimate and credits)." in (
        page.caption[0].value
    )


def test_a_judge_score_counts_failures_as_zero_and_shows_the_scored_alone_beside(
    open_page: OpenPage, demo_home: Home
) -> None:
    page = open_page(demo_home, dataset="mcp-gateway-registry", basis="hardware", axis="wall_time")
    [row] = [row for row in tables(page)[-1] if row["Arm"] == "pi · qwen3-coder-30b · own-vllm · swe3"]
    assert (row["Mean judge score"], row["Scored"], row["Scored only"]) == ("10.76", "2/5", "26.90")


def test_every_arm_is_in_the_table_with_what_is_known_of_its_cost(open_page: OpenPage, demo_home: Home) -> None:
    arms = {row["Arm"]: row for row in tables(open_page(demo_home))[-1]}
    assert len(arms) == 43
    assert arms["openhands · claude-opus-4-8"]["Cost per task"] == "$0.7418"
    assert arms["openhands · claude-opus-4-8"]["Cost per solved"] == "$0.8852"
    assert arms["openhands · GLM-5"]["Cost per task"] == "at least $1.0423"
    assert arms["codex · GPT-5.4"]["Cost per task"] == "unknown"


def test_the_sql_behind_the_page_gives_its_rows_again(demo_home: Home, demo_build: Build) -> None:
    ground = _ground(demo_build, dataset="swe-bench-verified")
    answers: list[Answer] = [queries.frontier(demo_build, ground), queries.frontier_numbers(demo_build, ground)]
    with connect(demo_home) as connection:
        for answer in answers:
            assert run(connection, answer.sql).to_arrow_table().equals(answer.table)


def test_the_sql_behind_the_page_is_shown_when_it_is_asked_for(open_page: OpenPage, demo_home: Home) -> None:
    page = open_page(demo_home)
    assert not page.code
    assert page.expander[0].label == "The SQL behind it"
    page.session_state["frontier-swe-bench-verified-client_estimate.sql"] = True
    assert page.run().code[0].value.startswith("select points.arm_label")


def test_no_warehouse_is_a_sentence_with_the_command_that_makes_one(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(Home(tmp_path / "nothing"))
    assert not page.exception
    assert page.info[0].value == (
        f"no warehouse in {tmp_path / 'nothing'} yet; run `meterhouse demo`, or `meterhouse collect` and `build`"
    )


def test_an_empty_warehouse_is_a_sentence(open_page: OpenPage, empty_home: Home) -> None:
    page = open_page(empty_home)
    assert not page.exception
    assert page.info[0].value.startswith("This warehouse holds no graded attempts yet.")


def test_a_newer_build_is_read_at_once(open_page: OpenPage, demo_home: Home, empty_home: Home, tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.builds.mkdir()
    for source in (demo_home, empty_home):
        build_id = str(source.current_build())
        (home.builds / build_id).symlink_to(source.builds / build_id)
    home.current.write_text(str(empty_home.current_build()))
    assert open_page(home).title[0].value == "What should I use?"
    home.current.write_text(str(demo_home.current_build()))
    assert open_page(home).title[0].value == "Four arms of 43 are worth paying for"

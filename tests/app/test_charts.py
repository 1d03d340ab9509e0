from __future__ import annotations

from decimal import Decimal
from typing import Any

import altair as alt
import pyarrow as pa
import pytest

from app import charts, queries
from app.queries import Answer, Build, Ground

POINT: dict[str, Any] = {
    "arm_id": "1",
    "arm_label": "h · m",
    "harness": "h",
    "llm": "m",
    "status": "dominated",
    "reason": None,
    "quality": 0.5,
    "quality_low": 0.4,
    "quality_high": 0.6,
    "quality_graded_only": 0.5,
    "interval_method": "wilson",
    "solved": 5,
    "scored": None,
    "attempts": 10,
    "tasks_attempted": 10,
    "tasks_total": 10,
    "cost_status": "known",
    "cost_per_task_usd": Decimal("0.5"),
    "cost_per_task_low_usd": Decimal("0.5"),
    "cost_per_task_high_usd": Decimal("0.5"),
    "cost_per_solved_usd": Decimal(1),
    "cost_per_solved_low_usd": Decimal(1),
    "cost_per_solved_high_usd": Decimal(1),
    "cost_known_attempts": 10,
    "cost_known_share": 1.0,
    "actual_cost_basis": "client_estimate",
    "wall_s_per_task": None,
    "dominated_by_arm_label": None,
    "is_directional": False,
    "harness_versions": ["1"],
    "harness_wrapper_versions": [],
}


def _answer(*changes: dict[str, Any]) -> Answer:
    return Answer("", pa.Table.from_pylist([POINT | {"arm_id": str(n), **change} for n, change in enumerate(changes)]))


def _point(cost: str | None, quality: float, **other: Any) -> dict[str, Any]:
    amount = None if cost is None else Decimal(cost)
    return {"quality": quality, "cost_per_task_usd": amount, "cost_per_task_low_usd": amount, **other}


def test_a_chart_of_each_kind_is_valid_vega_lite(demo_build: Build) -> None:
    placed = [row for row in queries.grounds(demo_build).rows if row["placed"]]
    specs = [charts.claim_gaps(queries.claims(demo_build, {}))]
    for row in {(row["quality_metric"], row["axis"]): row for row in placed}.values():
        answer = queries.frontier(demo_build, Ground(**{column: row[column] for column in queries.GROUND}))
        specs.append(charts.frontier(answer, row["quality_metric"], row["axis"]))
    assert len(specs) == 5
    for spec in specs:
        alt.LayerChart.from_dict(spec | {"data": {"values": []}})


def test_an_arm_of_unknown_cost_is_never_drawn_as_free() -> None:
    # Case C01.
    answer = _answer(
        _point("0.90", 0.6, llm="gpt-5.4", status="on_frontier"),
        _point(None, 0.5, llm="acme-coder-9", status="not_comparable", cost_status="unknown"),
        _point("0.20", 0.4, llm="claude-haiku-4-5", status="on_frontier"),
    )
    marks = charts.frontier(answer, "solve_rate", "cost")["data"]["values"]
    assert [(mark["name"], mark["x"], mark["kind"]) for mark in marks] == [
        ("claude-haiku-4-5", 0.2, "on"),
        ("gpt-5.4", 0.9, "on"),
    ]


def test_a_lower_bound_is_drawn_at_its_bound_and_says_at_least() -> None:
    bound = _point("0.7", 0.5, cost_status="lower_bound", status="undecided") | {"cost_per_task_usd": None}
    bound |= {"cost_per_task_high_usd": None}
    [mark, _] = charts.frontier(_answer(bound, _point("0.9", 0.6, status="on_frontier")), "solve_rate", "cost")["data"][
        "values"
    ]
    assert (mark["x"], mark["kind"], mark["Cost per task"]) == (0.7, "bound", "at least $0.7000")


def test_equal_points_are_both_on_the_frontier_and_have_labels_of_their_own() -> None:
    # Case C45.
    twins = [_point("0.5", 0.3, llm="e", status="on_frontier"), _point("0.5", 0.3, llm="f", status="on_frontier")]
    marks = charts.frontier(_answer(*twins), "solve_rate", "cost")["data"]["values"]
    assert {mark["name"] for mark in marks} == {"e", "f"}
    assert len({mark["name_y"] for mark in marks}) == 2


def test_one_llm_under_two_harnesses_is_named_with_its_harness() -> None:
    arms = [_point("0.5", 0.3, harness="codex", status="on_frontier"), _point("0.9", 0.2, harness="pi")]
    marks = charts.frontier(_answer(*arms), "solve_rate", "cost")["data"]["values"]
    assert {mark["name"] for mark in marks} == {"m · Codex", "m · pi"}


@pytest.mark.parametrize(("costs", "scale"), [(("0.1", "2"), "log"), (("0", "2"), None)])
def test_a_true_zero_makes_the_cost_axis_linear(costs: tuple[str, str], scale: str | None) -> None:
    answer = _answer(*(_point(cost, 0.5, status="on_frontier") for cost in costs))
    spec = charts.frontier(answer, "solve_rate", "cost")
    assert {layer["encoding"]["x"]["scale"].get("type") for layer in spec["layer"]} == {scale}


def test_three_sides_of_dominance_make_no_line() -> None:
    answer = _answer(_point("0.5", 0.3, status="on_frontier", wall_s_per_task=60.0))
    kinds = [
        {layer["mark"]["type"] for layer in charts.frontier(answer, "solve_rate", axis)["layer"]}
        for axis in ("cost", "both")
    ]
    assert ["line" in kind for kind in kinds] == [True, False]

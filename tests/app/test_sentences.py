from __future__ import annotations

from typing import Any

import pytest

from app import sentences, words


@pytest.mark.parametrize(
    ("on", "arms", "axis", "finding"),
    [
        (4, 43, "cost", "Four arms of 43 are worth paying for"),
        (1, 3, "cost", "One arm of three is worth paying for"),
        (12, 1200, "wall_time", "12 arms of 1,200 are worth waiting for"),
        (2, 2, "both", "Two arms of two are worth paying and waiting for"),
        (0, 1, "cost", "No frontier can be drawn over one arm"),
    ],
)
def test_the_title_says_the_finding_in_words(on: int, arms: int, axis: str, finding: str) -> None:
    assert sentences.finding({"on_frontier": on, "arms": arms}, axis) == finding


def _left_out(harness: str, llm: str, cost_status: str = "unknown", tasks: int = 10) -> dict[str, Any]:
    return {
        "harness": harness,
        "llm": llm,
        "status": "not_comparable",
        "cost_status": cost_status,
        "tasks_attempted": tasks,
        "tasks_total": 10,
    }


def test_a_few_arms_that_are_not_shown_are_named() -> None:
    points = [_left_out("codex", "b"), _left_out("codex", "a"), _left_out("pi", "c")]
    assert sentences.not_shown(points) == "Not shown: Codex with a and b; pi with c, cost unknown."


def test_many_arms_that_are_not_shown_are_counted() -> None:
    points = [_left_out("pi", str(number), tasks=number) for number in range(5)]
    assert sentences.not_shown(points) == "Not shown: five arms, not comparable."


def test_nothing_is_said_of_arms_that_are_shown() -> None:
    assert sentences.not_shown([_left_out("pi", "a") | {"status": "dominated"}]) == ""


def test_a_name_without_words_of_its_own_stays_as_it_is_spelled() -> None:
    assert [words.option(word) for word in ("solve_rate", "mcp-gateway-registry")] == [
        "Tasks solved",
        "mcp-gateway-registry",
    ]


def test_an_unstated_version_is_not_part_of_a_verifiers_name() -> None:
    row = {"verifier": "gpt-5", "verifier_version": "unstated", "rubric_hash": "five-artifacts"}
    assert words.verifier(row) == "gpt-5 · five-artifacts"

"""What the pages and the picture say in words. Every number in a sentence comes from the marts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from app import formats, words
from app.facts import Row
from app.queries import Ground

WORTH = {"cost": "paying for", "wall_time": "waiting for", "both": "paying and waiting for"}
BEATEN_BY_NONE = {
    "cost": "nothing else does better for the same money, or as well for less",
    "wall_time": "nothing else does better in the same time, or as well in less",
    "both": "nothing else is at least as good, as cheap and as fast; three sides make no stair, so there is no line",
}
MOST_NAMED = 4
"""Arms that a sentence names; more are counted."""


def finding(numbers: Row, axis: str) -> str:
    """The page's title: `Four arms of 43 are worth paying for`."""
    on, arms = numbers["on_frontier"], numbers["arms"]
    if on == 0:
        return f"No frontier can be drawn over {words.arms(arms)}"
    verb = "is" if on == 1 else "are"
    return f"{words.sentence(words.arms(on))} of {words.number(arms)} {verb} worth {WORTH[axis]}"


def how_to_read(points: Sequence[Row], axis: str) -> str:
    """One mark is one arm; what the colour, the bars and the hollow marks mean, as far as they occur."""
    parts = [f"Coloured: {BEATEN_BY_NONE[axis]}."]
    methods = {point["interval_method"] for point in points if point["quality_low"] is not None}
    if methods:
        parts.append(f"Bars are 95% {words.listed(sorted(map(words.name, filter(None, methods))))} intervals.")
    bounds = sum(_is_placed(point) and point["cost_status"] != "known" for point in points)
    if axis != "wall_time" and bounds:
        parts.append(f"Hollow, with an arrow: the cost is at least this ({words.arms(bounds)}).")
    return " ".join(parts)


def ground(numbers: Row, chosen: Ground) -> str:
    """What is compared: dataset, tasks, attempts and the standing of the amounts."""
    tasks, attempts = formats.count(numbers["tasks"]), formats.count(numbers["attempts"])
    cost = f"Cost: {words.name(chosen.cost_basis)}."
    return f"{words.name(chosen.dataset)}, {tasks} tasks, {attempts} attempts. {cost}"


def directional(points: Sequence[Row], axis: str) -> str:
    """The warning over a frontier that mixes amounts of different standing; empty where it does not."""
    if axis == "wall_time" or not any(point["is_directional"] for point in points):
        return ""
    bases = sorted({words.name(point["actual_cost_basis"]) for point in points if _is_placed(point)})
    return f"Directional only: it compares amounts of different standing ({words.listed(bases)})."


def not_shown(points: Sequence[Row]) -> str:
    """Which arms the chart leaves out; empty where it shows them all."""
    left_out = [point for point in points if not _is_placed(point)]
    if not left_out:
        return ""
    unknown = all(
        point["cost_status"] == "unknown" and point["tasks_attempted"] == point["tasks_total"] for point in left_out
    )
    why = "cost unknown" if unknown else "not comparable"
    who = _named(left_out) if len(left_out) <= MOST_NAMED else words.arms(len(left_out))
    return f"Not shown: {who}, {why}."


def _named(points: Sequence[Row]) -> str:
    """`Codex with GPT-5.4 and GPT-5.5`."""
    llms: dict[str, list[str]] = defaultdict(list)
    for point in points:
        llms[words.name(point["harness"])].append(point["llm"])
    return "; ".join(f"{harness} with {words.listed(sorted(names))}" for harness, names in sorted(llms.items()))


def no_frontier(numbers: Row) -> str:
    """Why there is no chart."""
    parts = [f"{words.sentence(words.arms(numbers['not_comparable']))} cannot be compared; each has its reason below."]
    if numbers["undecided"]:
        undecided = words.sentence(words.arms(numbers["undecided"]))
        parts.append(f"{undecided} undecided: only a lower bound of the cost is known.")
    return " ".join(parts)


def _is_placed(point: Row) -> bool:
    return point["status"] != "not_comparable"

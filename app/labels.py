"""Where the frontier chart puts its edges and its direct labels. Pure geometry: no figure is changed here.

A label stands to the upper left of its point. On a cost frontier nothing exact can be there: it would dominate the
point. The width of the plot is known only to the browser, so what depends on it is a Vega expression of `width`, and
labels are kept apart as if the plot were as narrow as a phone's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Mark = dict[str, Any]

NARROW_PX = 200
"""What is left for the points themselves on a phone."""

NARROW_BELOW_PX, NARROW_FONT = 500, 0.85
"""Plots narrower than this have labels that are this much smaller."""

CHAR_PX, GAP_PX, LINE_PX, BELOW_PX = 7.4, 14, 15, 7
MOST_DETAILED = 8
"""With more labels than this, each is one line."""


@dataclass(frozen=True)
class Plot:
    """The edges of a plot. `left` is a Vega expression that leaves room for the leftmost label."""

    is_log: bool
    lowest: float
    left: str
    right: float
    bottom: float
    top: float
    height: int

    def offset(self, x: float) -> float:
        """Pixels from the lowest x on a narrow plot."""
        return NARROW_PX * _share(x, self.lowest, self.right, self.is_log)

    def px(self, y: float) -> float:
        """Pixels from the bottom."""
        return (y - self.bottom) / (self.top - self.bottom) * self.height

    def y(self, px: float) -> float:
        return self.bottom + px / self.height * (self.top - self.bottom)


def plot(marks: Sequence[Mark], height: int, step: float) -> Plot:
    """Edges around every mark and every drawn interval; y runs between multiples of `step`."""
    xs = [mark["x"] for mark in marks]
    is_log = min(xs) > 0
    lowest, right = min(xs), max(max(xs) * 1.3, min(xs) * 3, 0 if is_log else 0.01)
    on = [mark for mark in marks if mark["kind"] == "on"]
    room = max([24.0, *(width(mark) - NARROW_PX * _share(mark["x"], lowest, right, is_log) for mark in on)])
    bottom, top = _vertical(marks, step)
    return Plot(is_log, lowest, _left(lowest, right, room, is_log), right, bottom, top, height)


def place(marks: Sequence[Mark], plot: Plot) -> list[Mark]:
    """The marks, those on the frontier with `name_y` and `detail_y`: the heights of their label's two lines."""
    placed, boxes = [], []
    is_detailed = sum(mark["kind"] == "on" for mark in marks) <= MOST_DETAILED
    for mark in sorted(marks, key=lambda mark: (mark["y"], mark["x"])):
        if mark["kind"] == "on":
            mark = mark | _label(mark, plot, boxes, is_detailed)
        placed.append(mark)
    return placed


def _label(mark: Mark, plot: Plot, boxes: list[tuple[float, float, float]], is_detailed: bool) -> Mark:
    """Put one label above every earlier one that it could overlap; `boxes` gains its left, right and top."""
    right, left = plot.offset(mark["x"]), plot.offset(mark["x"]) - width(mark)
    below = [top for (other_left, other_right, top) in boxes if other_left < right and left < other_right]
    bottom = max([plot.px(mark["y"]) - BELOW_PX, *below])
    boxes.append((left, right, bottom + LINE_PX * (2 if is_detailed else 1)))
    lines = {"name_y": plot.y(bottom + (LINE_PX * 1.5 if is_detailed else LINE_PX / 2))}
    return lines | ({"detail_y": plot.y(bottom + LINE_PX / 2)} if is_detailed else {})


def _vertical(marks: Sequence[Mark], step: float) -> tuple[float, float]:
    drawn = [mark for mark in marks if mark["kind"] == "on" and mark["low"] is not None]
    low = min([mark["y"] for mark in marks] + [mark["low"] for mark in drawn])
    high = max([mark["y"] for mark in marks] + [mark["high"] for mark in drawn])
    bottom = math.floor(round(low / step, 6))
    top = max(math.ceil(round(high / step, 6)), bottom + 2)
    return round(bottom * step, 6), round(top * step, 6)


def _left(lowest: float, right: float, room: float, is_log: bool) -> str:
    """The left edge that puts `room` pixels before the lowest x, whatever the width."""
    px = f"{room:.0f} * (width < {NARROW_BELOW_PX} ? {NARROW_FONT} : 1)"
    share = f"{px} / max(60, width - {px})"
    return f"{lowest!r} * pow({lowest / right!r}, {share})" if is_log else f"{lowest!r} - {right - lowest!r} * {share}"


def _share(x: float, lowest: float, right: float, is_log: bool) -> float:
    return math.log(x / lowest) / math.log(right / lowest) if is_log else (x - lowest) / (right - lowest)


def width(mark: Mark) -> float:
    """Pixels that a label takes, with the gap to its point."""
    return max(len(mark["name"]), len(mark["detail"]) * 0.85) * CHAR_PX + GAP_PX

"""The charts of one run, as Vega-Lite: its time line, its tokens request by request, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any

import altair as alt

from app import formats, run_facts
from app.charts import Spec
from app.facts import Row
from app.queries import SUMMED, Answer

TONES = ("ink", "accent", "muted", "faint")
"""All four of the theme's categorical colours."""

SHAPES = {"failed": "M-0.7,-0.7L0.7,0.7M0.7,-0.7L-0.7,0.7", "unanswered": "circle", "incomplete": "triangle-up"}
"""What became of a request -> its mark."""

TONE_OF_KIND = {"cache_read": "faint", "cache_write": "muted", "input_uncached": "accent", "output": "ink"}
NAME_OF_KIND = {
    "cache_read": "cache read",
    "cache_write": "cache write",
    "input_uncached": "input without cache",
    "output": "output",
}

LANE_PX, DENSE_LANE_PX, MOST_LANES = 40, 22, 8
HEIGHT = 260
LABEL_PX = 16
HEADROOM = 1.12
"""How much of a chart stands above its highest mark."""
SPARSE = 60
"""Up to so many requests, bars stand apart and lines have points."""

LONG_WAIT_S = 300
"""A wait is cut short when it is longer than this and than a quarter of the time without such waits."""

STEPS_S = (
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600,
    7200, 10800, 21600, 43200, 86400,
)  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """A stretch of time without a long wait: seconds since the first request, and where it is drawn."""

    begin_s: float
    end_s: float
    shift: float

    def at(self, seconds: float) -> float:
        return seconds - self.shift


def is_timed(turn: Row) -> bool:
    """Whether the log says when a request was, and not only on which day."""
    return turn["completed_at"] is not None and turn["occurred_at_basis"] == "exact"


def is_instant(turn: Row) -> bool:
    """Whether a request is drawn as a tick: it was answered, and how long it took is not known."""
    return turn["started_at"] is None and turn["status"] not in run_facts.TROUBLE


def pieces(turns: Sequence[Row]) -> list[Piece]:
    """The time of a run, cut where nothing was in flight for long; each cut is drawn as a twentieth of the rest."""
    busy = _joined(sorted(_span(turn, _first(turns)) for turn in turns))
    waits = [after[0] - before[1] for before, after in pairwise(busy)]
    rest = busy[-1][1] - sum(wait for wait in waits if wait > LONG_WAIT_S)
    longest, gap = max(LONG_WAIT_S, rest / 4), max(rest, 1) / 20
    found, begin, shift = [], busy[0][0], 0.0
    for wait, (before, after) in zip(waits, pairwise(busy), strict=True):
        if wait > longest:
            found.append(Piece(begin, before[1], shift))
            begin, shift = after[0], shift + wait - gap
    return [*found, Piece(begin, busy[-1][1], shift)]


def _joined(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Stretches in which something was in flight all the time, out of spans by their beginnings."""
    joined = [spans[0]]
    for begin, end in spans[1:]:
        if begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def _first(turns: Sequence[Row]) -> datetime:
    return min(turn["started_at"] or turn["completed_at"] for turn in turns)


def _span(turn: Row, first: datetime) -> tuple[float, float]:
    end = (turn["completed_at"] - first).total_seconds()
    return (end if turn["started_at"] is None else (turn["started_at"] - first).total_seconds()), end


@lru_cache(maxsize=50)
def time_line(answer: Answer) -> Spec:
    """One lane per agent, one bar per request; colour only for what failed, broke off or has no reply."""
    turns = [turn for turn in answer.rows if is_timed(turn)]
    names, cut, first = run_facts.agents(answer.rows), pieces(turns), _first(turns)
    marks = [_request(turn, names[turn["sub_agent_id"]], cut, first) for turn in turns]
    lanes = [name for name in names.values() if any(mark["lane"] == name for mark in marks)]
    lane_px = LANE_PX if len(lanes) <= MOST_LANES else DENSE_LANE_PX
    lane = alt.Y("lane:N", title=None, sort=lanes, axis=alt.Axis(labelLimit=110, domain=False, ticks=False, grid=False))
    base = alt.Chart().encode(_time(cut), lane, tooltip=_hover())
    bars = base.encode(alt.X2("end:Q"))
    answered = _tone(_where(bars, "datum.is_known && !datum.is_trouble"), "muted")
    edges = _tone(_where(base, "datum.is_known && !datum.is_trouble"), "muted")
    instants = _tone(_where(base, "!datum.is_known && !datum.is_trouble"), "ink")
    lost = _tone(_where(bars, "datum.is_known && datum.is_trouble"), "accent")
    signs = _tone(_where(base, "datum.is_trouble"), "accent").encode(_sign(marks))
    layers = [
        *_cuts(cut),
        answered.mark_bar(height={"band": 0.5}, opacity=0.55),
        edges.mark_tick(size=lane_px * 0.5, thickness=1.5),
        instants.mark_tick(size=lane_px * 0.7, thickness=1.5),
        lost.mark_bar(height={"band": 0.5}, opacity=0.4),
        signs.mark_point(size=80, strokeWidth=2, filled=False, opacity=1),
    ]
    return _layered(layers, marks, lane_px * len(lanes))


def _request(turn: Row, lane: str, cut: Sequence[Piece], first: datetime) -> dict[str, Any]:
    begin, end = _span(turn, first)
    piece = next(piece for piece in cut if end <= piece.end_s)
    return {
        "lane": lane,
        "begin": piece.at(begin),
        "end": piece.at(end),
        "is_known": turn["started_at"] is not None,
        "is_trouble": turn["status"] in run_facts.TROUBLE,
        "status": turn["status"],
        **run_facts.hover(turn, lane),
    }


def _time(cut: Sequence[Piece]) -> alt.X:
    end = max(cut[-1].at(cut[-1].end_s), 0.001)
    step = next((step for step in STEPS_S if end / step <= 8), STEPS_S[-1] * (1 + int(end / STEPS_S[-1] / 8)))
    ticks = [(piece.at(second), second) for piece in cut for second in _multiples(step, piece)]
    places = [round(place, 6) for place, _ in ticks]
    label = f"{[_short(second) for _, second in ticks]}[indexof({places}, datum.value)]"
    axis = alt.Axis(values=places, labelExpr=label, labelOverlap="greedy", labelFlush=True, grid=False)
    scale = alt.Scale(domain=[0, end], nice=False, padding=6)
    return alt.X("begin:Q", title="Time since the first request", scale=scale, axis=axis)


def _short(seconds: float) -> str:
    """A time on the axis, without the noughts of a round one."""
    return run_facts.latency(seconds * 1000).replace(" 00 s", "").replace(" 00 min", "") if seconds else "0"


def _multiples(step: float, piece: Piece) -> list[float]:
    first, last = -int(-piece.begin_s // step), int(piece.end_s // step)
    return [round(number * step, 6) for number in range(first, last + 1)] or [piece.begin_s]


def _cuts(cut: Sequence[Piece]) -> list[alt.Chart]:
    """A shaded stretch for each wait that is cut short."""
    waits = [
        {
            "begin": before.at(before.end_s),
            "end": after.at(after.begin_s),
            "Waited": formats.seconds(after.begin_s - before.end_s),
        }
        for before, after in pairwise(cut)
    ]
    if not waits:
        return []
    shade = alt.Chart(alt.Data(values=waits)).mark_rect(opacity=0.45)
    return [_tone(shade, "faint").encode(alt.X("begin:Q"), alt.X2("end:Q"), tooltip=[alt.Tooltip("Waited:N")])]


def _sign(marks: Sequence[dict[str, Any]]) -> alt.Shape:
    """What became of a request, as a shape; the legend has those that occur."""
    found = [status for status in SHAPES if any(mark["status"] == status for mark in marks)]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        values=found,
        symbolStrokeColor="gray",
        symbolFillColor="transparent",
        symbolStrokeWidth=2,
        symbolSize=90,
    )
    scale = alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))
    return alt.Shape("status:N", scale=scale, legend=legend if found else None)


@lru_cache(maxsize=50)
def tokens(answer: Answer) -> Spec:
    """What each request took in and gave out, by kind; what the log does not tell is outlined or marked, never 0."""
    names = run_facts.agents(answer.rows)
    marks = [_stack(turn, names[turn["sub_agent_id"]], len(answer.rows)) for turn in answer.rows]
    present = [kind for kind in TONE_OF_KIND if any(f"{kind}_high" in mark for mark in marks)]
    base = alt.Chart().encode(_number(len(marks), "left:Q"), alt.X2("right:Q"), tooltip=_hover())
    color, highest = _color(present), max(mark["top"] for mark in marks) * HEADROOM
    layers = [
        _tone(_where(base, f"isValid(datum.{kind}_high)"), TONE_OF_KIND[kind], color)
        .mark_bar()
        .encode(_amount(f"{kind}_low:Q", highest), alt.Y2(f"{kind}_high:Q"))
        for kind in present
    ]
    if any("unknown_high" in mark for mark in marks):
        outline = _tone(_where(base, "isValid(datum.unknown_high)"), "muted", color)
        layers.append(
            outline.mark_bar(filled=False, strokeDash=[3, 2], strokeWidth=1.2).encode(
                _amount("unknown_low:Q", highest), alt.Y2("unknown_high:Q")
            )
        )
    if any(mark["is_unknown"] for mark in marks):
        middle = alt.Chart().encode(_number(len(marks), "number:Q"), _amount("floor:Q", highest), tooltip=_hover())
        mark = _tone(_where(middle, "datum.is_unknown"), "accent", color)
        layers.append(mark.mark_text(text="?", dy=-8, fontWeight="bold", fontSize=13))
    return _layered(layers, marks, HEIGHT)


def is_unknown(turn: Row) -> bool:
    """Whether a request used tokens of which its log says nothing."""
    return turn["input_total_tokens"] is None and turn["output_total_tokens"] is None and not turn["is_refused"]


def _stack(turn: Row, agent: str, requests: int) -> dict[str, Any]:
    """Where each kind's part of the bar begins and ends."""
    half, number = 0.4 if requests <= SPARSE else 0.5, turn["turn_number"]
    parts = {kind: turn[f"{kind}_tokens"] for kind in run_facts.INPUT_KINDS}
    parts |= {"unknown": run_facts.kind_unknown(turn), "output": turn["output_total_tokens"]}
    mark, top = {"number": number, "left": number - half, "right": number + half, "floor": 0}, 0
    for kind, amount in parts.items():
        if amount:
            mark |= {f"{kind}_low": top, f"{kind}_high": top + amount}
            top += amount
    return mark | {"top": top, "is_unknown": is_unknown(turn)} | run_facts.hover(turn, agent)


def _number(requests: int, field: str) -> alt.X:
    scale = alt.Scale(domain=[0.5, requests + 0.5], nice=False, zero=False)
    axis = alt.Axis(format="d", tickMinStep=1, grid=False, labelOverlap="greedy", tickCount=min(requests, 12))
    return alt.X(field, title="Request", scale=scale, axis=axis)


def _amount(field: str, highest: float) -> alt.Y:
    axis = alt.Axis(
        labelExpr="format(datum.value, '~s')", domain=False, ticks=False, tickCount=5,
        titleAngle=0, titleAlign="left", titleAnchor="end", titleX=0, titleY=-14,
    )  # fmt: skip
    return alt.Y(field, title="Tokens", axis=axis, scale=alt.Scale(domain=[0, highest], nice=False))


def _color(kinds: Sequence[str]) -> alt.Color:
    """One scale for all layers, so that the theme's colours keep their jobs; its legend speaks of kinds."""
    tones = [TONE_OF_KIND[kind] for kind in kinds]
    names = [NAME_OF_KIND[kind] for kind in kinds]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        values=tones,
        symbolType="square",
        symbolSize=110,
        columns=alt.ExprRef("width < 500 ? 2 : 4"),
        labelExpr=f"{names}[indexof({tones}, datum.value)]",
    )
    return alt.Color("tone:N", scale=alt.Scale(domain=list(TONES)), legend=legend if kinds else None)


SERIES = {"input": ("muted", "Input"), "cache_read": ("faint", "Cache read"), "output": ("ink", "Output")}
"""What accumulates -> its colour and its name at the end of its line."""


def is_any_known(answer: Answer) -> bool:
    """Whether there are tokens to draw."""
    return any(answer.rows[-1][f"{name}_so_far_tokens"] for name in SUMMED)


@lru_cache(maxsize=50)
def sums(answer: Answer) -> Spec:
    """Tokens accumulating over the requests; dashed where the sum is only a lower bound."""
    turns = answer.rows
    marks = [_sum(turn, after) for turn, after in zip(turns, [*turns[1:], turns[-1]], strict=True)]
    last = turns[-1]
    known = [name for name in SUMMED if last[f"{name}_so_far_tokens"] is not None]
    highest = max(last[f"{name}_so_far_tokens"] for name in known) * HEADROOM
    start = {"number": 0, **{f"{name}_{part}": 0 for name in known for part in ("sum", "solid")}}
    hover = [alt.Tooltip(f"{title}:N") for title in ("Request", *SUM_TITLES.values())]
    scale = alt.Scale(domain=[0, len(turns)], nice=False)
    axis = alt.Axis(format="d", tickMinStep=1, grid=False, labelOverlap="greedy", tickCount=min(len(turns), 12))
    base = alt.Chart().encode(alt.X("number:Q", title="Request", scale=scale, axis=axis), tooltip=hover)
    layers = []
    for name in known:
        tone = SERIES[name][0]
        if name == "cache_read":
            layers.append(_tone(base, tone).mark_area(opacity=0.55).encode(_amount(f"{name}_sum:Q", highest)))
        for part, dash in (("solid", [1, 0]), ("dashed", [4, 3])):
            line = _tone(_where(base, f"isValid(datum.{name}_{part})"), tone)
            layers.append(line.mark_line(strokeWidth=2.2, strokeDash=dash).encode(_amount(f"{name}_{part}:Q", highest)))
    layers += [*_points(base, known, highest, len(turns)), *_ends(last, known, highest, len(turns))]
    return _layered(layers, [start, *marks], HEIGHT)


SUM_TITLES = {"input": "Input so far", "cache_read": "Cache read so far", "output": "Output so far"}


def _sum(turn: Row, after: Row) -> dict[str, Any]:
    """One request's sums; what is a lower bound is drawn dashed, from the request before on."""
    mark: dict[str, Any] = {"number": turn["turn_number"], "Request": formats.count(turn["turn_number"])}
    for name, title in SUM_TITLES.items():
        value = turn[f"{name}_so_far_tokens"]
        mark |= {f"{name}_sum": value, title: run_facts.so_far(turn, name)}
        if not turn[f"is_{name}_at_least"]:
            mark[f"{name}_solid"] = value
        if after[f"is_{name}_at_least"]:
            mark[f"{name}_dashed"] = value
    return mark


def _points(base: alt.Chart, known: Sequence[str], highest: float, requests: int) -> list[alt.Chart]:
    """What a pointer can rest on."""
    opacity = 1 if requests <= SPARSE else 0
    return [
        _tone(_where(base, "datum.number > 0"), SERIES[name][0])
        .mark_circle(size=36, opacity=opacity)
        .encode(_amount(f"{name}_sum:Q", highest))
        for name in known
    ]


def _ends(last: Row, known: Sequence[str], highest: float, requests: int) -> list[alt.Chart]:
    """The name and the amount of each line, at its end, none on another."""
    scale = HEIGHT / highest
    place: dict[str, float] = {}
    for name in ("output", "cache_read", "input"):
        if name in known:
            end = last[f"{name}_so_far_tokens"] * scale
            wanted = end / 2 if name == "cache_read" else end + 12
            place[name] = max(wanted, 10, *(other + LABEL_PX for other in place.values()))
    values = [
        {"number": requests, "at": HEIGHT - place[name], "text": f"{SERIES[name][1]} {run_facts.so_far(last, name)}"}
        for name in place
    ]
    labels = alt.Chart(alt.Data(values=values)).mark_text(align="right", dx=-6, fontSize=12)
    at = alt.Y("at:Q", scale=None, axis=None)
    return [_tone(labels, "ink").encode(alt.X("number:Q"), at, alt.Text("text:N"))] if values else []


def _where(chart: alt.Chart, test: str) -> alt.Chart:
    return chart.transform_filter(test)


def _tone(chart: alt.Chart, tone: str, color: alt.Color | None = None) -> alt.Chart:
    """This layer in one of the theme's colours."""
    return chart.transform_calculate(tone=f"'{tone}'").encode(color or _color(()))


def _hover() -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:N") for name in run_facts.HOVER]


def _layered(layers: list[alt.Chart], marks: Sequence[dict[str, Any]], height: int) -> Spec:
    """As wide as its container; checking it costs 20 times what making it does, so the tests check."""
    size = alt.AutoSizeParams(type="fit-x", contains="padding")
    data = alt.Data(values=list(marks))
    chart = alt.LayerChart(layer=layers, data=data, height=height, width="container", autosize=size)
    return chart.to_dict(validate=False)

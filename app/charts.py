"""The charts, as Vega-Lite, for the pages and for the picture alike.

Colours are named by their job; the theme says what they are. A chart is made once for each answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt

from app import facts, formats, labels, words
from app.facts import Row
from app.labels import Mark, Plot
from app.queries import Answer

Spec = dict[str, Any]

TONES = ("ink", "accent", "muted")
"""The theme's first categorical colours, in this order."""

SHAPES = ("circle", "triangle-up", "square", "diamond", "cross", "triangle-down", "triangle-right")
"""The commonest harness gets the first."""

ARROW = "M0.95,0L2.3,0M1.85,-0.4L2.3,0L1.85,0.4"
"""Points right from a mark's rim: what is known of the cost is "at least"."""

HEIGHT = 460


@lru_cache(maxsize=50)
def frontier(answer: Answer, metric: str, axis: str) -> Spec:
    """Quality over cost (or wall time) of every arm that can be placed; colour only for those on the frontier."""
    placed = [point for point in answer.rows if point["status"] != "not_comparable"]
    names = _short_names(placed)
    marks = [_mark(point, names[point["arm_id"]], metric, axis) for point in placed]
    plot = labels.plot(marks, HEIGHT, step=0.1 if metric == "solve_rate" else 10)
    hover = [alt.Tooltip("arm:N", title="Arm"), *(alt.Tooltip(f"{name}:N") for name in facts.hover(placed[0], metric))]
    base = alt.Chart().encode(_x(plot, axis), _y(plot, metric, placed), tooltip=hover)
    layers = [*_intervals(base), *_line(base, axis), *_marks(base, marks), *_labels(base)]
    return _layered(layers, labels.place(marks, plot), HEIGHT)


def _layered(layers: list[alt.Chart], marks: Sequence[Mark], height: int) -> Spec:
    """As wide as its container; `height` is the plot's own, axes and legend come on top."""
    size = alt.AutoSizeParams(type="fit-x", contains="padding")
    data = alt.Data(values=marks)
    chart = alt.LayerChart(layer=layers, data=data, height=height, width="container", autosize=size)
    return chart.to_dict(validate=False)  # checking it costs 20 times what making it does; the tests check


def _mark(point: Row, name: str, metric: str, axis: str) -> Mark:
    """One point as the chart needs it; what the hover shows is text already."""
    form, cost = facts.quality_form(metric), facts.cost_per_task(point)
    seconds = point["wall_s_per_task"]
    x = seconds / 60 if axis == "wall_time" else point["cost_per_task_low_usd"]
    is_bound = axis != "wall_time" and point["cost_status"] != "known"
    return {
        "arm": point["arm_label"],
        "x": float(x),
        "y": point["quality"],
        "low": point["quality_low"],
        "high": point["quality_high"],
        "harness": words.name(point["harness"]),
        "kind": "on" if point["status"] == "on_frontier" else "bound" if is_bound else "off",
        "name": name,
        "detail": f"{form(point['quality'])} · {formats.seconds(seconds) if axis == 'wall_time' else cost}",
        **facts.hover(point, metric),
    }


def _short_names(points: Sequence[Row]) -> dict[str, str]:
    """Arm id -> the shortest name that no other placed arm has: the LLM, the LLM and its harness, the whole arm."""
    choices = {
        point["arm_id"]: (point["llm"], f"{point['llm']} · {words.name(point['harness'])}", point["arm_label"])
        for point in points
    }
    seen = Counter(choice for tried in choices.values() for choice in tried)
    return {arm: next((choice for choice in tried if seen[choice] == 1), tried[-1]) for arm, tried in choices.items()}


def _x(plot: Plot, axis: str) -> alt.X:
    is_time = axis == "wall_time"
    title = "Wall time per task, minutes" if is_time else "Cost per task, US$"
    shown = f"format(datum.value, '{'' if is_time else '$'},~r')"
    edges = [alt.ExprRef(plot.left), plot.right]
    scale = alt.Scale(type="log", domain=edges) if plot.is_log else alt.Scale(domain=edges, nice=False, zero=False)
    axes = alt.Axis(labelExpr=f"{_has_label(plot)} ? {shown} : ''", grid=False, labelOverlap="greedy", tickCount=10)
    return alt.X("x:Q", title=f"{title} (log scale)" if plot.is_log else title, scale=scale, axis=axes)


def _has_label(plot: Plot) -> str:
    """Which ticks get a label: on a log scale 1 and 3 of each decade, or 1, 2 and 5 where there is only about one."""
    if not plot.is_log:
        return "datum.value >= 0"
    digits = "[1, 3, 10]" if plot.right / plot.lowest > 12 else "[1, 2, 5, 10]"
    return f"indexof({digits}, round(datum.value / pow(10, floor(log(datum.value) / LN10)))) >= 0"


def _y(plot: Plot, metric: str, points: Sequence[Row]) -> alt.Y:
    tasks = formats.count(points[0]["tasks_total"])
    is_rate = metric == "solve_rate"
    axis = alt.Axis(
        labelExpr=f"format(datum.value{' * 100' if is_rate else ''}, '~r')",
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleX=0,
        titleY=-14,
        tickCount=7,
        domain=False,
        ticks=False,
    )
    title = f"Tasks solved, % of {tasks}" if is_rate else f"Mean score over {tasks} tasks, failures as 0"
    return alt.Y("y:Q", title=title, scale=alt.Scale(domain=[plot.bottom, plot.top], nice=False, zero=False), axis=axis)


def _layer(base: alt.Chart, tone: str, *kinds: str) -> alt.Chart:
    """The marks of these kinds, in this tone."""
    color = alt.Color("tone:N", scale=alt.Scale(domain=list(TONES)), legend=None)
    chosen = base.transform_filter(alt.FieldOneOfPredicate(field="kind", oneOf=list(kinds)))
    return chosen.transform_calculate(tone=f"'{tone}'").encode(color)


def _intervals(base: alt.Chart) -> list[alt.Chart]:
    """The frontier's intervals always, another arm's when it is pointed at."""
    pointed = alt.selection_point(name="pointed", on="pointerover", clear="pointerout", fields=["arm"], empty=False)
    whisker = base.encode(alt.Y("low:Q"), alt.Y2("high:Q"))
    seen = alt.when(pointed).then(alt.value(0.9)).otherwise(alt.value(0))
    off, on = _layer(whisker, "muted", "off", "bound"), _layer(whisker, "accent", "on")
    return [
        off.mark_rule(strokeWidth=2).encode(opacity=seen).add_params(pointed),
        on.mark_rule(strokeWidth=2, opacity=0.5),
    ]


def _line(base: alt.Chart, axis: str) -> list[alt.Chart]:
    """No line where dominance has three sides: the points of that frontier form no stair."""
    if axis == "both":
        return []
    stair = _layer(base, "accent", "on").encode(alt.Order("x:Q"), tooltip=alt.value(None))
    return [stair.mark_line(interpolate="step-after", strokeWidth=2.5, strokeJoin="round")]


def _marks(base: alt.Chart, marks: Sequence[Mark]) -> list[alt.Chart]:
    """Filled where the cost is known, hollow with an arrow where it is a lower bound."""
    harnesses = [harness for harness, _ in Counter(sorted(mark["harness"] for mark in marks)).most_common()]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        columns=alt.ExprRef(f"width < {labels.NARROW_BELOW_PX} ? 2 : 6"),
        symbolSize=90,
        symbolFillColor="gray",
    )
    scale = alt.Scale(domain=harnesses, range=[SHAPES[index % len(SHAPES)] for index in range(len(harnesses))])
    shape = alt.Shape("harness:N", scale=scale, legend=legend)
    bound = _layer(base, "muted", "bound")
    return [
        _layer(base, "muted", "off").mark_point(filled=True, size=70, opacity=0.6).encode(shape),
        bound.mark_point(shape=ARROW, size=60, strokeWidth=1.2, opacity=0.9),
        bound.mark_point(filled=False, size=60, strokeWidth=1.4, opacity=1).encode(shape),
        _layer(base, "accent", "on").mark_point(filled=True, size=150, opacity=1).encode(shape),
    ]


def _labels(base: alt.Chart) -> list[alt.Chart]:
    name, detail = _layer(base, "ink", "on"), _layer(base, "muted", "on")
    return [
        _text(name, bold=True, narrow=11, wide=13).encode(alt.Y("name_y:Q"), alt.Text("name:N")),
        _text(detail, bold=False, narrow=10, wide=12).encode(alt.Y("detail_y:Q"), alt.Text("detail:N")),
    ]


def _text(layer: alt.Chart, bold: bool, narrow: int, wide: int) -> alt.Chart:
    size = alt.ExprRef(f"width < {labels.NARROW_BELOW_PX} ? {narrow} : {wide}")
    weight = "bold" if bold else "normal"
    return layer.mark_text(align="right", baseline="middle", dx=-11, fontWeight=weight, fontSize=size)


@lru_cache(maxsize=50)
def claim_gaps(answer: Answer) -> Spec:
    """How far ours is from each printed number, as a share of it, for every metric in which one differs."""
    compared = facts.compared(answer.rows)
    differing = Counter(claim["metric"] for claim in compared if claim["status"] == "differs")
    shown = [claim for claim in compared if claim["metric"] in differing]
    marks = [facts.claim(claim) | {"jitter": index % 7} for index, claim in enumerate(shown)]
    metrics = [metric for metric, _ in differing.most_common()]
    hover = [alt.Tooltip(f"{name}:N") for name in facts.CLAIM_HOVER]
    ticks = alt.Axis(
        values=[-0.9, -0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100],
        labelExpr="datum.value === 0 ? 'equal' : format(datum.value, '+.0%')",
        labelOverlap="greedy",
        grid=False,
    )
    gaps = [mark["gap"] for mark in marks]
    edges = [min(-0.1, *gaps), max(0.1, *gaps)]
    symlog = alt.Scale(type="symlog", constant=0.1, domain=edges, nice=False, padding=12)
    rows = alt.Y("metric:N", title=None, sort=metrics, axis=alt.Axis(labelLimit=170, domain=False, ticks=False))
    base = alt.Chart().encode(alt.X("gap:Q", title="Ours against the printed number", scale=symlog, axis=ticks), rows)
    even = alt.Chart(alt.Data(values=[{"gap": 0}])).mark_rule(strokeDash=[3, 3]).encode(alt.X("gap:Q"))
    points = base.encode(alt.YOffset("jitter:Q", scale=alt.Scale(domain=[-2, 8])), tooltip=hover)
    layers = [
        even,
        _layer(points, "muted", "reproduced").mark_circle(size=50, opacity=0.7),
        _layer(points, "muted", "older").mark_point(size=50, opacity=0.9),
        _layer(points, "accent", "differs").mark_circle(size=80, opacity=0.85),
    ]
    return _layered(layers, marks, height=40 * len(metrics))

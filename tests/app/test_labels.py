from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from app import labels
from app.labels import LINE_PX, Mark

marks = st.lists(
    st.fixed_dictionaries(
        {
            "x": st.floats(1e-6, 1e4),
            "y": st.floats(0, 1),
            "low": st.none(),
            "high": st.none(),
            "kind": st.sampled_from(["on", "off", "bound"]),
            "name": st.text("m", min_size=1, max_size=30),
            "detail": st.just("50.0%"),
        }
    ),
    min_size=1,
    max_size=12,
)


@given(marks)
def test_no_two_labels_lie_on_each_other_even_on_a_phone(some: list[Mark]) -> None:
    plot = labels.plot(some, height=460, step=0.1)
    boxes = [
        (plot.offset(mark["x"]) - labels.width(mark), plot.offset(mark["x"]), plot.px(mark["name_y"]), plot.px(lowest))
        for mark in labels.place(some, plot)
        if mark["kind"] == "on"
        for lowest in [mark.get("detail_y", mark["name_y"])]
    ]
    for (left_a, right_a, top_a, bottom_a), (left_b, right_b, top_b, bottom_b) in combinations(boxes, 2):
        is_beside = right_a <= left_b or right_b <= left_a
        assert is_beside or bottom_b - top_a > LINE_PX - 1e-6 or bottom_a - top_b > LINE_PX - 1e-6


@given(marks)
def test_every_mark_is_kept_and_within_the_edges(some: list[Mark]) -> None:
    plot = labels.plot(some, height=460, step=0.1)
    placed = labels.place(some, plot)
    assert len(placed) == len(some)
    assert all(plot.lowest <= mark["x"] <= plot.right and plot.bottom <= mark["y"] <= plot.top for mark in placed)

"""The Wilson interval in SQL, against the case book and SciPy."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb
import pytest
from rendered import Renderer
from scipy.stats import binomtest

Interval = tuple[float | None, float | None]


def wilson(renderer: Renderer, trials: Iterable[tuple[int | None, int]]) -> list[Interval]:
    """The intervals of (k, n)."""
    sql = renderer.text("select {{ wilson_low('k', 'n') }}, {{ wilson_high('k', 'n') }} from trials order by number")
    with duckdb.connect() as connection:
        connection.execute("create table trials (number integer, k bigint, n bigint)")
        connection.executemany("insert into trials values (?, ?, ?)", [(i, k, n) for i, (k, n) in enumerate(trials)])
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (0, 10, 0, 0.27753),
        (10, 10, 0.72247, 1),
        (38, 38, 0.90819, 1),
        (0, 77, 0, 0.04752),
        (5, 10, 0.23659, 0.76341),
    ],
)
def test_c44_the_interval_of_k_in_n(renderer: Renderer, k: int, n: int, low: float, high: float) -> None:
    assert wilson(renderer, [(k, n)]) == [pytest.approx((low, high), abs=5e-6)]


def test_c44_no_trials_have_no_interval(renderer: Renderer) -> None:
    assert wilson(renderer, [(0, 0), (None, 10)]) == [(None, None), (None, None)]


def test_c44_the_ends_are_exactly_0_and_1_and_the_width_is_never_0(renderer: Renderer) -> None:
    sizes = range(1, 501)
    nothing = wilson(renderer, [(0, n) for n in sizes])
    everything = wilson(renderer, [(n, n) for n in sizes])
    assert {low for low, _ in nothing} == {0.0}
    assert {high for _, high in everything} == {1.0}
    assert all(high and 0 < high < 1 for _, high in nothing)
    assert all(low and 0 < low < 1 for low, _ in everything)


def test_sql_agrees_with_scipy_to_1e12(renderer: Renderer) -> None:
    trials = [(k, n) for n in (1, 2, 5, 21, 77, 103, 500, 1_000) for k in range(0, n + 1, max(1, n // 50))]
    theirs = [binomtest(k, n).proportion_ci(method="wilson") for k, n in trials]
    ours = wilson(renderer, trials)
    assert [low for low, _ in ours] == pytest.approx([ci.low for ci in theirs], rel=1e-12, abs=1e-15)
    assert [high for _, high in ours] == pytest.approx([ci.high for ci in theirs], rel=1e-12)

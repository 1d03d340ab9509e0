"""The exact McNemar test in SQL, against SciPy."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from rendered import Renderer
from scipy.stats import binom, binomtest

LARGEST = 1_000
PValues = dict[tuple[int, int], float]


@pytest.fixture(scope="module")
def p_values(renderer: Renderer) -> PValues:
    """p by (discordant tasks, the smaller part of them), for up to a thousand discordant tasks."""
    with duckdb.connect() as connection:
        connection.execute(f"""
            create table int_cell_attempts (dataset varchar, task_id varchar);
            create table int_paired_counts as
                select range as only_a_solved, 0 as only_b_solved from range({LARGEST + 1});
            create table int_log_factorials as {renderer.model("int_log_factorials")};
        """)
        rows = connection.execute(renderer.model("int_mcnemar_p_values")).fetchall()
    return {(discordant, fewer): p for discordant, fewer, p in rows}


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (10, 2, 158 / 4096), (31, 32, 1.0), (7, 7, 1.0)],
)
def test_c43_the_test_is_exact_and_defined_without_discordant_tasks(
    p_values: PValues, only_a: int, only_b: int, p: float
) -> None:
    assert p_values[only_a + only_b, min(only_a, only_b)] == pytest.approx(p, rel=1e-13)


def test_as_even_a_split_as_can_be_has_a_p_of_exactly_one(p_values: PValues) -> None:
    assert {p_values[discordant, discordant // 2] for discordant in range(LARGEST + 1)} == {1.0}


def test_every_split_of_up_to_a_thousand_discordant_tasks_has_its_p(p_values: PValues) -> None:
    assert set(p_values) == {(m, k) for m in range(LARGEST + 1) for k in range(m // 2 + 1)}


@pytest.mark.parametrize(("discordant", "fewer"), [(12, 2), (53, 12), (63, 31), (500, 200), (1_000, 0), (1_000, 450)])
def test_sql_agrees_with_the_binomial_test_of_scipy(p_values: PValues, discordant: int, fewer: int) -> None:
    assert p_values[discordant, fewer] == pytest.approx(float(binomtest(fewer, discordant).pvalue), rel=1e-12, abs=0)


def test_sql_agrees_with_scipy_to_1e12_on_every_split(p_values: PValues) -> None:
    splits = np.array(list(p_values))
    theirs = np.minimum(1, 2 * binom.cdf(splits[:, 1], splits[:, 0], 0.5))
    np.testing.assert_allclose(np.array(list(p_values.values())), theirs, rtol=1e-12, atol=0)

from decimal import Decimal

import pytest

from app import formats

D = Decimal


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "unknown"),
        (D(0), "$0.00"),
        (D("0.00004"), "$0.000040"),
        (D("0.000000000001"), "$0.0000000000010"),
        (D("0.0042"), "$0.0042"),
        (D("0.7418"), "$0.7418"),
        (D("1.55055"), "$1.5506"),
        (D("9.99996"), "$10.0000"),
        (D("18.335"), "$18.34"),
        (D("1234567.891"), "$1,234,567.89"),
        (D("-0.00004"), "-$0.000040"),
        (D("99999999999999999999999999.999999999999"), "$100,000,000,000,000,000,000,000,000.00"),
    ],
)
def test_c61_money_shows_small_costs_true_zero_and_unknown_as_three_things(amount: D | None, text: str) -> None:
    assert formats.money(amount) == text


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("cost_usd", D("0.00004"), "$0.000040"),
        ("cost_usd", None, "unknown"),
        ("input_total_tokens", None, "unknown"),
        ("tokens", 9007199254740993, "9007199254740993"),
        ("score", None, "null"),
        ("score", float("nan"), "null"),
        ("is_headline", True, "true"),
        ("mcnemar_p", 0.0000817123, "8.171e-05"),
        ("solve_rate", 0.8380000000000001, "0.838"),
        ("claimed_value", D("76.800000000000"), "76.8"),
        ("tags", ["a", "b"], "a, b"),
        ("reason", "red\x1b[31m\nnext", "red\\x1b[31m\\nnext"),
    ],
)
def test_c61_a_cell_keeps_its_digits_and_says_unknown(column: str, value: object, text: str) -> None:
    assert formats.cell(column, value) == text


def test_c61_the_footer_sums_what_is_known_and_counts_what_is_not() -> None:
    assert formats.total("cost_usd", [D("0.00004"), D(0), None]) == "$0.000040 (1 of 3 unknown)"
    assert formats.total("output_tokens", [2**53, 1]) == "9007199254740993"
    assert formats.total("cost_usd", [None, None]) == "unknown (2 of 2 unknown)"
    assert formats.total("spend_usd", [D(10) ** 25, D("0.000000000001")]) == "$10,000,000,000,000,000,000,000,000.00"


def test_only_amounts_and_counts_are_summed_never_ratios_or_interval_ends() -> None:
    names = ["spend_usd", "cost_per_task_usd", "spend_low_usd", "output_tokens", "solve_rate", "tasks"]
    assert [name for name in names if formats.is_additive(name)] == ["spend_usd", "output_tokens"]


def test_a_cost_shows_its_point_else_its_range_else_its_lower_bound() -> None:
    assert [
        formats.cost(D("0.7418"), D("0.7"), D("0.8")),
        formats.cost(None, D("1.04227"), None),
        formats.cost(None, D("1"), D("2")),
        formats.cost(None),
    ] == ["$0.7418", "at least $1.0423", "$1.0000 to $2.0000", "unknown"]


def test_shares_durations_counts_and_intervals_read_as_prose() -> None:
    assert [formats.share(value) for value in (0.838, 0.0, 0.0001, 0.9999, 1.0, None)] == [
        "83.8%",
        "0.0%",
        "<0.1%",
        ">99.9%",
        "100.0%",
        "unknown",
    ]
    assert [formats.seconds(value) for value in (4.21, 59.97, 200, 7500, None)] == [
        "4.2 s",
        "1 min 00 s",
        "3 min 20 s",
        "2 h 05 min",
        "unknown",
    ]
    assert formats.count(21500) == "21,500"
    assert formats.solved(419, 500) == "419/500"
    assert formats.interval(0.803, 0.868) == "80.3% to 86.8%"
    assert formats.interval(D(1), None, formats.money) == "unknown"
    assert formats.score(26.895) == "26.90"

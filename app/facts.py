"""An arm's figures as people read them: one function per figure, for the hover, the tables and the lists alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from app import formats, words

Row = Mapping[str, Any]


def quality_form(metric: str) -> Callable[[float | None], str]:
    """How a value of this metric is written: a rate of 0 to 1 as per cent, a score as it is."""
    return formats.share if metric == "solve_rate" else formats.score


def graded_by(row: Row, metric: str) -> str:
    """A figure with its n: `419/500` solved, or `2/5` scored."""
    return formats.solved(row["solved"] if metric == "solve_rate" else row["scored"], row["attempts"])


def n_name(metric: str) -> str:
    """What the n of this metric counts."""
    return "Solved" if metric == "solve_rate" else "Scored"


def only_name(metric: str) -> str:
    """The metric over the attempts that have a verdict, which stands beside the one over all."""
    return "Graded only" if metric == "solve_rate" else "Scored only"


def cost_per_task(row: Row) -> str:
    return formats.cost(row["cost_per_task_usd"], row["cost_per_task_low_usd"], row["cost_per_task_high_usd"])


def cost_per_solved(row: Row) -> str:
    if row["solved"] == 0:
        return "nothing solved"
    return formats.cost(row["cost_per_solved_usd"], row["cost_per_solved_low_usd"], row["cost_per_solved_high_usd"])


def cost_known_for(row: Row) -> str:
    return f"{formats.count(row['cost_known_attempts'])} of {formats.count(row['attempts'])} attempts"


def versions(row: Row) -> str:
    """The harness versions of an arm's runs, or those of the wrapper where the source states only that."""
    own, wrapper = row["harness_versions"] or [], row["harness_wrapper_versions"] or []
    text = ", ".join(own) if own else ", ".join(f"wrapper {version}" for version in wrapper)
    return text or "unstated"


def standing(row: Row) -> str:
    """Where an arm stands, and because of what."""
    if row["status"] == "dominated":
        return f"dominated by {row['dominated_by_arm_label']}"
    return ": ".join(filter(None, (words.name(row["status"]), row["reason"])))


def hover(row: Row, metric: str) -> dict[str, str]:
    """Everything that the page says about one arm, in reading order."""
    form = quality_form(metric)
    is_rate = metric == "solve_rate"
    quality = {words.option(metric): f"{form(row['quality'])} ({graded_by(row, metric)})"}
    if is_rate:
        quality["95% interval"] = formats.interval(row["quality_low"], row["quality_high"], form)
    quality[only_name(metric)] = form(row["quality_graded_only"])
    return {
        **quality,
        "Cost per task": cost_per_task(row),
        **({"Cost per solved": cost_per_solved(row)} if is_rate else {}),
        "Cost known for": cost_known_for(row),
        "Cost basis": words.name(row["actual_cost_basis"]),
        "Wall time per task": formats.seconds(row["wall_s_per_task"]),
        "Stands": standing(row),
        "Harness version": versions(row),
    }


CLAIM_HOVER = ("Arm", "Dataset", "Printed", "Ours", "Difference", "Table", "Reason")


def compared(claims: Sequence[Row]) -> list[Row]:
    """The claims that have a figure of ours beside them, as a share of what was printed."""
    return [row for row in claims if row["status"] != "not_computed" and row["difference_share"] is not None]


def claim(row: Row) -> dict[str, Any]:
    """One printed number beside ours, as its chart needs it; what the hover shows is text already."""
    is_older = row["status"] == "differs" and row["is_older_method"]
    return {
        "metric": row["metric"],
        "gap": row["difference_share"],
        "kind": "older" if is_older else row["status"],
        "Arm": row["arm"],
        "Dataset": words.name(row["dataset"]),
        "Printed": row["claimed_text"],
        "Ours": ours(row),
        "Difference": amount(row["difference"], row["unit"]),
        "Table": row["table_name"],
        "Reason": row["reason"] or "the same to the printed digit",
    }


def ours(row: Row) -> str:
    """Our figure beside a claim, with what it is where it is not exact."""
    text = amount(row["our_value"], row["unit"])
    return f"at least {text}" if row["our_status"] == "lower_bound" and row["our_value"] is not None else text


def change(share: float | None) -> str:
    """A difference as a share of the claim, with its sign: `+196.6%`."""
    if share is None:
        return formats.UNKNOWN
    return f"+{formats.share(share)}" if share > 0 else formats.share(share)


def amount(value: Decimal | None, unit: str | None) -> str:
    """A figure in the unit of the claim it answers."""
    if value is None:
        return formats.UNKNOWN
    return formats.money(value) if unit == "USD" else formats.plain(value)

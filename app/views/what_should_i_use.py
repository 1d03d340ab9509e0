"""What should I use? The frontier on one ground, what is not on it and why, and the rows behind it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import charts, components, facts, formats, queries, sentences, words
from app.components import Column
from app.facts import Row
from app.queries import Answer, Build, Ground
from app.url_state import Filters
from collectors.home import find_home

FILTERS = {
    "dataset": ("dataset", "Dataset"),
    "dataset_version": ("version", "Version"),
    "split": ("split", "Split"),
    "verifier_id": ("verifier", "Graded by"),
    "quality_metric": ("metric", "Quality"),
    "cost_basis": ("basis", "Cost basis"),
    "cost_method": ("method", "Cost method"),
    "axis": ("axis", "Compared on"),
}
"""Column of a ground -> the URL's name for it and its label, in the order in which one narrows the next."""

ALWAYS_SHOWN = ("dataset", "quality_metric", "cost_basis", "axis")


def page() -> None:
    build = queries.current_build(find_home())
    grounds = queries.grounds(build).rows
    if not grounds:
        st.title("What should I use?")
        st.info(
            "This warehouse holds no graded attempts yet. Run `meterhouse demo`, or `meterhouse collect` and `build`."
        )
    else:
        show(build, choose_ground(grounds))
    components.footer(build)


def choose_ground(grounds: Sequence[Row]) -> Ground:
    """Each filter offers what is there under the choices before it."""
    chosen: dict[str, str] = {}
    filters = Filters()
    for column, (param, label) in FILTERS.items():
        options = list(dict.fromkeys(row[column] for row in grounds))
        chosen[column] = options[0]
        if column in ALWAYS_SHOWN or len(options) > 1:
            verifiers = {row["verifier_id"]: words.verifier(row) for row in grounds}
            say = verifiers.__getitem__ if column == "verifier_id" else words.option
            chosen[column] = filters.choose(param, label, options, say)
        grounds = [row for row in grounds if row[column] == chosen[column]]
    return Ground(**chosen)


def show(build: Build, ground: Ground) -> None:
    answer, [numbers] = queries.frontier(build, ground), queries.frontier_numbers(build, ground).rows
    points = answer.rows
    st.title(sentences.finding(numbers, ground.axis))
    st.markdown(sentences.ground(numbers, ground))
    show_numbers(numbers)
    if numbers["on_frontier"]:
        show_chart(answer, ground)
    else:
        st.info(sentences.no_frontier(numbers))
    show_left_out(points, ground)
    show_table(answer, ground)


def show_numbers(numbers: Row) -> None:
    components.numbers(
        [
            ("Arms", numbers["arms"], "Harness × LLM × serving path × skill × effort, each with attempts here."),
            ("Tasks", numbers["tasks"], "An arm that did not attempt all of them is not placed."),
            ("Attempts", numbers["attempts"], "Failures and timeouts included; they cost money too."),
            ("On the frontier", numbers["on_frontier"], "Nothing else is at least as good for no more."),
            ("Undecided", numbers["undecided"], "Only a lower bound of the cost is known, and nothing beats it."),
            ("Lower bounds", numbers["lower_bounds"], "Arms whose cost is known for some attempts only."),
            ("Unknown cost", numbers["unknown_costs"], "Arms with no known amount: never free, never on the frontier."),
        ]
    )


def show_chart(answer: Answer, ground: Ground) -> None:
    points, axis = answer.rows, ground.axis
    about = (sentences.how_to_read(points, axis), sentences.not_shown(points), sentences.directional(points, axis))
    st.caption(" ".join(filter(None, about)))
    chart = charts.frontier(answer, ground.quality_metric, axis)
    st.vega_lite_chart(chart, key="frontier", alt=f"The frontier. {about[0]} The table below has every figure.")


def show_left_out(points: Sequence[Row], ground: Ground) -> None:
    metric = ground.quality_metric
    form = facts.quality_form(metric)
    columns = [
        Column("Arm", lambda row: row["arm_label"]),
        Column(words.option(metric), lambda row: form(row["quality"]), "number"),
        Column(facts.n_name(metric), lambda row: facts.graded_by(row, metric), "number"),
        Column("Reason", lambda row: row["reason"], "prose"),
    ]
    for status, title in (("undecided", "Undecided"), ("not_comparable", "Not comparable")):
        rows = [point for point in points if point["status"] == status]
        if rows:
            st.subheader(f"{title}: {words.arms(len(rows))}")
            components.table(rows, columns)


def show_table(answer: Answer, ground: Ground) -> None:
    st.subheader("Every arm")
    columns = arm_columns(ground.quality_metric)
    unknown = components.unknown_columns(answer.rows, columns)
    if unknown:
        st.caption(f"Unknown of every arm: {', '.join(column.title.lower() for column in unknown)}.")
    known = [column for column in columns if column not in unknown]
    components.table(answer.rows, known, lambda row: row["status"] == "on_frontier")
    components.evidence(answer, f"frontier-{ground.dataset}-{ground.cost_basis}")


def arm_columns(metric: str) -> list[Column]:
    """A judge's score has no interval and no solves, so it has no columns for them."""
    form = facts.quality_form(metric)
    is_rate = metric == "solve_rate"
    columns = [
        Column("Arm", lambda row: row["arm_label"]),
        Column(words.option(metric), lambda row: form(row["quality"]), "number"),
        Column(facts.n_name(metric), lambda row: facts.graded_by(row, metric), "number"),
        Column("95% interval", lambda row: formats.interval(row["quality_low"], row["quality_high"], form), "number"),
        Column(facts.only_name(metric), lambda row: form(row["quality_graded_only"]), "number"),
        Column("Cost per task", facts.cost_per_task, "number"),
        Column("Cost per solved", facts.cost_per_solved, "number"),
        Column("Cost known", lambda row: formats.share(row["cost_known_share"]), "number"),
        Column("Wall time per task", lambda row: formats.seconds(row["wall_s_per_task"]), "number"),
        Column("Stands", facts.standing, "prose"),
        Column("Cost basis", lambda row: words.name(row["actual_cost_basis"])),
        Column("Harness version", facts.versions),
    ]
    return [column for column in columns if is_rate or column.title not in ("95% interval", "Cost per solved")]


page()

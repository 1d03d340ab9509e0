"""Can I trust this data? What was set aside, what is unknown, and where a printed number is not ours."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import charts, components, facts, formats, queries, words
from app.components import Column
from app.facts import Row
from app.queries import Answer, Build
from app.url_state import Filters
from collectors.home import find_home

GAPS = (
    "Each mark is one printed number; a row is a metric in which at least one differs. Coloured: ours differs. "
    "Hollow: ours differs from a print of an older method. Grey: reproduced."
)


def page() -> None:
    build = queries.current_build(find_home())
    checks, claims = queries.quality_checks(build), queries.claim_choices(build).rows
    [numbers] = queries.trust_numbers(build).rows
    st.title(title(numbers))
    st.caption(
        "Everything that a reader should know before trusting a figure: what was set aside, what is unknown, "
        "and where a number that somebody printed is not ours."
    )
    show_numbers(numbers)
    show_checks(checks)
    show_findings(build, checks.rows)
    show_claims(build, claims)
    components.footer(build)


def title(numbers: Row) -> str:
    """The errors first; where there are none, what there is to know."""
    errors, warnings = numbers["errors"], numbers["warnings"]
    if errors:
        return words.sentence(f"{words.number(errors)} {'error' if errors == 1 else 'errors'} to mend")
    return f"No errors, and {words.number(warnings)} {'warning' if warnings == 1 else 'warnings'} to know about"


def show_numbers(numbers: Row) -> None:
    components.numbers(
        [
            ("Errors", numbers["errors"], "Findings that make a figure wrong until they are mended."),
            ("Warnings", numbers["warnings"], "Findings that a figure carries with it: unknowns, bounds, conflicts."),
            (
                "Set aside",
                numbers["set_aside"],
                "Records not understood, whole or in part. That part is in no figure.",
            ),
            ("Unknown cost", numbers["unknown_costs"], "Arms at a dataset with no known amount."),
            ("Lower bounds", numbers["lower_bounds"], "Arms at a dataset whose cost is known for some attempts only."),
            ("Claims reproduced", numbers["reproduced"], "Printed numbers that ours equals, to the printed digit."),
            ("Claims that differ", numbers["differing"], "Printed numbers that ours does not equal."),
            ("Claims not computed", numbers["not_computed"], "Printed numbers that no figure of ours answers."),
        ]
    )


def show_checks(checks: Answer) -> None:
    st.subheader("Checks")
    if not checks.rows:
        st.info("No checks have run: this warehouse is empty.")
        return
    columns = [
        Column("Findings", lambda row: formats.count(row["findings"]), "number"),
        Column("Check", lambda row: _plain(row["check_name"])),
        Column("Meaning", lambda row: row["meaning"], "prose"),
        Column("Severity", lambda row: row["severity"]),
        Column("Source", lambda row: row["source"]),
    ]
    components.table(checks.rows, columns, lambda row: row["severity"] == "error" and row["findings"] > 0)
    components.evidence(checks, "data-quality")


def show_findings(build: Build, checks: Sequence[Row]) -> None:
    st.subheader("Findings")
    filters = Filters()
    found = [row for row in checks if row["findings"]]
    chosen = {
        column: filters.narrow(param, label, _values(found, column))
        for param, label, column in (
            ("check", "Check", "check_name"), ("severity", "Severity", "severity"), ("from", "Source", "source"),
        )
    }  # fmt: skip
    answer = queries.findings(build, chosen)
    if not answer.rows:
        st.info("No findings match.")
        return
    components.table(answer.rows, FINDING_COLUMNS)
    components.evidence(answer, "findings")


def show_claims(build: Build, choices: Sequence[Row]) -> None:
    st.subheader("Claims: what others printed, and what we compute")
    filters = Filters()
    chosen = {
        column: filters.narrow(param, label, _values(choices, column))
        for param, label, column in (
            ("status", "Status", "status"), ("claimed_by", "Claimed by", "source"), ("metric", "Metric", "metric"),
        )
    }  # fmt: skip
    answer = queries.claims(build, chosen)
    if not answer.rows:
        st.info("No claims match.")
        return
    show_gaps(answer)
    components.table(answer.rows, CLAIM_COLUMNS)
    components.evidence(answer, "claims")


def show_gaps(claims: Answer) -> None:
    if any(row["status"] == "differs" for row in facts.compared(claims.rows)):
        st.caption(GAPS)
        st.vega_lite_chart(charts.claim_gaps(claims), key="gaps", alt=f"{GAPS} The table below has every figure.")


FINDING_COLUMNS = [
    Column("Check", lambda row: _plain(row["check_name"])),
    Column("Severity", lambda row: row["severity"]),
    Column("Subject", lambda row: row["subject"], "prose"),
    Column("Detail", lambda row: row["detail"] or "", "prose"),
    Column("Source", lambda row: row["source"]),
    Column("File", lambda row: row["source_ref"] or ""),
    Column("Offset", lambda row: "" if row["source_offset"] is None else formats.count(row["source_offset"]), "number"),
]

CLAIM_COLUMNS = [
    Column("Status", lambda row: words.name(row["status"])),
    Column("Arm", lambda row: row["arm"]),
    Column("Dataset", lambda row: words.name(row["dataset"] or "")),
    Column("Metric", lambda row: row["metric"]),
    Column("Printed", lambda row: row["claimed_text"], "number"),
    Column("Ours", facts.ours, "number"),
    Column("Difference", lambda row: facts.change(row["difference_share"]), "number"),
    Column("Reason", lambda row: row["reason"] or "", "prose"),
    Column("Claimed by", lambda row: row["source"]),
    Column("Table", lambda row: row["table_name"]),
    Column("Task", lambda row: row["task_id"] or ""),
]


def _values(rows: Sequence[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def _plain(word: str) -> str:
    return word.replace("_", " ")


page()

"""The dbt models run on DuckDB and on Spark: what only one of them has stays in the dispatched macros."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2] / "dbt_project"
FILES = [
    path
    for path in sorted([*PROJECT.glob("models/**/*.sql"), *PROJECT.glob("macros/**/*.sql")])
    if "portable" not in path.parts
]
NOT_PORTABLE = (
    r"::", r"`", r"\bqualify\b", r"\basof\b", r"\bgroup by all\b", r"\blateral\b", r"\blist_\w+\s*\(", r"\bconv\s*\(",
    r"\b(unnest|explode|lgamma|quantile_cont|percentile_approx|collect_list|get_json_object)\b",
)  # fmt: skip
DIVISION = re.compile(r"\s/\s(?!\s*(?:nullif\(|0*[1-9]))")


def without_comments(path: Path) -> str:
    return re.sub(r"\{#.*?#\}|--[^\n]*", "", path.read_text(), flags=re.DOTALL)


def without_strings(sql: str) -> str:
    return re.sub(r"'[^'\n]*'", "''", sql)


@pytest.mark.parametrize("pattern", NOT_PORTABLE)
def test_no_dbt_model_says(pattern: str) -> None:
    named = {path.name: without_strings(without_comments(path)) for path in FILES}
    assert [name for name, sql in named.items() if re.search(pattern, sql, flags=re.IGNORECASE)] == []


def test_nothing_is_divided_by_what_may_be_zero() -> None:
    assert [path.name for path in FILES if DIVISION.search(without_comments(path))] == []


def test_lines_fit_the_page() -> None:
    written = {path.name: path.read_text() for path in FILES if path.name != "event_contract.sql"}
    assert [name for name, text in written.items() if any(len(line) > 130 for line in text.splitlines())] == []

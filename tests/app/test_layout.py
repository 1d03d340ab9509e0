from __future__ import annotations

import re
from pathlib import Path

import yaml

import app
from collectors.home import resources

APP = Path(app.__file__).parent


def test_the_marts_that_the_pages_query_are_those_of_the_exposures() -> None:
    text = (resources("dbt_project") / "models" / "marts" / "_marts__exposures.yml").read_text(encoding="utf-8")
    pages = {exposure["name"]: exposure["depends_on"] for exposure in yaml.safe_load(text)["exposures"]}
    queried = set(re.findall(r"\bmarts\.(\w+)", (APP / "queries.py").read_text(encoding="utf-8")))
    exposed = {reference for depends_on in pages.values() for reference in depends_on}
    assert exposed == {f"ref('{mart}')" for mart in queried}


def test_every_page_has_an_exposure_of_its_name() -> None:
    text = (resources("dbt_project") / "models" / "marts" / "_marts__exposures.yml").read_text(encoding="utf-8")
    names = {exposure["name"] for exposure in yaml.safe_load(text)["exposures"]}
    assert names == {path.stem for path in (APP / "views").glob("*.py")}


def test_only_the_queries_speak_sql() -> None:
    pages = [
        *(APP / "views").glob("*.py"),
        *(APP / f"{name}.py" for name in ("charts", "components", "facts", "sentences")),
    ]
    assert not [
        path.name for path in pages if re.search(r"\bselect\b.*\bfrom\b|\bmarts\.\w", path.read_text(encoding="utf-8"))
    ]


def test_the_router_fits_in_a_glance() -> None:
    assert len((APP / "main.py").read_text(encoding="utf-8").splitlines()) <= 40

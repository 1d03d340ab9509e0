"""Whose attempt it was. What served a model, who sold it and what its counts mean is declared in serving_paths.csv."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from collectors.home import resources
from collectors.results.reference_benchmark.csv_file import Row, read_rows
from collectors.results.reference_benchmark.origin import name
from models.errors import UnreadableRecord
from models.identity import imported_run_id
from models.vocabulary import UNSTATED, ClientPrice, CostBasis, Hosting

TABLE = "serving_paths.csv"
HARNESSES = {"claude": "claude-code", "kiro": "kiro-cli"}
"""The source's agent names that are not its folder names."""
BASES: dict[Hosting, CostBasis] = {"api": "client_estimate", "plan": "credits", "own_gpu": "hardware"}
COUNTS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")

_SUFFIX = re.compile(r"\[[^\]]*\]$")
_VENDOR = re.compile(r"^(?:[a-z]{2}|global)\.[a-z0-9-]+\.|^global\.")
_SNAPSHOT = re.compile(r"-\d{8}-v\d+:\d+$")


class Declared(Row):
    """One row of the declared table."""

    scope: str
    harness: str
    model_slug: str
    llm: str
    serving_path: str
    seller: str
    hosting: Hosting
    usage_format: str
    instance_type: str | None
    client_price: ClientPrice


Arms = Mapping[tuple[str, str, str], Declared]


@dataclass(frozen=True)
class Arm:
    """One arm in the source's own words, and as declared; None where the table does not have it."""

    model_slug: str
    harness: str = UNSTATED
    skill: str = UNSTATED
    declared: Declared | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """The five arm fields."""
        declared = self.declared
        return {
            "harness": self.harness,
            "llm": declared.llm if declared else self.model_slug,
            "serving_path": declared.serving_path if declared else UNSTATED,
            "skill": self.skill,
            "effort": UNSTATED,
        }

    @property
    def resolved(self) -> dict[str, Any]:
        """The five arm fields for a claim: none of them where nothing is declared."""
        return self.fields if self.declared else {}

    @property
    def words(self) -> str:
        """The arm as the source spells its folders."""
        return f"{self.model_slug}/{self.harness}/{self.skill}"

    @property
    def hosting(self) -> Hosting:
        return self.declared.hosting if self.declared else UNSTATED

    @property
    def usage_format(self) -> str:
        return self.declared.usage_format if self.declared else "reference.undeclared"

    @property
    def unreported_if_zero(self) -> frozenset[str]:
        """The fields in which this arm's 0 says that nobody counted."""
        return frozenset({*COUNTS, "num_turns"}) if self.harness == "kiro-cli" else frozenset()

    @property
    def has_uncounted_sub_agents(self) -> bool:
        """Claude Code's run total is its main agent's only, and the skill swe2 works through sub-agents."""
        return self.harness == "claude-code" and self.skill == "swe2"

    def run_id(self, scope: str, task: str) -> str:
        fields = self.fields
        key = (fields["harness"], fields["llm"], fields["serving_path"], fields["skill"], fields["effort"])
        return imported_run_id(name, scope, scope, key, task, 1)


def find_arm(arms: Arms, scope: str, harness: str | None, model_slug: str, skill: str | None) -> Arm:
    harness = HARNESSES.get(harness or "", harness or UNSTATED)
    return Arm(model_slug, harness, skill or UNSTATED, arms.get((scope, harness, model_slug)))


def slug(model: str, harness: str | None) -> str:
    """The folder name that the source makes of a model's wire name."""
    short = _SNAPSHOT.sub("", _VENDOR.sub("", _SUFFIX.sub("", model)))
    return short.replace(".", "-") if HARNESSES.get(harness or "", harness) == "kiro-cli" else short


def table_beside(folder: Path) -> Path | None:
    """The declared table that travels with a folder of CSVs."""
    path = folder / TABLE
    return path if os.path.lexists(path) else None


@cache
def shipped_arms() -> Arms:
    """The declared table that ships with Meterhouse."""
    return read_arms(resources("datasets") / "published" / name / TABLE)


def read_arms(path: Path) -> Arms:
    """A declared table. Raises UnreadableRecord for any fault in it."""
    arms: dict[tuple[str, str, str], Declared] = {}
    for row in read_rows(path, Declared, lambda row: (row.scope, row.harness, row.model_slug)):
        if isinstance(row, UnreadableRecord):
            raise row
        arms[row[1].scope, row[1].harness, row[1].model_slug] = row[1]
    return arms

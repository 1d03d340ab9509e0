"""arm.yaml: what SWE-bench result files do not say about themselves."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from collectors.reading import read_text
from collectors.refusals import one_line
from models.base import Text
from models.errors import UnreadableRecord
from models.vocabulary import UNSTATED, Basis, CostBasis

FILE = "arm.yaml"


class Declared(BaseModel):
    """The declaration for every result file in one folder."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    dataset: Text
    dataset_version: Text = UNSTATED
    split: Text = UNSTATED
    date: dt.date | None = None
    snapshot_date: dt.date | None = None
    harness: Text = UNSTATED
    llm: Text | None = None
    serving_path: Text = UNSTATED
    skill: Text = UNSTATED
    effort: Text = UNSTATED
    verifier_version: Text = UNSTATED
    cost_basis: CostBasis = "client_estimate"
    attempt_number: Annotated[int, Field(ge=1)] = 1
    tasks: list[Text] | None = None

    @model_validator(mode="after")
    def _has_one_date(self) -> Declared:
        if (self.date is None) == (self.snapshot_date is None):
            raise ValueError("expected either `date`, the day of the run, or `snapshot_date`, the day of the copy")
        return self

    @property
    def time(self) -> tuple[dt.datetime, Basis]:
        """00:00 UTC of the stated day, and what day that is."""
        day = self.date or self.snapshot_date or dt.date.min
        return dt.datetime.combine(day, dt.time(), dt.UTC), "day" if self.date else "snapshot"


def read_declared(path: Path) -> Declared:
    """The declaration in one arm.yaml. Raises UnreadableRecord."""
    try:
        return Declared.model_validate(yaml.load(read_text(path), _OneOfEachKey))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise UnreadableRecord(path, f"not YAML: {error.problem} (line {line})", line) from None
    except yaml.YAMLError:
        raise UnreadableRecord(path, "not YAML: a character that YAML does not allow") from None
    except RecursionError:
        raise UnreadableRecord(path, "not YAML that anybody meant: nested too deep") from None
    except ValidationError as error:
        raise UnreadableRecord(path, one_line(error)) from None


class _OneOfEachKey(yaml.SafeLoader):
    """Plain values only; a key that is there twice is refused."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, ArithmeticError) as error:
            problem = f"a value that looks like {node.tag.rpartition(':')[2]} and is none: {error}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for at, key in enumerate(keys):
            if key in keys[:at]:
                raise yaml.MarkedYAMLError(problem=f"the key {key!r} is there twice", problem_mark=node.start_mark)
        return super().construct_mapping(node, deep)

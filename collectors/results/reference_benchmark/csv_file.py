"""How a CSV of somebody else's facts is met: every cell has its type, and what does not fit is named with its line."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Hashable, Iterator
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from collectors.reading import read_text
from collectors.refusals import kind_of, one_line
from collectors.results.theirs import Storable
from models.errors import UnreadableRecord

HEADER = 1


def _matching(pattern: str, expected: str, convert: Callable[[str], Any]) -> BeforeValidator:
    known = re.compile(pattern)

    def parse(cell: object) -> object:
        if isinstance(cell, str) and known.fullmatch(cell):
            return convert(cell)
        raise ValueError(f"expected {expected}")

    return BeforeValidator(parse)


Whole = Annotated[int, _matching(r"[0-9]{1,18}", "a whole number", int)]
Number = Annotated[Storable, _matching(r"-?[0-9]{1,26}(\.[0-9]+)?", "a number", Decimal)]
Amount = Annotated[Number, Field(ge=0)]
Day = Annotated[date, _matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date such as 2026-08-05", date.fromisoformat)]
Flag = Annotated[bool, _matching("true|false", "true or false", "true".__eq__)]


class Row(BaseModel):
    """One row in the file's own columns. A blank cell is None."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


Shape = TypeVar("Shape", bound=Row)
Numbered = tuple[int, list[str]]


def read_rows(
    path: Path, shape: type[Shape], key: Callable[[Shape], Hashable]
) -> Iterator[tuple[int, Shape] | UnreadableRecord]:
    """Each row with its line, or what is wrong with it. Of two rows with one key the first is read.

    A column that is not known is named once, and the known ones are read; a column that is missing makes the file
    unreadable.
    """
    lines = _lines(path)
    header = _header(path, shape, next(lines, (HEADER, [])))
    yield from _unknown_columns(path, shape, header)
    seen: dict[Hashable, int] = {}
    for line in lines:
        if isinstance(line, UnreadableRecord):
            yield line
            continue
        row = _parse(path, shape, header, line)
        if isinstance(row, UnreadableRecord):
            yield row
        elif (first := seen.setdefault(key(row), line[0])) != line[0]:
            yield UnreadableRecord(path, f"the same thing as line {first} a second time", line[0])
        else:
            yield line[0], row


def _lines(path: Path) -> Iterator[Numbered | UnreadableRecord]:
    """The rows that are not blank, each with the line that it ends on. Raises UnreadableRecord for what is no text."""
    reader = csv.reader(StringIO(read_text(path), newline=""), strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield UnreadableRecord(path, f"not CSV from here on: {error}", reader.line_num)
            return
        if cells:
            yield reader.line_num, cells


def _header(path: Path, shape: type[Row], line: Numbered | UnreadableRecord) -> list[str]:
    if isinstance(line, UnreadableRecord):
        raise line
    names = line[1]
    missing = [column for column in shape.model_fields if column not in names]
    if missing:
        raise UnreadableRecord(path, f"expected the column {missing[0]!r}, found none", HEADER)
    if len(set(names)) < len(names):
        raise UnreadableRecord(path, "has one column twice", HEADER)
    return names


def _unknown_columns(path: Path, shape: type[Row], header: list[str]) -> Iterator[UnreadableRecord]:
    unknown = [repr(column) for column in header if column not in shape.model_fields]
    if unknown:
        yield UnreadableRecord(path, f"unknown column {', '.join(unknown)}; the known columns were read", HEADER)


def _parse(path: Path, shape: type[Shape], header: list[str], line: Numbered) -> Shape | UnreadableRecord:
    number, cells = line
    if len(cells) != len(header):
        return UnreadableRecord(path, f"expected {len(header)} cells, found {len(cells)}", number)
    try:
        return shape.model_validate({column: cell or None for column, cell in zip(header, cells, strict=True)})
    except ValidationError as error:
        return UnreadableRecord(path, one_line(error, _came), number)


def _came(cell: object) -> str:
    words = {type(None): "nothing", str: "another text", dict: "other ones"}
    return words.get(type(cell)) or kind_of(cell)

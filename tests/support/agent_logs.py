"""Reading agents' logs in tests: whole, in passes, and against the server's own record."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from collectors.agents import LinesAgent, WholeAgent
from collectors.agents.records import Record, Turn
from collectors.agents.tail import Buffer, Mark, read_on
from collectors.home import resources
from models.errors import UnreadableRecord

RECORDINGS = Path(__file__).parent.parent / "agents" / "recordings"
Told = Record | UnreadableRecord


def read_lines(agent: LinesAgent, path: Path) -> list[Told]:
    """Everything that a file of lines tells in one pass."""
    return _told(path, agent, None)[0]


def read_lines_in_passes(agent: LinesAgent, path: Path, cuts: Sequence[int]) -> list[Told]:
    """The same file as it grew to each of these sizes, one pass after each, the state saved and loaded between."""
    whole, mark, found = path.read_bytes(), None, []
    try:
        for size in [*sorted(cuts), len(whole)]:
            path.write_bytes(whole[:size])
            told, mark = _told(path, agent, mark)
            found += told
    finally:
        path.write_bytes(whole)
    return found


def _told(path: Path, agent: LinesAgent, mark: Mark | None) -> tuple[list[Told], Mark]:
    found = read_on(path, agent.reader, mark, Buffer())
    faults = [UnreadableRecord(path, fault.reason, fault.offset) for fault in found.faults]
    return [*found.records, *faults], msgspec.json.decode(msgspec.json.encode(found.mark), type=Mark)


def read_whole(agent: WholeAgent, path: Path) -> list[Told]:
    """Everything that a file tells which is read whole."""
    return list(agent.read(path))


def turns(told: Iterable[Told]) -> list[Turn]:
    """The requests whose usage is known, each once."""
    found = {record.key: record for record in told if isinstance(record, Turn) and record.raw_counts is not None}
    return list(found.values())


def kinds(told: Iterable[Told]) -> dict[str, int | None]:
    """Tokens by kind, and both sides' totals, by the declared conventions; None where unknown. Each turn once."""
    sums: dict[str, int | None] = {}
    for turn in turns(told):
        for kind, tokens in _kinds_of(turn).items():
            before = sums.get(kind, 0)
            sums[kind] = None if before is None or tokens is None else before + tokens
    return sums


def totals(told: Iterable[Told]) -> tuple[int, int | None, int | None]:
    """Requests, input tokens, output tokens."""
    told = list(told)
    sums = kinds(told)
    return len(turns(told)), sums.get("input_total", 0), sums.get("output_total", 0)


def served(folder: Path) -> list[dict[str, Any]]:
    """The server's record of a recording: one dict per request."""
    lines = (folder / "served.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def served_totals(folder: Path) -> tuple[int, int, int]:
    """Requests that were answered in full, side requests left out, with their input and output tokens."""
    usages = [line["usage"] for line in served(folder) if line["complete"] and line["usage"] and line["kind"] != "side"]
    inputs = ("input", "cache_read", "cache_write_5m", "cache_write_1h")
    return len(usages), sum(usage[name] for usage in usages for name in inputs), sum(u["output"] for u in usages)


def _kinds_of(turn: Turn) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    net: dict[str, dict[str, int]] = {"input_total": {}, "output_total": {}}
    counts = turn.raw_counts or {}
    for row in _conventions(turn.usage_format or ""):
        name, kind, coefficient = row["raw_field"], row["token_kind"], int(row["coefficient"])
        count = counts.get(name, 0 if row["when_absent"] == "zero" else None)
        before = found.get(kind, 0)
        found[kind] = None if before is None or count is None else before + coefficient * count
        if kind != "reasoning":
            side = net["output_total" if kind == "output" else "input_total"]
            side[name] = side.get(name, 0) + coefficient
    for side, fields in net.items():
        known = [(counts.get(name, 0), coefficient) for name, coefficient in fields.items() if coefficient]
        found[side] = sum(count * coefficient for count, coefficient in known)
    return found


def _conventions(usage_format: str) -> list[dict[str, str]]:
    with (resources("dbt_project") / "seeds" / "token_conventions.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["usage_format"] == usage_format]

"""rates.csv: prices of machines, credits and tokens, and the hourly rates that the source charged its sweeps with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import model_validator

from collectors.results.reference_benchmark.claims import claim
from collectors.results.reference_benchmark.csv_file import Amount, Day, Row, Whole, read_rows
from collectors.results.reference_benchmark.origin import SNAPSHOT, FromOrigin, Origin, name, on_day
from models import Event, PriceObserved
from models.base import twelve_places, without_nulls
from models.errors import UnreadableRecord
from models.vocabulary import UNSTATED

IMPLIED = "implied by attempts"
"""How a provider begins that nobody is: a price worked out from what attempts were said to cost."""
METERS = {"input": "input_uncached"}
"""The token meters that we call otherwise."""
MILLION = 1_000_000


_USED = ("dollars_per_hour", "_repriced.from_dollars_per_hour")
KNOWN = {
    "instance_hour": ("usd_per_hour", ("on_demand", "spot", "commit_1yr", "commit_3yr")),
    "instance_hour_used": ("usd_per_hour", _USED),
    "credit": ("usd_per_credit", ("overage",)),
    "token_price": ("usd_per_1m_tokens", ("input", "output", "cache_read", "cache_write_5m")),
}
"""Of each kind of rate its unit and its options."""


class RateRow(Row):
    kind: Literal["instance_hour", "instance_hour_used", "credit", "token_price"]
    provider: str
    name: str
    gpu: str | None
    gpus_per_instance: Whole | None
    gpu_share: Amount | None
    option: str
    unit: str
    value: Amount
    as_of: Day | None
    region: str | None
    source_path: str
    source_commit: str | None
    note: str | None

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        unit, options = KNOWN[self.kind]
        if self.unit != unit or self.option not in options:
            raise ValueError(f"expected {unit} and one of {', '.join(options)}")
        if self.kind == "token_price" and self.value and not twelve_places(self.value / MILLION):
            raise ValueError("expected 0, or a price that is not 0 at the 12 places that one token's is kept with")
        return self

    @property
    def key(self) -> tuple[Any, ...]:
        return self.kind, self.provider, self.name, self.option, self.as_of, self.region, self.source_path

    @property
    def provenance(self) -> str:
        """Where the source has it from, for which share of a machine, and what was noted beside it."""
        commit = f"@{self.source_commit}" if self.source_commit else ""
        is_whole = self.gpu_share is None or self.gpu_share == 1
        share = None if is_whole else f"{self.gpu_share} of the machine"
        return "; ".join(filter(None, (f"{self.source_path}{commit}", share, self.note)))


@dataclass(frozen=True)
class Rate(FromOrigin):
    origin: Origin
    row: RateRow


def read_rates(path: Path, ref: str) -> Iterator[Rate | UnreadableRecord]:
    for line in read_rows(path, RateRow, lambda row: row.key):
        yield line if isinstance(line, UnreadableRecord) else Rate(Origin(ref, line[0]), line[1])


def rate_events(rate: Rate) -> list[Event]:
    return [_rate_used(rate) if rate.row.kind == "instance_hour_used" else _price(rate)]


def _rate_used(rate: Rate) -> Event:
    """Nobody offered this: it is what the source reckoned with."""
    row = rate.row
    return claim(
        rate.origin,
        on_day(row.as_of),
        row.option,
        row.value,
        table_name="performance-summary",
        scope="dataset",
        source_arm=row.name,
        note=row.provenance,
    )


def _price(rate: Rate) -> PriceObserved:
    row = rate.row
    read = on_day(row.as_of) if row.as_of else SNAPSHOT
    return PriceObserved(
        **rate.origin.stamp(read),
        **{"instance_hour": _machine, "credit": _credit, "token_price": _tokens}[row.kind](row),
        region=row.region,
        observed_at=read.at,
        note=row.provenance,
    )


def _machine(row: RateRow) -> dict[str, Any]:
    return {
        "book": name,
        "seller": row.provider,
        "meter": "instance_hour",
        "unit": "hour",
        "amount": row.value,
        "instance_type": row.name,
        "purchase_option": row.option,
        "gpu": row.gpu,
        "gpus_per_instance": row.gpus_per_instance,
    }


def _credit(row: RateRow) -> dict[str, Any]:
    amount = {"meter": "credit", "unit": "credit", "amount": row.value}
    return {"book": name, "seller": row.provider, "purchase_option": row.option, **amount}


def _tokens(row: RateRow) -> dict[str, Any]:
    return {
        **_token_seller(row.provider),
        "llm": row.name,
        "meter": METERS.get(row.option, row.option),
        "unit": "token",
        "amount": Decimal(row.value) / MILLION,
    }


def _token_seller(provider: str) -> dict[str, Any]:
    """`bedrock regional profile` is a seller and its endpoint; a price implied for one harness only names that."""
    seller, _, endpoint = provider.partition(" ")
    if not provider.startswith(IMPLIED):
        return without_nulls({"book": name, "seller": seller, "endpoint_tag": endpoint.replace(" ", "-") or None})
    harness = provider.removeprefix(IMPLIED).removeprefix(", ")
    return without_nulls({"book": f"{name}:implied", "seller": UNSTATED, "endpoint_tag": harness or None})

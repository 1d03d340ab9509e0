"""Numbers that the source printed, as it printed them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from collectors.results.reference_benchmark.origin import Origin, When, name
from models import ClaimPublished

UNITS = {
    "total_tokens": "token",
    "input_tokens": "token",
    "output_tokens": "token",
    "cache_read_tokens": "token",
    "cache_write_tokens": "token",
    "tokens_processed": "token",
    "tokens_processed_millions": "million tokens",
    "avg_input_per_call": "token",
    "avg_output_per_call": "token",
    "generation_tokens_per_sec": "token/s",
    "prompt_tokens_per_sec": "token/s",
    "prefix_cache_hit_rate": "ratio",
    "num_turns": "turn",
    "num_tasks": "task",
    "num_scored": "task",
    "tasks_scored": "task",
    "tasks_total": "task",
    "task_score": "point",
    "mean_score": "point",
    "mean_task_score_excl_failed": "point",
    "wall_minutes": "minute",
    "instance_cost_per_hr": "USD/hour",
    "dollars_per_hour": "USD/hour",
    "_repriced.from_dollars_per_hour": "USD/hour",
    "blended_cost_per_1m_tokens_usd": "USD/million tokens",
}
"""Of every printed metric but the plain amounts, which are in USD."""


def claim(origin: Origin, when: When, metric: str, printed: Decimal | int, **about: Any) -> ClaimPublished:
    """One printed number; `about` says in which table, of which scope and about which arm."""
    value = Decimal(printed)
    return ClaimPublished(
        **origin.stamp(when),
        **about,
        source=name,
        metric=metric,
        value_text=format(value, "f"),
        value=value,
        unit=UNITS.get(metric, "USD"),
    )

"""Readings of prices."""

from typing import ClassVar

from models.base import Count, Event, Text, UnitPrice, Utc


class PriceObserved(Event):
    """One price of one meter, read at one moment. A null amount is a withdrawn price."""

    event_type: ClassVar = "price_observed"
    natural_key: ClassVar = (
        "book",
        "seller",
        "endpoint_tag",
        "region",
        "llm",
        "meter",
        "instance_type",
        "purchase_option",
        "context_over_tokens",
        "service_tier",
        "speed",
        "effective_from",
        "observed_at",
    )
    conflict_rule: ClassVar = "conflict"
    grain: ClassVar = "meter, conditions and reading"

    book: Text
    """Who printed it: `contract`, `observed-endpoint`, `genai-prices`, `reference-benchmark` …"""
    seller: Text
    """Who invoices: anthropic, bedrock, openrouter, kiro, aws …"""
    endpoint_tag: Text | None = None
    region: Text | None = None
    llm: Text | None = None
    meter: Text
    """`input_uncached`, `cache_read`, `cache_write_5m`, `cache_write_1h`, `output`, `credit`, `instance_hour` …"""
    unit: Text
    """What one `amount` buys: `token`, `credit`, `hour`."""
    amount: UnitPrice | None
    currency: Text = "USD"
    instance_type: Text | None = None
    purchase_option: Text | None = None
    gpu: Text | None = None
    gpus_per_instance: Count | None = None
    context_over_tokens: Count | None = None
    service_tier: Text | None = None
    speed: Text | None = None
    effective_from: Utc | None = None
    observed_at: Utc
    note: Text | None = None

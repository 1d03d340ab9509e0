"""The words that pages and pictures use for the data's own names. A name that is not here is shown as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.vocabulary import UNSTATED

NAMES: Mapping[str, str] = {
    "swe-bench-verified": "SWE-bench Verified",
    "swe-bench-multimodal": "SWE-bench Multimodal",
    "claude-code": "Claude Code",
    "codex": "Codex",
    "gemini-cli": "Gemini CLI",
    "kiro-cli": "Kiro CLI",
    "openhands": "OpenHands",
    "openhands-subagents": "OpenHands + sub-agents",
    "solve_rate": "tasks solved",
    "mean_score": "mean judge score",
    "invoiced": "invoiced",
    "provider_reported": "provider reported",
    "hardware": "hardware",
    "credits": "credits",
    "list_price": "list price",
    "client_estimate": "client estimate",
    "headline": "best known per arm",
    "cost": "cost",
    "wall_time": "wall time",
    "both": "cost and wall time",
    "all": "all",
    "reproduced": "reproduced",
    "differs": "differs",
    "on_frontier": "on the frontier",
    "not_comparable": "not comparable",
    "lower_bound": "lower bound",
    "not_computed": "not computed",
    "wilson": "Wilson",
    "cluster_bootstrap": "cluster bootstrap",
}

SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def name(word: str) -> str:
    """A value of the data in words."""
    return NAMES.get(word, word)


def option(word: str) -> str:
    """A value of the data as a filter offers it; one without words of its own stays as it is spelled."""
    return sentence(NAMES[word]) if word in NAMES else word


def sentence(text: str) -> str:
    """Its first letter in upper case, the rest as it is."""
    return text[:1].upper() + text[1:]


def number(value: int) -> str:
    """`four`, `43`: whole numbers up to ten are words."""
    return SMALL_NUMBERS[value] if 0 <= value < len(SMALL_NUMBERS) else f"{value:,d}"


def arms(value: int) -> str:
    """`one arm`, `43 arms`."""
    return f"{number(value)} {'arm' if value == 1 else 'arms'}"


def verifier(row: Mapping[str, Any]) -> str:
    """Who graded, by which rubric, in which version, as far as that is stated."""
    parts = (row["verifier"], row["verifier_version"], row["rubric_hash"])
    return " · ".join(part for part in parts if part != UNSTATED) or UNSTATED


def listed(items: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)

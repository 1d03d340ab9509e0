"""The agents whose logs are read, by name."""

from __future__ import annotations

from collectors.agents import Agent, claude_code, codex

AGENTS: dict[str, Agent] = {
    claude_code.name: claude_code,
    codex.name: codex,
}

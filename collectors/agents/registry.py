"""The agents whose logs are read, by name."""

from __future__ import annotations

from collectors.agents import (
    Agent,
    claude_code,
    codex,
    gemini_cli,
    kimi_cli,
    kimi_code,
    kiro,
    mini_swe_agent,
    opencode,
    pi,
)

AGENTS: dict[str, Agent] = {
    claude_code.name: claude_code,
    codex.name: codex,
    gemini_cli.name: gemini_cli,
    kimi_cli.name: kimi_cli,
    kimi_code.name: kimi_code,
    kiro.name: kiro,
    mini_swe_agent.name: mini_swe_agent,
    opencode.name: opencode,
    pi.name: pi,
}

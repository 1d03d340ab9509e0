"""Numbers as logs may print them: within what an event can hold, so that one absurd value costs only its record."""

from __future__ import annotations

from typing import Annotated

import msgspec

Duration = Annotated[float, msgspec.Meta(ge=0, le=1e15)]
"""Milliseconds."""
EpochMs = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970 UTC, up to the year 9999."""
EpochSeconds = Annotated[float, msgspec.Meta(ge=0, le=253_402_300_799)]
Usd = Annotated[float, msgspec.Meta(ge=-1e15, le=1e15)]

"""The selection lives in the URL: what a link says is what the page shows, and what is chosen is in the link."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import words

EVERY = "all"
"""The option that narrows nothing."""


class Filters:
    """A row of filters. What the URL asked for in vain is said above it."""

    def __init__(self) -> None:
        self._notes = st.container()
        self._row = st.container(horizontal=True)

    def choose(
        self, param: str, label: str, options: Sequence[str], say: Callable[[str], str] = words.option, width: int = 180
    ) -> str:
        """The reader's choice, which is the URL's `param`. A value that is no option gives way to the first."""
        asked = st.query_params.get(param)
        chosen = asked if asked is not None and asked in options else options[0]
        if asked is not None and asked != chosen:
            self._notes.info(f"{label}: there is no `{_inert(asked)}` here, so this shows {say(chosen)}.")
        # The URL leads and the widget follows. It is written only when somebody chooses: each write is a step of the
        # browser's history.
        st.session_state[param] = chosen
        return self._row.selectbox(
            label, options, format_func=say, key=param, on_change=_write, args=(param,), width=width
        )

    def narrow(self, param: str, label: str, options: Sequence[str]) -> str | None:
        """The value that a list is narrowed to; None where all of it is wanted."""
        chosen = self.choose(param, label, [EVERY, *options])
        return None if chosen == EVERY else chosen


def _write(param: str) -> None:
    """What narrows nothing is left out of the URL."""
    chosen = st.session_state[param]
    if chosen == EVERY:
        st.query_params.pop(param, None)
    else:
        st.query_params[param] = chosen


def _inert(text: str) -> str:
    """What somebody typed, short and without a way out of a code span."""
    return " ".join(text[:60].replace("`", "'").split())

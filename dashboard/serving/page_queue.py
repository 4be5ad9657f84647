"""One page is computed at a time, because threads of one interpreter slow each other down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic

import streamlit as st

MAX_SECONDS = 2.0
"""A page that takes longer no longer counts, so that a search or a large table never holds up other people."""


class PageQueue:
    """Lets a page wait while another is computed."""

    def __init__(self, max_seconds: float = MAX_SECONDS) -> None:
        self._max_seconds = max_seconds
        self._changed = Condition()
        self._started: list[float] = []

    @contextmanager
    def slot(self, since: float | None = None) -> Iterator[None]:
        """Wait until no other page is computed, and let others wait until this one is drawn or has taken too long.

        `since`: when the session's computation began, by `monotonic`, if one is under way that the page may join.
        """
        with self._changed:
            while (seconds := self._seconds_to_wait()) > 0:
                self._changed.wait(seconds)
            start_time = since or monotonic()
            self._started.append(start_time)
        try:
            yield
        finally:
            with self._changed:
                self._started.remove(start_time)
                self._changed.notify()

    def _seconds_to_wait(self) -> float:
        """Until the page that was started last no longer counts."""
        return max(self._started) + self._max_seconds - monotonic() if self._started else 0


@st.cache_resource(show_spinner=False)
def page_queue() -> PageQueue:
    """Return the queue that all sessions of this process share; it knows nothing of what they compute."""
    return PageQueue()

"""Few pages are computed at once, because threads of one interpreter slow each other down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic

import streamlit as st

MAX_PAGES = 2
"""Pages computed at once: while one reads or sorts without the interpreter's lock, another uses it."""
MAX_SECONDS = 5.0
"""A page that takes longer no longer counts, so that a search or a large table never holds up other people."""


class PageQueue:
    """Lets a page wait while as many others as may are computed."""

    def __init__(self, max_pages: int = MAX_PAGES, max_seconds: float = MAX_SECONDS) -> None:
        self._max_pages, self._max_seconds = max_pages, max_seconds
        self._changed = Condition()
        self._started: list[float] = []

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a slot, and keep it until the page is drawn or has taken too long."""
        with self._changed:
            while (seconds := self._seconds_to_wait()) > 0:
                self._changed.wait(seconds)
            start_time = monotonic()
            self._started.append(start_time)
        try:
            yield
        finally:
            with self._changed:
                self._started.remove(start_time)
                self._changed.notify()

    def _seconds_to_wait(self) -> float:
        """Until the oldest of the pages that fill all slots no longer counts."""
        latest = sorted(self._started)[-self._max_pages :]
        return latest[0] + self._max_seconds - monotonic() if len(latest) == self._max_pages else 0


@st.cache_resource(show_spinner=False)
def page_queue() -> PageQueue:
    """Return the queue that all sessions of this process share; it knows nothing of what they compute."""
    return PageQueue()

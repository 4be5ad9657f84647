"""The long computation of a session, of which there is one at a time: all who need it wait for it. No Streamlit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from dashboard.serving.background_job import BackgroundJob
from metrics.interruption import checkpoint, interruptible

T = TypeVar("T")

GRACE_S = 1.0
"""Seconds that work goes on while nobody wants it: a click ends one run of the page, and another one begins."""
_LOOK_S = 0.1
"""Seconds between looks whether whoever waits is still wanted."""
_CHANGES = threading.Lock()
"""Held for moments, so all sessions share it."""


class _Unwanted(BaseException):
    """Ends work that nobody wants any longer."""


class _Work:
    """One computation, in a thread of its own."""

    def __init__(self, key: Hashable, run: Callable[[_Work], Any]) -> None:
        self.key, self.start = key, monotonic()
        self.is_dropped = False
        self.job = BackgroundJob(lambda: run(self))


class SharedWork:
    """Computes in a thread, as long as somebody wants it."""

    def __init__(self) -> None:
        self._work: _Work | None = None
        self._n_wanting = 0
        self._last_wanted = monotonic()

    @contextmanager
    def wanted(self) -> Iterator[None]:
        """Let what is being computed go on at least as long as the caller, who may come to need it."""
        with _CHANGES:
            self._n_wanting += 1
        try:
            yield
        finally:
            with _CHANGES:
                self._n_wanting -= 1
                self._last_wanted = monotonic()

    @property
    def start(self) -> float | None:
        """When that which is being computed began, by `monotonic`; None if nothing is."""
        with _CHANGES:
            return None if self._work is None else self._work.start

    def result(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the result of `compute`, joining it where it is being computed under this key; another one ends.

        Nothing is kept: `compute` looks first whether that was done meanwhile. The caller waits at a checkpoint.
        """
        with self.wanted():
            while True:
                checkpoint()
                work = self._begin_or_join(key, compute)
                while not work.job.ended(_LOOK_S):
                    checkpoint()
                try:
                    result: T = work.job.result()
                except _Unwanted:  # another one was asked for while this caller was about to end
                    continue
                return result

    def drop(self) -> None:
        """End what is being computed."""
        with _CHANGES:
            self._drop()

    def _drop(self) -> None:
        if self._work is not None:
            self._work.is_dropped, self._work = True, None

    def _begin_or_join(self, key: Hashable, compute: Callable[[], Any]) -> _Work:
        def run(work: _Work) -> Any:
            try:
                with interruptible(lambda: self._check(work)):
                    return compute()
            finally:
                with _CHANGES:
                    if self._work is work:
                        self._work = None

        with _CHANGES:
            if self._work is None or self._work.key != key:
                self._drop()
                self._work = _Work(key, run)
            return self._work

    def _check(self, work: _Work) -> None:
        if work.is_dropped or not (self._n_wanting or monotonic() - self._last_wanted < GRACE_S):
            raise _Unwanted

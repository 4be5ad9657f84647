"""Long work in a thread of its own, so that the page can show its progress, and end it. No Streamlit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class BackgroundJob(Generic[T]):
    """Work that has begun."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._result: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name="background-job", daemon=True)
        self._thread.start()

    def ended(self, seconds: float) -> bool:
        """Wait for the end at most so long; return whether the work has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> T:
        """Return the result of the work, or raise its exception; call it only once the work has ended."""
        if self._error is not None:
            raise self._error
        return self._result[0]

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._result.append(work())
        except BaseException as error:  # raised by `result`, in the thread of the caller
            self._error = error

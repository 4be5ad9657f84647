"""A cache of values that are computed once, under a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from metrics.interruption import checkpoint

T = TypeVar("T")


class Memo:
    """Values by name; an error is not kept."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def __call__(self, name: str, compute: Callable[[], T]) -> T:
        """Return the value of that name, computed on the first call."""
        if name not in self._values:
            checkpoint()
            self._values[name] = compute()
        value: T = self._values[name]
        return value

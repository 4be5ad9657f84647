"""A cache that one object owns, such as a `Comparison`: values computed once, under a key."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from metrics.interruption import checkpoint

T = TypeVar("T")


class Memo:
    """Values by key; an error is not kept."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}

    def __call__(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of that key, computed on the first call."""
        if key not in self._values:
            checkpoint()
            self._values[key] = compute()
        value: T = self._values[key]
        return value

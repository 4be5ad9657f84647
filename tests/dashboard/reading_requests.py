"""What reading processes are asked for, recorded in place of starting any."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import dashboard.loading


def reading_requests(monkeypatch: pytest.MonkeyPatch) -> list[Callable[..., Any]]:
    """The functions that are called on files from now on, in the order of the calls."""
    functions: list[Callable[..., Any]] = []

    def call(function: Callable[..., Any], content: bytes, **arguments: Any) -> Any:
        functions.append(function)
        return function(content, **arguments)

    monkeypatch.setattr(dashboard.loading, "READING", SimpleNamespace(call=call))
    return functions

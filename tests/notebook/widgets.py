"""A table to make controls of, and the widgets of which they consist."""

from typing import Any

import metrics

TABLE = {"age": ["30-39"] * 3 + ["40-49"] * 2, "illness": ["a", "b", "b", "c", "<img src=x>"]}
ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])


def widgets_of(widget: Any, kind: str) -> list[Any]:
    """All widgets of a kind, by the name of their class."""
    inner = [found for child in getattr(widget, "children", ()) for found in widgets_of(child, kind)]
    return [widget, *inner] if type(widget).__name__ == kind else inner

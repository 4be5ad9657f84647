"""Colours, axes and common shapes of charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrics.aggregates import Aggregates


def class_sizes(result: object, aggregates: Aggregates) -> Any:
    """The chart of a measure of class sizes."""
    from metrics.drawing.classes import class_size_distribution

    return class_size_distribution(aggregates.classes.sizes)

"""Versions beside each other: by metric, by dominance, by weights, and record by record."""

from metrics.candidates.compare.comparison import (
    Answers,
    MeasureChange,
    Ranked,
    VersionComparison,
    VersionMeasure,
    answers,
    compare,
)

__all__ = [
    "Answers",
    "MeasureChange",
    "Ranked",
    "VersionComparison",
    "VersionMeasure",
    "answers",
    "compare",
]

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
from metrics.candidates.compare.uncertainty import FigureInterval, Uncertainty, uncertainty

__all__ = [
    "Answers",
    "FigureInterval",
    "MeasureChange",
    "Ranked",
    "Uncertainty",
    "VersionComparison",
    "VersionMeasure",
    "answers",
    "compare",
    "uncertainty",
]

"""Candidates beside each other: by metric, by dominance, by weights, and record by record."""

from metrics.candidates.compare.comparison import (
    Answers,
    CandidateComparison,
    CandidateMeasure,
    MeasureChange,
    Ranked,
    answers,
    compare,
)

__all__ = [
    "Answers",
    "CandidateComparison",
    "CandidateMeasure",
    "MeasureChange",
    "Ranked",
    "answers",
    "compare",
]

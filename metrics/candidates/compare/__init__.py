"""Candidates beside each other: by metric, by dominance, by weights, and record by record."""

from metrics.candidates.compare.candidate_measures import (
    Answers,
    CandidateMeasure,
    CandidateMeasures,
    MeasureChange,
    Ranked,
    answers,
)
from metrics.candidates.compare.comparison import CandidateComparison, compare

__all__ = [
    "Answers",
    "CandidateComparison",
    "CandidateMeasure",
    "CandidateMeasures",
    "MeasureChange",
    "Ranked",
    "answers",
    "compare",
]

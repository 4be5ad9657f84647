"""Candidates beside each other: by metric, by dominance, by weights, and record by record."""

from metrics.candidates.compare.candidate_figures import (
    Answers,
    CandidateFigure,
    CandidateFigures,
    FigureChange,
    Ranked,
    answers,
)
from metrics.candidates.compare.comparison import CandidateComparison, compare

__all__ = [
    "Answers",
    "CandidateComparison",
    "CandidateFigure",
    "CandidateFigures",
    "FigureChange",
    "Ranked",
    "answers",
    "compare",
]

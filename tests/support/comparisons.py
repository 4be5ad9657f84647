"""Comparisons of figures that are written out."""

from collections.abc import Mapping

from metrics.candidates.compare.comparison import CandidateComparison, CandidateMeasure

Figures = Mapping[str, Mapping[str, float | bool | None]]


def comparison_of(figures: Figures) -> CandidateComparison:
    """A comparison of these figures, by candidate and metric."""
    return CandidateComparison(
        {label: {one: CandidateMeasure(value) for one, value in row.items()} for label, row in figures.items()}
    )

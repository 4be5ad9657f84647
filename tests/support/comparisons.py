"""Comparisons of figures that are written out."""

from collections.abc import Mapping

from metrics.candidates.compare.comparison import VersionComparison, VersionMeasure

Figures = Mapping[str, Mapping[str, float | bool | None]]


def comparison_of(figures: Figures) -> VersionComparison:
    """A comparison of these figures, by version and metric."""
    return VersionComparison(
        {label: {one: VersionMeasure(value) for one, value in row.items()} for label, row in figures.items()}
    )

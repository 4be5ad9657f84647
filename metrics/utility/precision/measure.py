"""Precision, which ARX calls generalization intensity: how far up their hierarchies the values stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import Distribution
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.metric import Basis, Direction, Family, Metric, Result
from metrics.texts import text
from metrics.utility.cells.caveats import lost_share, with_caveat
from metrics.utility.cells.misread_labels import misread_shares, with_misread
from metrics.utility.cells.released_cells import cells_in_classes, wholly_lost
from metrics.utility.precision import working
from metrics.utility.precision.levels import hierarchies_of, levels_of


@dataclass(frozen=True)
class Precision(Result):
    """`value` is 1 less the mean height of the values, as a share of their hierarchies' height."""

    value: float
    heights: Mapping[str, float]
    """Mean height of each column's values: 0 if each is as it was, 1 if each is the root."""
    levels: Mapping[str, int]
    """Levels of each column's hierarchy, the values themselves included."""
    lost: int
    """Records suppressed or deleted; their height is 1 in every column."""
    ambiguous: Mapping[str, int]
    """Per column with any: labels that occur on two levels of its hierarchy."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The precision of each column alone."""
        return {name: None if name in self.not_generalized else 1 - height for name, height in self.heights.items()}

    def details(self) -> dict[str, Any]:
        """The mean height, over all columns and of each."""
        return {
            "raw": 1 - self.value,
            "raw_by_column": dict(self.heights),
            "levels": dict(self.levels),
            "wholly_lost_records": self.lost,
            "not_generalized": dict(self.not_generalized),
            "ambiguous_labels": dict(self.ambiguous),
        }

    def summary(self) -> str:
        highest = max(self.heights, key=lambda name: self.heights[name])
        largest = self.heights[highest]
        lost = lost_share(1 - self.value, {*self.not_generalized, *self.misread})
        if not largest:
            finding = text("precision.unchanged")
        elif len(set(self.heights.values())) == 1:
            finding = text("precision.generalized", lost=lost)
        else:
            finding = text("precision.generalized_most", lost=lost, column=highest, largest=largest)
        return with_misread(with_caveat(finding, self.not_generalized), self.misread)


def precision(cells: Mapping[str, Distribution], hierarchies: Mapping[str, Hierarchy], lost: int = 0) -> Precision:
    """Precision: 1 less the mean, over all cells, of level over height of the hierarchy; 0 to 1, higher is better.

    The level of a value is the lowest that contains it; a `*` that no level contains has the root's. A hierarchy of one
    level cannot generalize: its height counts as 1.

    The score, and the mean height of every column. `cells`: the records of classes that hold each value, by
    quasi-identifier; at least one record. Raises Unavailable if a hierarchy lacks a value.
    Source: L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", 2002, doi
    10.1142/S021848850200165X; suppressed records as in ARX.
    """
    heights: dict[str, Fraction] = {}
    for name, distribution in cells.items():
        hierarchy = hierarchies[name]
        climbed = int(np.dot(levels_of(distribution.column, hierarchy), distribution.totals))
        heights[name] = (Fraction(climbed, max(hierarchy.height, 1)) + lost) / (distribution.kept + lost)
    return Precision(
        value=float(1 - sum(heights.values()) / len(heights)),
        heights={name: float(height) for name, height in heights.items()},
        levels={name: hierarchies[name].height + 1 for name in heights},
        lost=lost,
        ambiguous={
            name: len(hierarchies[name].ambiguous_labels) for name in heights if hierarchies[name].ambiguous_labels
        },
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> Precision:
    lost = wholly_lost(aggregates)
    hierarchies = hierarchies_of(aggregates)
    result = precision(cells_in_classes(aggregates), hierarchies, lost)
    is_matched = aggregates.original is not None and aggregates.comparison.unmatched is None
    ambiguous = [name for name, hierarchy in hierarchies.items() if is_matched and hierarchy.ambiguous_labels]
    misread = misread_shares({name: aggregates.comparison.pair(name) for name in ambiguous}, hierarchies)
    return replace(result, not_generalized=aggregates.perturbed.not_generalized, misread=misread)


PRECISION = Metric(
    id="precision",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    is_share=True,
    formula=r"1 - \frac{1}{Q N} \sum_q \sum_r \frac{\mathrm{level}_q(r)}{L_q - 1}",
    reference="L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS "
    "10(5), 2002, doi 10.1142/S021848850200165X",
    compute=_compute,
    loss_basis=Basis.GENERALIZED,
    working=working.WORKING,
)

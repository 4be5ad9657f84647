"""Precision, which ARX calls generalization intensity: how far up their hierarchies the values stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from metrics.classes import Distribution
from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.table import Column, Integers
from metrics.utility.cells import cells_in_classes, wholly_lost
from metrics.utility.changes import percent
from metrics.utility.implied import implied_hierarchy


@dataclass(frozen=True)
class Precision:
    """`value` is 1 less the mean height of the values, as a share of their hierarchies' height."""

    value: float
    heights: Mapping[str, float]
    """Mean height of each column's values: 0 if each is as it was, 1 if each is the root."""
    levels: Mapping[str, int]
    """Levels of each column's hierarchy, the values themselves included."""
    lost: int
    """Records suppressed or deleted; their height is 1 in every column."""
    ambiguous: Mapping[str, int]
    """Per column with any: labels that stand on two levels of its hierarchy."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The precision of each column alone."""
        return {name: 1 - height for name, height in self.heights.items()}

    def details(self) -> dict[str, Any]:
        """The mean height, over all columns and of each."""
        return {
            "raw": 1 - self.value,
            "raw_by_column": dict(self.heights),
            "levels": dict(self.levels),
            "wholly_lost_records": self.lost,
            "ambiguous_labels": dict(self.ambiguous),
        }

    def in_words(self) -> str:
        """The finding."""
        highest = max(self.heights, key=lambda name: self.heights[name])
        if not self.heights[highest]:
            return "No value was generalized."
        most = f", those of {highest} {percent(self.heights[highest])}" if len(set(self.heights.values())) > 1 else ""
        return f"Values stand {percent(1 - self.value)} of the way up their hierarchies on average{most}."


def levels_of(column: Column, hierarchy: Hierarchy) -> Integers:
    """The level of each distinct value of a column. Raises Unavailable where the hierarchy misses one."""
    levels = hierarchy.levels_of(column)
    missed = int((levels < 0).sum())
    if missed:
        raise Unavailable(
            f'the hierarchy of "{column.name}" misses {missed:,} of the anonymized values; add them to it'
        )
    return levels


def precision(cells: Mapping[str, Distribution], hierarchies: Mapping[str, Hierarchy], lost: int = 0) -> Precision:
    """1 less the mean, over all cells of quasi-identifiers, of level over height of the hierarchy: 0 to 1, 1 is best.

    `cells` counts the quasi-identifiers' values in classes. The level of a value is the first that holds it, that of a
    `*` which no level holds the root's. The `lost` records, which are in no class, count as 1. A hierarchy of one level
    can generalize nothing: its height counts as 1. Takes at least one record; raises Unavailable where a hierarchy
    misses a value.

    Source: L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", 2002,
    doi 10.1142/S021848850200165X; suppressed records as in ARX.
    """
    heights: dict[str, Fraction] = {}
    for name, held in cells.items():
        hierarchy = hierarchies[name]
        climbed = int(np.dot(levels_of(held.column, hierarchy), held.totals))
        heights[name] = (Fraction(climbed, max(hierarchy.height, 1)) + lost) / (held.kept + lost)
    return Precision(
        value=float(1 - sum(heights.values()) / len(heights)),
        heights={name: float(height) for name, height in heights.items()},
        levels={name: hierarchies[name].height + 1 for name in heights},
        lost=lost,
        ambiguous={
            name: len(hierarchies[name].ambiguous_labels) for name in heights if hierarchies[name].ambiguous_labels
        },
    )


def hierarchies_of(evidence: Evidence) -> dict[str, Hierarchy]:
    """The hierarchy of every quasi-identifier, given or implied by the pair; raises Unavailable where there is none."""
    return {
        name: evidence.hierarchies.get(name) or _implied(evidence, name) for name in evidence.roles.quasi_identifiers
    }


def _implied(evidence: Evidence, name: str) -> Hierarchy:
    if evidence.original is None:
        raise Unavailable(f'"{name}" has no hierarchy, and without the original its domain is unknown')
    return evidence.once(f"implied hierarchy {name}", lambda: implied_hierarchy(evidence.pair(name)))


def _compute(evidence: Evidence, parameters: Parameters) -> Precision:
    lost = wholly_lost(evidence)
    return precision(cells_in_classes(evidence), hierarchies_of(evidence), lost)


PRECISION = Metric(
    id="precision",
    title="Precision (generalization intensity)",
    family=Family.UTILITY,
    unit="score",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="How low in their hierarchies the values still stand: 1 if none was generalized, 0 if all are suppressed.",
    good="Near 1; every level of a hierarchy counts the same, however many values it merges.",
    formula=r"1 - \frac{1}{Q N} \sum_q \sum_r \frac{\mathrm{level}_q(r)}{L_q - 1}",
    reference="L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, "
    "IJUFKS 10(5), 2002",
    doi="10.1142/S021848850200165X",
    compute=_compute,
)

"""l-diversity, t-closeness and P_29 of lattice nodes, from sensitive values rolled up with the classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.generalization.rollup import CellRollUp, Node
from metrics.candidates.limits.enforced import ENFORCED, Limits, T
from metrics.candidates.limits.measures import SENSITIVE_MEASURES
from metrics.candidates.limits.suppression import kept_classes
from metrics.config.parameters import GroundDistance, Parameters
from metrics.counting.counts import MemoryRelation
from metrics.counting.histograms import Histogram
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import ClassFigures, Direction
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.privacy.classes.ground_distances import choose_distance, equal_distance
from metrics.privacy.l_diversity.measure import NORMALIZED_ENTROPY_L_DIVERSITY
from metrics.privacy.p29.measure import P_29, P29Components, p29
from metrics.tables.table import Column, Flags, Floats, Integers

_FIGURES: Final = {
    name: enforcement.figures for name, enforcement in ENFORCED.items() if enforcement.figures is not None
}
"""The measures whose figure of a node is the worst of its classes."""


class SensitiveCounts:
    """How often each sensitive value occurs in each class of a node.

    Every attribute is judged on the quasi-identifiers alone, also where scores take the other ones as known.
    """

    def __init__(
        self,
        relation: MemoryRelation,
        columns: Sequence[ColumnLevels],
        attributes: Sequence[Column],
        hierarchies: Hierarchies,
        parameters: Parameters,
    ) -> None:
        self._rollups = {attribute.name: CellRollUp(relation, columns, attribute) for attribute in attributes}
        self._hierarchies, self._parameters = hierarchies, parameters

    @property
    def attributes(self) -> tuple[str, ...]:
        """The sensitive attributes examined."""
        return tuple(self._rollups)

    def forget(self, nodes: Sequence[Node]) -> None:
        """Release nodes from which no other will be rolled up."""
        for rollup in self._rollups.values():
            rollup.forget(nodes)

    def histograms(self, node: Node, chosen: Flags) -> dict[str, Histogram]:
        """Values within the chosen classes of a node, by attribute."""
        return {name: _histogram(rollup, node, chosen) for name, rollup in self._rollups.items()}

    def distinct(self, node: Node) -> list[Integers]:
        """For each class of a node its different values, by attribute."""
        return [np.bincount(rollup.classes_of(rollup.at(node))) for rollup in self._rollups.values()]

    def kept(self, node: Node, in_class: Flags, rule: Limits) -> Flags:
        """For each class of a node whether the rule keeps it; those whose records are suppressed anyway it does not."""
        histograms = self.histograms(node, in_class)
        kept = in_class.copy()
        if in_class.any():
            sizes = next(iter(histograms.values())).sizes
            kept[in_class] = kept_classes(rule, sizes, histograms, self._hierarchies, self._parameters)
        return kept

    def figures(self, nodes: Sequence[tuple[Node, Flags] | None]) -> dict[str, npt.NDArray[Any]]:
        """The figures of nodes whose kept classes are given, at least one each; NaN or 0 for None."""
        found = [{} if node is None else self._of_node(*node) for node in nodes]
        return {
            name: np.array([figures.get(name, 0) for figures in found], dtype=np.int64)
            if ENFORCED[name].is_whole
            else np.array([figures.get(name, math.nan) for figures in found])
            for name in SENSITIVE_MEASURES
        }

    def _of_node(self, node: Node, kept: Flags) -> dict[str, float]:
        """The worst figure of any class and attribute, and P_29."""
        histograms = self.histograms(node, kept)
        by_class = {measure: self._by_class(figures, histograms) for measure, figures in _FIGURES.items()}
        equal_distances = {
            name: by_class[T][name] if by_class[T] and self._is_equal(name, histogram) else equal_distance(histogram)
            for name, histogram in histograms.items()
        }
        sizes = next(iter(histograms.values())).sizes
        components = P29Components(sizes, by_class[NORMALIZED_ENTROPY_L_DIVERSITY.id], equal_distances)
        worst = {measure: _worst(measure, list(found.values())) for measure, found in by_class.items() if found}
        worst = {measure: value for measure, value in worst.items() if not math.isnan(value)}
        return {**worst, P_29.id: p29(components, self._parameters.p29).value}

    def _is_equal(self, name: str, histogram: Histogram) -> bool:
        distance = self._parameters.t_closeness.distance.get(name)
        return choose_distance(histogram, self._hierarchies.get(name), distance) is GroundDistance.EQUAL

    def _by_class(self, figures: ClassFigures, histograms: Mapping[str, Histogram]) -> dict[str, Floats]:
        try:
            return {
                name: figures(histogram, self._hierarchies, self._parameters) for name, histogram in histograms.items()
            }
        except Unavailable:  # as in a score, t is missing then and the other figures stay
            return {}


def _worst(measure: str, by_attribute: Sequence[Floats]) -> float:
    """The worst figure, without those of attributes that the measure is not about; NaN if it is about none."""
    worse = np.fmax if LIMITABLE_MEASURES[measure].direction is Direction.LOWER else np.fmin
    return float(worse.reduce(np.concatenate(by_attribute)))


def _histogram(rollup: CellRollUp, node: Node, selected: Flags) -> Histogram:
    cells = rollup.at(node)
    group = rollup.classes_of(cells)
    sizes = np.bincount(group, weights=cells.counts, minlength=len(selected)).astype(np.int64)
    in_selected = selected[group]
    number: Integers = np.cumsum(selected) - 1
    return Histogram(
        rollup.within,
        sizes[selected],
        number[group[in_selected]],
        rollup.values_of(cells)[in_selected],
        cells.counts[in_selected],
    )

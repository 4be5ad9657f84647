"""Criteria that every class of a repaired table must meet, and the classes that do not meet them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.candidates.limits.constraints import LIMITS, Constraints
from metrics.candidates.limits.suppression import SuppressionRule, distances_of
from metrics.config.parameters import GroundDistance, Parameters, ProfitabilityParameters
from metrics.counting.classes import Histogram
from metrics.counting.grouping import Grouping
from metrics.economics.profitability import exact, largest_attacked
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.privacy.classes.ground_distances import choose_distance, equal_distance
from metrics.privacy.l_diversity import effective_values, normalized_entropy
from metrics.tables.table import Flags, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import text

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class ClassCriterion:
    """One figure of every class and its limit."""

    name: str
    """The limit's name among the constraints; another for P_29's own condition on t."""
    attribute: str | None
    """The sensitive attribute it examines, None for the class's size."""
    figures: Floats
    limit: float
    is_maximum: bool = False
    """Whether the limit is the largest figure allowed; else the smallest."""
    open: bool = False
    """Whether the limit itself is not allowed."""
    distance: GroundDistance | None = None
    """For distances from the whole table, which move when other classes change: how they are measured."""

    @property
    def violating(self) -> Flags:
        """Classes that miss the limit."""
        if self.is_maximum:
            return self.figures > self.limit
        return self.figures <= self.limit if self.open else self.figures < self.limit

    @property
    def best(self) -> float:
        """The figure of the class that comes nearest to the limit or keeps it best."""
        return float(self.figures.min() if self.is_maximum else self.figures.max())

    @property
    def title(self) -> str:
        """What is limited."""
        title = LIMITS[self.name].title if self.name in LIMITS else text("limits.t_of_p29")
        return title if self.attribute is None else text("limits.of_column", title=title, column=self.attribute)

    def summary(self, figure: float) -> str:
        """A value that fails the limit, and the limit."""
        if self.is_maximum:
            return text("limits.class_above", title=self.title, found=figure, limit=self.limit)
        if self.open:
            return text("limits.class_not_above", title=self.title, found=figure, limit=self.limit)
        return text("limits.class_below", title=self.title, found=figure, limit=self.limit)

    def count_summary(self) -> str:
        """How many classes fail the limit."""
        classes = int(self.violating.sum())
        if self.is_maximum:
            return text("limits.classes_above", title=self.title, classes=classes, limit=self.limit)
        if self.open:
            return text("limits.classes_not_above", title=self.title, classes=classes, limit=self.limit)
        return text("limits.classes_below", title=self.title, classes=classes, limit=self.limit)


@dataclass(frozen=True, eq=False)
class Violations:
    """Classes that miss a criterion."""

    index: Integers
    reasons: tuple[str, ...]
    """For each of `index` the limits that it misses and by how much."""


@dataclass(frozen=True, eq=False)
class Criteria:
    """The limits that a class meets or misses by itself or by its distance from the whole table.

    Every sensitive attribute is judged on its own. The share suppressed, and a P_29 beyond its conditions, concern the
    table as a whole and are not criteria of a class.
    """

    constraints: Constraints
    parameters: Parameters
    hierarchies: Hierarchies

    @cached_property
    def smallest(self) -> int:
        """Records that a class must hold. Raises InputError if no size is enough."""
        limits = self.constraints
        sizes = [1, limits.k or 1, 2 if self.requires_p29_conditions else 1]
        if limits.no_attack:
            sizes.append(SuppressionRule.without_attacks(self.parameters.profitability).k)
        if limits.profitable:
            sizes.append(_profitable_size(self.parameters.profitability))
        return max(sizes)

    @property
    def requires_p29_conditions(self) -> bool:
        """Whether P_29 must be above 0."""
        return bool(self.constraints.p29)

    @property
    def sizes_only(self) -> bool:
        """Whether the sizes of the classes are all that matters."""
        return not self.constraints.needs_sensitive

    def for_grouping(self, grouping: Grouping) -> Iterator[ClassCriterion]:
        """Every criterion with the figure of each class; there is at least one class."""
        yield ClassCriterion("k", None, grouping.sizes.astype(np.float64), self.smallest)
        limits = self.constraints
        for name, histogram in grouping.histograms.items():
            if limits.l is not None:
                yield ClassCriterion("l", name, histogram.distinct.astype(np.float64), limits.l)
            if limits.entropy_l is not None:
                yield ClassCriterion("entropy_l", name, effective_values(histogram), limits.entropy_l)
            if limits.normalized_l is not None:
                yield ClassCriterion("normalized_l", name, normalized_entropy(histogram), limits.normalized_l)
            if self.requires_p29_conditions:
                yield ClassCriterion("normalized_l", name, normalized_entropy(histogram), 0.0, open=True)
                limit = self.parameters.p29.t_max
                equal = GroundDistance.EQUAL
                yield ClassCriterion(
                    "t of P_29", name, equal_distance(histogram), limit, is_maximum=True, distance=equal
                )
            if limits.t is not None:
                closeness = self.parameters.t_closeness
                distances = distances_of(name, histogram, self.hierarchies, closeness)
                kind = choose_distance(histogram, self.hierarchies.get(name), closeness.distance.get(name))
                yield ClassCriterion("t", name, distances, limits.t, is_maximum=True, distance=kind)

    def violating(self, grouping: Grouping) -> Flags:
        """Classes that miss any criterion."""
        flags = np.zeros(len(grouping.sizes), dtype=bool)
        for criterion in self.for_grouping(grouping) if len(flags) else ():
            flags |= criterion.violating
        return flags

    def violating_alone(self, grouping: Grouping) -> Flags:
        """Classes that miss a criterion that no change of other classes moves."""
        flags = np.zeros(len(grouping.sizes), dtype=bool)
        for criterion in self.for_grouping(grouping) if len(flags) else ():
            if criterion.distance is None:
                flags |= criterion.violating
        return flags

    @property
    def moves(self) -> bool:
        """Whether a criterion examines the whole table, so that a change of one class can decide on another."""
        return self.constraints.t is not None or self.requires_p29_conditions

    def excess(self, grouping: Grouping) -> Floats:
        """For each class the sum over distances of the excess above the limit."""
        total = np.zeros(len(grouping.sizes))
        for criterion in self.for_grouping(grouping):
            if criterion.distance is not None:
                total += np.maximum(criterion.figures - criterion.limit, 0.0)
        return total

    def certainly_violating(self, grouping: Grouping, budget: int) -> Flags:
        """Classes beyond a limit even after any other classes with at most `budget` records are taken away.

        Taking away w of N records moves the table's distribution by at most w/N in total variation, and so by no more
        in any ground distance up to 1. Ranks shrink when a value vanishes, which is allowed for.
        """
        flags = np.zeros(len(grouping.sizes), dtype=bool)
        for criterion in self.for_grouping(grouping):
            if criterion.distance is None or criterion.attribute is None:
                continue
            histogram = grouping.histograms[criterion.attribute]
            if self._could_change(criterion, histogram, budget):
                continue
            lower = criterion.figures - budget / histogram.kept
            if criterion.distance is GroundDistance.ORDERED:
                numbers, in_use = histogram.numbers, histogram.totals > 0
                steps = 0 if numbers is None else len(np.unique(numbers[in_use])) - 1
                n_removable = int((histogram.totals[in_use] <= budget).sum())
                if n_removable >= steps:
                    continue
                lower = (steps * lower - n_removable) / (steps - n_removable)
            flags |= lower > criterion.limit + _ROUNDING
        return flags

    def _could_change(self, criterion: ClassCriterion, histogram: Histogram, budget: int) -> bool:
        """Whether taking away that many records can leave numbers only, which are compared in their order."""
        distance = self.parameters.t_closeness.distance.get(histogram.column.name)
        if criterion.name != "t" or distance is not None or criterion.distance is GroundDistance.ORDERED:
            return False
        column = histogram.column
        texts = np.array([parse_number(label, column.decimal) is None for label in column.labels], dtype=bool)
        return int(histogram.totals[texts].sum()) <= budget

    def failing(self, grouping: Grouping) -> list[str]:
        """How many classes fail each limit, of those that some do."""
        return [one.count_summary() for one in self.for_grouping(grouping) if one.violating.any()]

    def violations(self, grouping: Grouping) -> Violations:
        """Classes that miss a criterion, each with its reasons in one text."""
        index = np.flatnonzero(self.violating(grouping))
        reasons: list[list[str]] = [[] for _ in index]
        for criterion in self.for_grouping(grouping):
            figures, missed = criterion.figures[index], criterion.violating[index]
            # Many classes miss a limit by the same figure.
            summaries = {figure: criterion.summary(figure) for figure in np.unique(figures[missed]).tolist()}
            for position in np.flatnonzero(missed).tolist():
                reasons[position].append(summaries[float(figures[position])])
        return Violations(index, tuple("; ".join(of_class) for of_class in reasons))


def _profitable_size(parameters: ProfitabilityParameters) -> int:
    """The smallest class size at which publishing earns more than it risks."""
    loss, benefit = exact(parameters.publisher_loss), exact(parameters.publisher_benefit)
    if not benefit:
        raise InputError(
            "publishing a record has no benefit, so it is never profitable",
            remedy="set profitability.publisher_benefit above 0",
        )
    size = int(min(largest_attacked(parameters), loss // benefit)) + 1
    if parameters.allow_attack:
        return size
    return max(size, SuppressionRule.without_attacks(parameters).k)

"""Limits on classes: the figures of every class of a repaired table, and the classes that miss a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from metrics.candidates.limits.enforced import ENFORCED, K, Limits, T, needs_sensitive, required_size
from metrics.config.parameters import GroundDistance, Parameters
from metrics.counting.grouping import Grouping
from metrics.counting.histograms import Histogram
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Limit
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.tables.table import Flags, Floats
from metrics.tables.values import parse_number

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class ClassLimits:
    """The limits that a class meets or misses by itself or by its distance from the whole table.

    Every sensitive attribute is judged on its own. The share suppressed, and a P_29 beyond its conditions, concern the
    table as a whole and are no limits on classes.
    """

    limits: Limits
    parameters: Parameters
    hierarchies: Hierarchies

    @cached_property
    def smallest(self) -> int:
        """Records that a class must hold. Raises InputError if no size is enough."""
        return required_size(self.limits, self.parameters)

    @property
    def sizes_only(self) -> bool:
        """Whether the sizes of the classes are all that matters."""
        return not needs_sensitive(self.limits)

    @cached_property
    def of_values(self) -> tuple[Limit, ...]:
        """The limits on figures by the values of each sensitive attribute."""
        limits: list[Limit] = []
        for name, bound in self.limits.items():
            enforcement = ENFORCED[name]
            if enforcement.figures is not None:
                limits.append(Limit(enforcement, float(bound), LIMITABLE_MEASURES[name].direction))
            elif enforcement.conditions is not None and bound:
                limits += enforcement.conditions(self.parameters)
        return tuple(limits)

    def for_grouping(self, grouping: Grouping) -> Iterator[tuple[Limit, Floats]]:
        """Every limit with the figure of each class; there is at least one class."""
        yield Limit(ENFORCED[K], self.smallest), grouping.sizes.astype(np.float64)
        for name, histogram in grouping.histograms.items():
            for limit in self.of_values:
                assert limit.measure.figures is not None
                figures = limit.measure.figures(histogram, self.hierarchies, self.parameters)
                yield replace(limit, attribute=name), figures

    def violating(self, grouping: Grouping) -> Flags:
        """Classes that miss any limit."""
        flags = np.zeros(len(grouping.sizes), dtype=bool)
        for limit, figures in self.for_grouping(grouping) if len(flags) else ():
            flags |= limit.missed(figures)
        return flags

    def violating_alone(self, grouping: Grouping) -> Flags:
        """Classes that miss a limit that no change of other classes moves."""
        flags = np.zeros(len(grouping.sizes), dtype=bool)
        for limit, figures in self.for_grouping(grouping) if len(flags) else ():
            if limit.measure.distance is None:
                flags |= limit.missed(figures)
        return flags

    @property
    def moves(self) -> bool:
        """Whether a limit examines the whole table, so that a change of one class can decide on another."""
        return any(limit.measure.distance is not None for limit in self.of_values)

    def excess(self, grouping: Grouping) -> Floats:
        """For each class the sum over distances of the excess above the limit."""
        total = np.zeros(len(grouping.sizes))
        for limit, figures in self.for_grouping(grouping):
            if limit.measure.distance is not None:
                total += limit.excess(figures)
        return total

    def certainly_violating(self, grouping: Grouping, budget: int) -> Flags:
        """Classes beyond a limit even after any other classes with at most `budget` records are taken away.

        Taking away w of N records moves the table's distribution by at most w/N in total variation, and so by no more
        in any ground distance up to 1. Ranks shrink when a value vanishes, which is allowed for.
        """
        flags = np.zeros(len(grouping.sizes), dtype=bool)
        for limit, figures in self.for_grouping(grouping):
            if limit.measure.distance is None or limit.attribute is None:
                continue
            histogram = grouping.histograms[limit.attribute]
            distance = limit.measure.distance(histogram, self.hierarchies, self.parameters)
            if limit.measure is ENFORCED[T] and self._could_become_ordered(distance, histogram, budget):
                continue
            lower = figures - budget / histogram.kept
            if distance is GroundDistance.ORDERED:
                numbers, in_use = histogram.numbers, histogram.totals > 0
                steps = 0 if numbers is None else len(np.unique(numbers[in_use])) - 1
                n_removable = int((histogram.totals[in_use] <= budget).sum())
                if n_removable >= steps:
                    continue
                lower = (steps * lower - n_removable) / (steps - n_removable)
            flags |= lower > limit.bound + _ROUNDING
        return flags

    def _could_become_ordered(self, distance: GroundDistance, histogram: Histogram, budget: int) -> bool:
        """Whether taking away that many records can leave numbers only, which are compared in their order."""
        column = histogram.column
        if self.parameters.t_closeness.distance.get(column.name) is not None or distance is GroundDistance.ORDERED:
            return False
        texts = np.array([parse_number(label, column.decimal) is None for label in column.labels], dtype=bool)
        return int(histogram.totals[texts].sum()) <= budget

    def failing(self, grouping: Grouping) -> list[str]:
        """How many classes fail each limit, of those that some do."""
        return [
            limit.count_summary(figures)
            for limit, figures in self.for_grouping(grouping)
            if limit.missed(figures).any()
        ]

    def violations(self, grouping: Grouping) -> dict[int, str]:
        """The classes that miss a limit, in ascending order, each with the limits that it misses and by how much."""
        index = np.flatnonzero(self.violating(grouping))
        reasons: list[list[str]] = [[] for _ in index]
        for limit, figures in self.for_grouping(grouping):
            found = figures[index]
            missed = limit.missed(found)
            # Many classes miss a limit by the same figure.
            summaries = {figure: limit.class_summary(figure) for figure in np.unique(found[missed]).tolist()}
            for position in np.flatnonzero(missed).tolist():
                reasons[position].append(summaries[float(found[position])])
        return dict(zip(index.tolist(), map("; ".join, reasons), strict=True))

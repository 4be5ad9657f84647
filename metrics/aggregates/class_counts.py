"""What the aggregates of a whole table and of a partition have in common: classes, and the counts within each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar, TypeVarTuple, cast

import numpy as np

from metrics.aggregates.guards import require_classes
from metrics.aggregates.protocol import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import Distribution, EquivalenceClasses, equivalence_classes
from metrics.counting.histograms import Histogram, RefinedHistogram, histogram, refined_histogram
from metrics.errors import Unavailable
from metrics.interruption import checkpoint
from metrics.tables.table import Floats
from metrics.texts import text

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ClassCounts:
    """Base of aggregates, of a whole or a partition: its classes, and what is counted within each."""

    _memo: dict[Hashable, Any]

    def memoize(self, function: Callable[[Aggregates, *Ts], T], *arguments: *Ts) -> T:
        """The function of these aggregates and of hashable arguments: computed on the first call with them only."""
        key = (function, *arguments)
        if key not in self._memo:
            checkpoint()
            self._memo[key] = function(cast(Aggregates, self), *arguments)
        value: T = self._memo[key]
        return value

    def examined(self: Aggregates, examine: Callable[[Aggregates, Parameters], T], parameters: Parameters) -> T:
        """What is found of these classes. Raises Unavailable."""
        return examine(self, parameters)

    @cached_property
    def classes(self: Aggregates) -> EquivalenceClasses:
        """The equivalence classes. Raises Unavailable where there are too many to hold."""
        if self.is_partitioned:
            raise Unavailable(text("unavailable.too_many_classes", limit=self.max_classes))
        return equivalence_classes(self.relation, self.roles.quasi_identifiers)

    @cached_property
    def class_weights(self: Aggregates) -> Floats | None:
        """Sum of survey weights per class; None without a weight column. Raises Unavailable for an invalid weight."""
        if self.roles.weight is None:
            return None
        weights = self.histogram(self.roles.weight)
        numbers = weight_of_value(weights)
        if not self.classes.count:
            return np.zeros(0)
        sums: Floats = np.add.reduceat(numbers[weights.code] * weights.count, weights.starts)
        return sums

    def histogram(self: Aggregates, column: str) -> Histogram:
        """An attribute's values within each class."""
        return self.memoize(_histogram, column)

    def refined_histogram(self: Aggregates, column: str) -> RefinedHistogram:
        """An attribute's values within each class refined by all other sensitive attributes."""
        return self.memoize(_refined_histogram, column)

    def sensitive(self: Aggregates, *, refined: bool = False) -> dict[str, Histogram]:
        """Histograms of all sensitive attributes. Raises Unavailable without one, or without a class.

        `refined` asks for each within classes refined by the others, where there are several.
        """
        columns = self.roles.sensitive
        if not columns:
            raise Unavailable(text("unavailable.no_sensitive"))
        require_classes(self)
        if refined and len(columns) > 1:
            return {column: self.refined_histogram(column) for column in columns}
        return {column: self.histogram(column) for column in columns}


def _histogram(aggregates: Aggregates, column: str) -> Histogram:
    whole = aggregates.whole
    distribution = None if whole is aggregates else whole.distribution(column)
    return histogram(aggregates.relation, aggregates.classes, column, distribution)


def _refined_histogram(aggregates: Aggregates, column: str) -> RefinedHistogram:
    others = [other for other in aggregates.roles.sensitive if other != column]
    whole = aggregates.whole
    distribution = None if whole is aggregates else whole.distribution(column)
    return refined_histogram(aggregates.relation, aggregates.classes, others, column, distribution)


def weight_of_value(weights: Histogram | Distribution) -> Floats:
    """The weight that each value is, NaN where no class holds it. Raises Unavailable where one is not above 0."""
    if weights.numbers is None or not (weights.numbers[weights.totals > 0] > 0).all():
        raise Unavailable(text("unavailable.invalid_weights", column=weights.column.name))
    return weights.numbers

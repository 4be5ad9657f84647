"""What the aggregates of a whole table and of a partition have in common: classes, and the counts within each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import numpy as np

from metrics.aggregates.guards import require_classes
from metrics.aggregates.memo import Memo
from metrics.aggregates.protocol import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import (
    Distribution,
    EquivalenceClasses,
    Histogram,
    RefinedHistogram,
    equivalence_classes,
    histogram,
    refined_histogram,
)
from metrics.errors import Unavailable
from metrics.tables.table import Floats
from metrics.texts import text

T = TypeVar("T")


class ClassCounts:
    """Base of aggregates, of a whole or a partition: its classes, and what is counted within each."""

    def __init__(self) -> None:
        self._memo = Memo()

    def memoize(self, name: str, compute: Callable[[], T]) -> T:
        """Return the result of `compute`, computed on the first call under that name for these classes."""
        return self._memo(name, compute)

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
        return self.memoize(
            f"histogram {column}",
            lambda: histogram(self.relation, self.classes, column, _distribution_of_whole(self, column)),
        )

    def refined_histogram(self: Aggregates, column: str) -> RefinedHistogram:
        """An attribute's values within each class refined by all other sensitive attributes."""
        others = [other for other in self.roles.sensitive if other != column]
        return self.memoize(
            f"refined histogram {column}",
            lambda: refined_histogram(
                self.relation, self.classes, others, column, _distribution_of_whole(self, column)
            ),
        )

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


def _distribution_of_whole(aggregates: Aggregates, column: str) -> Distribution | None:
    """A column's values over the whole table; None where the aggregates are of the whole."""
    return None if aggregates.whole is aggregates else aggregates.whole.distribution(column)


def weight_of_value(weights: Histogram | Distribution) -> Floats:
    """The weight that each value is, NaN where no class holds it. Raises Unavailable where one is not above 0."""
    if weights.numbers is None or not (weights.numbers[weights.totals > 0] > 0).all():
        raise Unavailable(text("unavailable.invalid_weights", column=weights.column.name))
    return weights.numbers

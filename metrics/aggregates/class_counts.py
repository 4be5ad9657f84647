"""Equivalence classes that are held at once, and what was counted within each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from metrics.aggregates.memo import Memo
from metrics.config.roles import Roles
from metrics.counting.classes import (
    Distribution,
    EquivalenceClasses,
    Histogram,
    RefinedHistogram,
    equivalence_classes,
    histogram,
    refined_histogram,
)
from metrics.counting.counts import Relation
from metrics.errors import Unavailable
from metrics.tables.table import Floats
from metrics.texts import text


class ClassCounts:
    """The classes of a relation with the histograms of other columns within them.

    `distribution` gives a column's values over the whole table, where these are some of its classes.
    """

    def __init__(
        self, relation: Relation, roles: Roles, distribution: Callable[[str], Distribution] | None = None
    ) -> None:
        self._relation = relation
        self._roles = roles
        self._distribution = distribution
        self._memo = Memo()

    @cached_property
    def classes(self) -> EquivalenceClasses:
        """The equivalence classes."""
        return equivalence_classes(self._relation, self._roles.quasi_identifiers)

    def histogram(self, column: str) -> Histogram:
        """An attribute's values within each class."""
        return self._memo(
            column, lambda: histogram(self._relation, self.classes, column, self._distribution_of_whole(column))
        )

    def refined_histogram(self, column: str) -> RefinedHistogram:
        """An attribute's values within each class refined by all other sensitive attributes."""
        others = [other for other in self._roles.sensitive if other != column]
        return self._memo(
            f"refined {column}",
            lambda: refined_histogram(
                self._relation, self.classes, others, column, self._distribution_of_whole(column)
            ),
        )

    def weights(self, column: str) -> Floats:
        """Sum of the survey weights of each class. Raises Unavailable where a weight is not a number above 0."""
        weights = self.histogram(column)
        numbers = weight_of_value(weights)
        if not self.classes.count:
            return np.zeros(0)
        sums: Floats = np.add.reduceat(numbers[weights.code] * weights.count, weights.starts)
        return sums

    def _distribution_of_whole(self, column: str) -> Distribution | None:
        return None if self._distribution is None else self._distribution(column)


def weight_of_value(weights: Histogram | Distribution) -> Floats:
    """The weight that each value is, NaN where no class holds it. Raises Unavailable where one is not above 0."""
    if weights.numbers is None or not (weights.numbers[weights.totals > 0] > 0).all():
        raise Unavailable(text("unavailable.invalid_weights", column=weights.column.name))
    return weights.numbers

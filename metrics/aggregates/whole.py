"""Aggregates of a whole table: classes, histograms and pair counts, computed when first needed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar, TypeVarTuple, cast

import numpy as np

from metrics.aggregates.comparison import Comparison
from metrics.aggregates.fitted_hierarchies import FittedHierarchies
from metrics.aggregates.guards import RECORDS_ELSEWHERE, require_classes
from metrics.aggregates.protocol import MAX_CLASSES, Aggregates, PerturbedCells
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.counting.classes import ClassSizes, Distribution, EquivalenceClasses, equivalence_classes
from metrics.counting.counts import Combinations, EngineTable, Matching, MemoryRelation, Relation
from metrics.counting.histograms import Histogram, RefinedHistogram, histogram, refined_histogram
from metrics.counting.partitions import class_sizes_by_partition
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.interruption import checkpoint
from metrics.matching.records import refuse_shared_records
from metrics.tables.table import SUPPRESSED, Described, Floats, Integers, Table
from metrics.texts import text

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_CELLS_PER_CLASS = 16
"""Cells of a histogram that are held at once, for each class that is."""


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


class TableAggregates(ClassCounts):
    """Aggregates of an anonymized table, alone and beside its original. Implements `Aggregates`."""

    def __init__(
        self,
        anonymized: Table | EngineTable,
        roles: Roles,
        original: Table | EngineTable | None = None,
        hierarchies: Hierarchies | None = None,
        population: Table | None = None,
        matching: Matching | None = None,
        max_classes: int = MAX_CLASSES,
        holdout: Table | None = None,
        perturbed: PerturbedCells | None = None,
    ) -> None:
        """Take tables that are both in memory or both in an engine.

        Raises InputError where the tables are in different places, roles do not fit a table, or records of the hold-out
        table are records of the original by the key.
        """
        roles.check(anonymized, original, population, holdout)
        if holdout is not None and isinstance(original, Table):
            refuse_shared_records(original, holdout, roles)
        if original is not None and isinstance(original, Table) is not isinstance(anonymized, Table):
            raise InputError(
                "one of the two tables is in memory and the other in an engine",
                remedy="give both in the same way",
                file=original.name,
            )
        naming = (*roles.identifiers, *roles.matching.key)
        if not isinstance(anonymized, Table):
            anonymized.plan_counts(roles.quasi_identifiers, roles.sensitive, naming)
        if original is not None and not isinstance(original, Table):
            original.plan_counts(roles.quasi_identifiers, (), naming)
        self.anonymized: Described = anonymized
        self.original: Described | None = original
        self.population = population
        self.holdout = holdout
        self.roles = roles
        self.max_classes = max_classes
        self.perturbed = perturbed or PerturbedCells()
        self.relation: Relation = MemoryRelation(anonymized) if isinstance(anonymized, Table) else anonymized
        self._matching = matching
        self._hierarchies = hierarchies or {}
        self._memo = {}

    @cached_property
    def comparison(self) -> Comparison:
        """The original beside the anonymized table."""
        return Comparison(self.anonymized, self.original, self.roles, self.max_classes, self._matching)

    @cached_property
    def hierarchies(self) -> FittedHierarchies:
        """Generalization hierarchies by column, as they fit the tables."""
        if isinstance(self._hierarchies, FittedHierarchies):
            return self._hierarchies
        return FittedHierarchies(self._hierarchies, self.comparison, self.roles.quasi_identifiers)

    @property
    def whole(self) -> Aggregates:
        """These aggregates themselves."""
        return self

    @property
    def matched_records(self) -> Aggregates:
        """These aggregates themselves, unless the roles leave records out of the comparison."""
        return self if self._matched_only is None else self._matched_only

    @cached_property
    def _matched_only(self) -> TableAggregates | None:
        """Aggregates of the records that are compared, where the roles leave others out.

        None means this object: a reference to itself would keep the tables in memory after the last other one is gone.
        """
        matching = self.comparison.matching
        if self._matching is not None or not isinstance(matching, Matching) or not matching.tally.partial:
            return None
        tables = (matching.anonymized, self.roles, matching.original)
        return TableAggregates(*tables, self.hierarchies, self.population, matching, holdout=self.holdout)

    @property
    def positions(self) -> Integers | None:
        """Positions of these records in the whole table, where they are `matched_records` of it; None where all are."""
        return None if self._matching is None else self._matching.positions

    @cached_property
    def is_partitioned(self) -> bool:
        """Whether an engine has more classes, or cells in them, than are held at once."""
        max_classes, groups = self.max_classes, self.roles.quasi_identifiers
        if isinstance(self.anonymized, Table) or self.anonymized.rows <= max_classes:
            return False
        cell_columns = [(*groups, name) for name in self.roles.sensitive]
        classes, *cells = cast(EngineTable, self.anonymized).estimate_distinct([groups, *cell_columns])
        return classes > max_classes or max(cells, default=0) > _CELLS_PER_CLASS * max_classes

    @cached_property
    def class_sizes(self) -> ClassSizes:
        """How many classes there are of each size."""
        if self.is_partitioned:
            table = cast(EngineTable, self.anonymized)
            return class_sizes_by_partition(table, self.roles.quasi_identifiers, self.max_classes)
        return self.classes.by_size

    def keep_class_sizes(self, sizes: ClassSizes) -> None:
        """Keep the sizes of all classes as found in every partition, which would be counted once more otherwise."""
        self.class_sizes = sizes

    @cached_property
    def total_weight(self) -> float | None:
        """Sum of the survey weights of all records in classes; None where no column is tagged as weight."""
        if self.roles.weight is None:
            return None
        weights = self.distribution(self.roles.weight)
        return float(np.nansum(weight_of_value(weights) * weights.totals))

    def distribution(self, column: str) -> Distribution:
        """A column's values over all records in classes."""
        return self.memoize(_distribution, column)

    def class_of_record(self) -> Integers:
        """For each anonymized record the class it is in, -1 where it is suppressed; in memory only."""
        if not isinstance(self.relation, MemoryRelation):
            raise Unavailable(RECORDS_ELSEWHERE)
        members = self.relation.members(self.roles.quasi_identifiers).astype(np.int64)
        position = self.classes.suppressed_position
        if position is None:
            return members
        numbers = np.arange(self.classes.count + 1)
        numbers[position] = -1
        numbers[position + 1 :] -= 1
        return numbers[members]


def _distribution(aggregates: Aggregates, name: str) -> Distribution:
    if aggregates.is_partitioned:
        table = cast(EngineTable, aggregates.anonymized)
        totals = _records_by_value(aggregates.relation.count([name]))
        stars = {column: table[column].code_of.get(SUPPRESSED, -1) for column in aggregates.roles.quasi_identifiers}
        if -1 not in stars.values():
            suppressed = table.with_values({column: np.array([code]) for column, code in stars.items()})
            totals -= _records_by_value(suppressed.count([name]))
        return Distribution(table[name], totals)
    if name in aggregates.roles.quasi_identifiers:
        return aggregates.classes.distribution(name)
    values = aggregates.histogram(name)
    return Distribution(values.column, values.totals)


def _records_by_value(combinations: Combinations) -> Integers:
    totals = np.zeros(combinations.columns[0].distinct, dtype=np.int64)
    totals[combinations.codes[0]] = combinations.counts
    return totals

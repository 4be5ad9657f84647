"""Tables in an engine with too many equivalence classes to hold at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numpy as np

from metrics.aggregates.guards import RECORDS_ELSEWHERE
from metrics.aggregates.protocol import Aggregates, Examine
from metrics.aggregates.whole import ClassCounts
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes, Distribution
from metrics.counting.counts import Combinations, EngineTable, PartitionCounts, Relation
from metrics.counting.marginal_counts import CountedRelation, group_starts
from metrics.errors import Unavailable
from metrics.tables.table import Integers

T = TypeVar("T")


@contextmanager
def partitions_of(whole: Aggregates) -> Iterator[AggregatesByPartition]:
    """The classes of a table in an engine, a partition at a time, in their canonical order.

    Meanwhile the engine holds their counts, where it can.
    """
    roles = whole.roles
    others = (*roles.sensitive, *(() if roles.weight is None else (roles.weight,)))
    table = cast(EngineTable, whole.anonymized)
    with table.partitions(roles.quasi_identifiers, others, whole.max_classes) as partitions:
        yield AggregatesByPartition(whole, partitions)


class AggregatesByPartition:
    """Aggregates of one partition after the other."""

    def __init__(self, whole: Aggregates, counted: PartitionCounts) -> None:
        self._whole = whole
        self._counted = counted

    def __len__(self) -> int:
        return len(self._counted)

    def __iter__(self) -> Iterator[PartitionAggregates]:
        return (PartitionAggregates(self._whole, partition) for partition in self._counted)


class PartitionAggregates(ClassCounts):
    """Aggregates of some of the classes of a whole, compared with all its records. Implements `Aggregates`."""

    def __init__(self, whole: Aggregates, counted: Combinations) -> None:
        """`counted` are the quasi-identifiers, then the sensitive columns and weights, of these classes' records."""
        self._memo = {}
        self.whole = whole
        self.anonymized, self.original = whole.anonymized, whole.original
        self.population, self.holdout = whole.population, whole.holdout
        self.roles, self.hierarchies = whole.roles, whole.hierarchies
        self.max_classes, self.comparison, self.perturbed = whole.max_classes, whole.comparison, whole.perturbed
        self.relation: Relation = CountedRelation(counted)
        # Records stay in the engine, and these classes are held at once.
        self.positions: Integers | None = None
        self.is_partitioned = False
        self._combinations = counted
        self.found: dict[Examine, Any] = {}
        """What is known of all classes, where these are the worst of them; or why nothing is."""

    @property
    def matched_records(self) -> Aggregates:
        """These aggregates themselves: an engine leaves no record out of the comparison."""
        return self

    @property
    def class_sizes(self) -> ClassSizes:
        """How many of these classes there are of each size."""
        return self.classes.by_size

    @property
    def total_weight(self) -> float | None:
        """Sum of the survey weights of all records of the whole."""
        return self.whole.total_weight

    def distribution(self, column: str) -> Distribution:
        """A column's values over all records in classes of the whole."""
        return self.whole.distribution(column)

    def examined(self, examine: Callable[[Aggregates, Parameters], T], parameters: Parameters) -> T:
        """What is found of these classes; of the worst of too many to hold, with totals of all. Raises Unavailable."""
        if examine not in self.found:
            return super().examined(examine, parameters)
        found: T | Unavailable = self.found[examine]
        if isinstance(found, Unavailable):
            raise found
        return found

    def class_of_record(self) -> Integers:
        """Not available: records stay in the engine."""
        raise Unavailable(RECORDS_ELSEWHERE)

    def records_of(self, classes: Integers) -> tuple[Combinations, Integers]:
        """The counted combinations of some classes, which ascend, and the position of each one's class among these."""
        combinations = self._combinations
        number = np.cumsum(group_starts(combinations.codes[: len(self.classes.columns)], len(combinations.counts))) - 1
        suppressed = self.classes.suppressed_position
        position_of = np.full(self.classes.count + (suppressed is not None), -1, dtype=np.int64)
        position_of[classes if suppressed is None else classes + (classes >= suppressed)] = np.arange(len(classes))
        positions = position_of[number]
        is_selected = positions >= 0
        codes = tuple(code[is_selected] for code in combinations.codes)
        return Combinations(combinations.columns, codes, combinations.counts[is_selected]), positions[is_selected]

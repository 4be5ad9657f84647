"""What metrics are computed from: classes, histograms and pair counts of one candidate, made when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from metrics.classes import (
    EquivalenceClasses,
    Histogram,
    RefinedHistogram,
    equivalence_classes,
    histogram,
    refined_histogram,
)
from metrics.counts import Combinations, EngineTable, Matching, MemoryRelation, Pairing, Relation, match_records
from metrics.errors import InputError
from metrics.hierarchy import Hierarchies, Hierarchy
from metrics.roles import Roles
from metrics.specification import Unavailable
from metrics.table import Described, Floats, Integers, Table

T = TypeVar("T")

_ELSEWHERE = "it needs the records in memory, and they stay in the engine that holds them"


class Evidence:
    """Aggregates of an anonymized table, alone and beside its original. Holds no result and no parameter."""

    def __init__(
        self,
        anonymized: Table | EngineTable,
        roles: Roles,
        original: Table | EngineTable | None = None,
        hierarchies: Hierarchies | None = None,
        population: Table | None = None,
    ) -> None:
        """Tables are both in memory or both in an engine. Raises InputError where not, or roles do not fit a table."""
        roles.check(anonymized, original, population)
        if original is not None and isinstance(original, Table) is not isinstance(anonymized, Table):
            raise InputError(
                "one of the two tables is in memory and the other in an engine",
                remedy="give both in the same way",
                file=original.name,
            )
        naming = (*roles.identifiers, *(() if roles.key is None else (roles.key,)))
        if not isinstance(anonymized, Table):
            anonymized.foresee(roles.quasi_identifiers, roles.sensitive, naming)
        if original is not None and not isinstance(original, Table):
            original.foresee(roles.quasi_identifiers, (), naming)
        self.anonymized: Described = anonymized
        self.original: Described | None = original
        self.population = population
        self.roles = roles
        self.hierarchies: Mapping[str, Hierarchy] = dict(hierarchies or {})
        self._histograms: dict[str, Histogram] = {}
        self._pairs: dict[str, Combinations] = {}
        self._derived: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` returns, made on the first call under that name: for aggregates that no parameter changes."""
        if name not in self._derived:
            self._derived[name] = make()
        made: T = self._derived[name]
        return made

    @cached_property
    def _matching(self) -> Matching | Pairing | str:
        """Records matched one to one, or why they are not."""
        if self.original is None:
            return "it needs the original table, which is not given"
        try:
            if isinstance(self.original, Table) and isinstance(self.anonymized, Table):
                return match_records(self.original, self.anonymized, self.roles.key)
            return cast(EngineTable, self.anonymized).beside(self.original, self.roles.key)
        except InputError as error:
            return str(error).rstrip(".")

    @cached_property
    def relation(self) -> Relation:
        """What answers questions about records."""
        matching = self._matching
        if isinstance(self.anonymized, Table):
            return MemoryRelation(self.anonymized, matching if isinstance(matching, Matching) else None)
        pairing = None if isinstance(matching, str | Matching) else matching
        return cast(EngineTable, self.anonymized).relation(pairing)

    @cached_property
    def original_relation(self) -> Relation:
        """What answers questions about the original's records, all of them; raises Unavailable without an original."""
        if self.original is None:
            raise Unavailable("it needs the original table, which is not given")
        if isinstance(self.original, Table):
            return MemoryRelation(self.original)
        return cast(EngineTable, self.original).relation()

    @cached_property
    def original_classes(self) -> EquivalenceClasses:
        """The original's equivalence classes by the same quasi-identifiers; raises Unavailable without an original."""
        return equivalence_classes(self.original_relation, self.roles.quasi_identifiers)

    @property
    def deleted(self) -> int:
        """Original records that have no anonymized counterpart; the metrics of the pair take them as suppressed."""
        return 0 if isinstance(self._matching, str) else self._matching.deleted

    def need_matching(self) -> Matching:
        """The original's records beside the anonymized ones; raises Unavailable where they are not matched."""
        if isinstance(self._matching, str):
            raise Unavailable(self._matching)
        if not isinstance(self._matching, Matching):
            raise Unavailable(_ELSEWHERE)
        return self._matching

    def need_records(self) -> Table:
        """The anonymized table with its records; raises Unavailable where an engine holds them."""
        if not isinstance(self.anonymized, Table):
            raise Unavailable(_ELSEWHERE)
        return self.anonymized

    def need_original_records(self) -> Table:
        """The original table with its records; raises Unavailable without one, or where an engine holds them."""
        if self.original is None:
            raise Unavailable("it needs the original table, which is not given")
        if not isinstance(self.original, Table):
            raise Unavailable(_ELSEWHERE)
        return self.original

    @property
    def unmatched(self) -> str | None:
        """Why metrics of the pair are unavailable, or None if they are not."""
        return self._matching if isinstance(self._matching, str) else None

    @cached_property
    def classes(self) -> EquivalenceClasses:
        """The equivalence classes of the anonymized table."""
        return equivalence_classes(self.relation, self.roles.quasi_identifiers)

    def class_of_record(self) -> Integers:
        """For each anonymized record the class it is in, -1 where it is suppressed; in memory only."""
        if not isinstance(self.relation, MemoryRelation):
            raise Unavailable(_ELSEWHERE)
        members = self.relation.members(self.roles.quasi_identifiers).astype(np.int64)
        position = self.classes.suppressed_position
        if position is None:
            return members
        numbers = np.arange(self.classes.count + 1)
        numbers[position] = -1
        numbers[position + 1 :] -= 1
        return numbers[members]

    def need_classes(self) -> EquivalenceClasses:
        """The classes, of which there is at least one; raises Unavailable if there is none."""
        if not self.classes.count:
            rows = self.anonymized.rows
            raise Unavailable("every record is suppressed" if rows else "the table has no records")
        return self.classes

    def histogram(self, column: str) -> Histogram:
        """An attribute's values within each class."""
        if column not in self._histograms:
            self._histograms[column] = histogram(self.relation, self.classes, column)
        return self._histograms[column]

    def refined_histogram(self, column: str) -> RefinedHistogram:
        """An attribute's values within each class refined by all other sensitive attributes."""
        others = [other for other in self.roles.sensitive if other != column]
        return self.once(
            f"refined {column}", lambda: refined_histogram(self.relation, self.need_classes(), others, column)
        )

    def sensitive(self, *, refined: bool = False) -> dict[str, Histogram]:
        """Histograms of all sensitive attributes; raises Unavailable without one or without a class.

        `refined` asks for each within classes refined by the others, where there are several.
        """
        columns = self.roles.sensitive
        if not columns:
            raise Unavailable("no column is tagged sensitive")
        self.need_classes()
        if refined and len(columns) > 1:
            return {column: self.refined_histogram(column) for column in columns}
        return {column: self.histogram(column) for column in columns}

    @cached_property
    def class_weights(self) -> Floats | None:
        """Sum of the survey weights of each class's records; None where no column is tagged as weight.

        Raises Unavailable where a weight is no number above 0.
        """
        if self.roles.weight is None:
            return None
        weights = self.histogram(self.roles.weight)
        if weights.numbers is None or not (weights.numbers[weights.totals > 0] > 0).all():
            raise Unavailable(f'"{self.roles.weight}" holds weights that are no numbers above 0')
        if not self.classes.count:
            return np.zeros(0)
        sums: Floats = np.add.reduceat(weights.numbers[weights.code] * weights.count, weights.starts)
        return sums

    def pair(self, column: str) -> Combinations:
        """(original, anonymized) values of a column over matched records; raises Unavailable if there are none."""
        if self.unmatched is not None:
            raise Unavailable(self.unmatched)
        if column not in self._pairs:
            self._pairs[column] = self.relation.count_pair(column)
        return self._pairs[column]

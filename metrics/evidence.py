"""What metrics are computed from: classes, histograms and pair counts of one candidate, made when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from metrics.class_sizes import ClassSizes, added_up
from metrics.classes import (
    Distribution,
    EquivalenceClasses,
    Histogram,
    RefinedHistogram,
    equivalence_classes,
    histogram,
    refined_histogram,
)
from metrics.counts import Combinations, EngineTable, Matching, MemoryRelation, Pairing, Relation
from metrics.errors import InputError
from metrics.hierarchy import Hierarchies, Hierarchy
from metrics.matching_records import describe, matching_of
from metrics.matching_rule import Tally
from metrics.roles import Roles
from metrics.rollup import CountedRelation
from metrics.specification import Unavailable
from metrics.table import SUPPRESSED, Described, Floats, Integers, Table

T = TypeVar("T")

MOST_CLASSES = 2**20
"""Classes of a table in an engine that are held at once; of more, some are looked at at a time."""
_CELLS_PER_CLASS = 16
"""Cells of a histogram that are held at once, for each class that is."""
_NO_ORIGINAL = "it needs the original table, which is not given"
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
        matching: Matching | None = None,
        most_classes: int = MOST_CLASSES,
    ) -> None:
        """Tables are both in memory or both in an engine; `matching` is given where their records are matched already.

        `most_classes` of a table in an engine are held at once. Raises InputError where tables are in different places,
        or roles do not fit a table.
        """
        roles.check(anonymized, original, population)
        if original is not None and isinstance(original, Table) is not isinstance(anonymized, Table):
            raise InputError(
                "one of the two tables is in memory and the other in an engine",
                remedy="give both in the same way",
                file=original.name,
            )
        naming = (*roles.identifiers, *roles.matching.key)
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
        self._given = matching
        self.most_classes = most_classes

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` returns, made on the first call under that name: for aggregates that no parameter changes."""
        if name not in self._derived:
            self._derived[name] = make()
        made: T = self._derived[name]
        return made

    @cached_property
    def _matching(self) -> Matching | Pairing | InputError | None:
        """Records matched one to one, or why they are not; None without an original."""
        if self._given is not None or self.original is None:
            return self._given
        if isinstance(self.original, Table) and isinstance(self.anonymized, Table):
            found = describe(self.original, self.anonymized, self.roles.matching)
            return found.refusal or matching_of(self.original, self.anonymized, found)
        try:
            return cast(EngineTable, self.anonymized).beside(self.original, self.roles.matching)
        except InputError as error:
            # Its traceback would keep every table alive that is at hand there.
            return error.with_traceback(None)

    @property
    def tally(self) -> Tally | None:
        """How many records are compared with the original's, and how many are not; None where none are."""
        matching = self._matching
        if matching is None or isinstance(matching, InputError):
            return None
        return matching.tally if isinstance(matching, Matching) else Tally(self.anonymized.rows, matching.deleted)

    @property
    def compared(self) -> Evidence:
        """What measures of loss rest on: the records that are compared with the original's, and no others.

        It is this evidence itself unless the roles leave records out of the comparison.
        """
        return self if self._part is None else self._part

    @cached_property
    def _part(self) -> Evidence | None:
        matching = self._matching
        if self._given is not None or not isinstance(matching, Matching) or not matching.tally.partial:
            return None
        tables = (matching.anonymized, self.roles, matching.original)
        return Evidence(*tables, self.hierarchies, self.population, matching)

    @property
    def positions(self) -> Integers | None:
        """Where the records stand in the whole table, if these are `compared` ones of it; None where they are all."""
        return None if self._given is None else self._given.positions

    @cached_property
    def relation(self) -> Relation:
        """What answers questions about records."""
        matching = self._matching
        if isinstance(self.anonymized, Table):
            return MemoryRelation(self.anonymized, matching if isinstance(matching, Matching) else None)
        pairing = None if isinstance(matching, InputError | Matching) else matching
        return cast(EngineTable, self.anonymized).relation(pairing)

    @cached_property
    def original_relation(self) -> Relation:
        """What answers questions about the original's records, all of them; raises Unavailable without an original."""
        if self.original is None:
            raise Unavailable(_NO_ORIGINAL)
        if isinstance(self.original, Table):
            return MemoryRelation(self.original)
        return cast(EngineTable, self.original).relation()

    @cached_property
    def original_combinations(self) -> Combinations:
        """The original's combinations of the quasi-identifiers.

        Raises Unavailable without an original, or where an engine has more of them than are held at once.
        """
        relation = self.original_relation
        self.need_few(self.original, self.roles.quasi_identifiers)
        return relation.count(self.roles.quasi_identifiers)

    @cached_property
    def original_classes(self) -> EquivalenceClasses:
        """The original's equivalence classes by the same quasi-identifiers.

        Raises Unavailable without an original, or where an engine has more of them than are held at once.
        """
        relation = self.original_relation
        self.need_few(self.original, self.roles.quasi_identifiers)
        return equivalence_classes(relation, self.roles.quasi_identifiers)

    @cached_property
    def original_class_sizes(self) -> ClassSizes:
        """How many of the original's classes there are of each size; raises Unavailable without an original."""
        if self.original is None or isinstance(self.original, Table):
            return self.original_classes.by_size
        return sizes_by_parts(cast(EngineTable, self.original), self.roles.quasi_identifiers, self.most_classes)

    def need_few(self, table: Described | None, columns: Sequence[str]) -> None:
        """Raises Unavailable where an engine's table has more combinations of columns than are held at once."""
        if table is None or isinstance(table, Table) or table.rows <= self.most_classes:
            return
        number = cast(EngineTable, table).numbers([columns])[0]
        if number > self.most_classes:
            raise Unavailable(
                f"it compares all combinations of values with each other, and {table.name} has about {number:,} of "
                f"them; at most {self.most_classes:,} are held at once"
            )

    @property
    def deleted(self) -> int:
        """Original records that have no anonymized counterpart; the metrics of the pair take them as suppressed."""
        return 0 if self.tally is None else self.tally.deleted

    def need_matching(self) -> Matching:
        """The original's records beside the anonymized ones; raises Unavailable where they are not matched."""
        if self.unmatched is not None:
            raise Unavailable(self.unmatched)
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
            raise Unavailable(_NO_ORIGINAL)
        if not isinstance(self.original, Table):
            raise Unavailable(_ELSEWHERE)
        return self.original

    @property
    def refusal(self) -> InputError | None:
        """Why records cannot be matched with the original's; None where they can, or there is no original."""
        return self._matching if isinstance(self._matching, InputError) else None

    @property
    def unmatched(self) -> str | None:
        """Why metrics of the pair are unavailable, or None if they are not."""
        if self.original is None:
            return _NO_ORIGINAL
        return None if self.refusal is None else str(self.refusal).rstrip(".")

    @cached_property
    def divided(self) -> bool:
        """Whether an engine has more classes, or cells in them, than are held at once: then their parts are."""
        most, groups = self.most_classes, self.roles.quasi_identifiers
        if isinstance(self.anonymized, Table) or self.anonymized.rows <= most:
            return False
        within = [(*groups, name) for name in self.roles.sensitive]
        classes, *cells = cast(EngineTable, self.anonymized).numbers([groups, *within])
        return classes > most or max(cells, default=0) > _CELLS_PER_CLASS * most

    @cached_property
    def classes(self) -> EquivalenceClasses:
        """The equivalence classes of the anonymized table; raises Unavailable where there are too many to hold."""
        if self.divided:
            raise Unavailable(
                "it compares all equivalence classes with each other, and there are more than the "
                f"{self.most_classes:,} that are held at once"
            )
        return equivalence_classes(self.relation, self.roles.quasi_identifiers)

    @property
    def whole(self) -> Evidence:
        """The evidence of all classes: this, unless it looks at some of them only."""
        return self

    @cached_property
    def class_sizes(self) -> ClassSizes:
        """How many classes there are of each size."""
        if self.divided:
            table = cast(EngineTable, self.anonymized)
            return sizes_by_parts(table, self.roles.quasi_identifiers, self.most_classes)
        return self.classes.by_size

    def need_class_sizes(self) -> ClassSizes:
        """The sizes of the classes, of which there is at least one; raises Unavailable if there is none."""
        if not self.class_sizes.count:
            rows = self.anonymized.rows
            raise Unavailable("every record is suppressed" if rows else "the table has no records")
        return self.class_sizes

    def distribution(self, column: str) -> Distribution:
        """A column's values over all records in classes."""
        return self.once(f"distribution {column}", lambda: self._distribution(column))

    def _distribution(self, name: str) -> Distribution:
        if self.divided:
            table = cast(EngineTable, self.anonymized)
            totals = _by_value(self.relation.count([name]))
            stars = {of: table[of].code_of.get(SUPPRESSED, -1) for of in self.roles.quasi_identifiers}
            if -1 not in stars.values():
                suppressed = table.holding({of: np.array([code]) for of, code in stars.items()})
                totals -= _by_value(suppressed.relation().count([name]))
            return Distribution(table[name], totals)
        if name in self.roles.quasi_identifiers:
            return self.classes.distribution(name)
        of = self.histogram(name)
        return Distribution(of.column, of.totals)

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
        self.need_class_sizes()
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
        numbers = _weight_of_value(weights)
        if not self.classes.count:
            return np.zeros(0)
        sums: Floats = np.add.reduceat(numbers[weights.code] * weights.count, weights.starts)
        return sums

    @cached_property
    def total_weight(self) -> float | None:
        """Sum of the survey weights of all records in classes; None where no column is tagged as weight.

        Raises Unavailable where a weight is no number above 0.
        """
        if self.roles.weight is None:
            return None
        weights = self.distribution(self.roles.weight)
        return float(np.nansum(_weight_of_value(weights) * weights.totals))

    def pair(self, column: str) -> Combinations:
        """(original, anonymized) values of a column over matched records; raises Unavailable if there are none."""
        if self.unmatched is not None:
            raise Unavailable(self.unmatched)
        if column not in self._pairs:
            self._pairs[column] = self.relation.count_pair(column)
        return self._pairs[column]


def _by_value(counted: Combinations) -> Integers:
    """Records of each value of one column."""
    totals = np.zeros(counted.columns[0].distinct, dtype=np.int64)
    totals[counted.codes[0]] = counted.counts
    return totals


def sizes_by_parts(table: EngineTable, quasi_identifiers: Sequence[str], most: int) -> ClassSizes:
    """How many classes of a table in an engine there are of each size, about `most` classes counted at a time."""
    with table.parts(quasi_identifiers, (), most) as parts:
        return added_up(equivalence_classes(CountedRelation(part), quasi_identifiers).by_size for part in parts)


def _weight_of_value(weights: Histogram | Distribution) -> Floats:
    """The weight that each value is, NaN where no class holds it. Raises Unavailable where one is no number above 0."""
    if weights.numbers is None or not (weights.numbers[weights.totals > 0] > 0).all():
        raise Unavailable(f'"{weights.column.name}" holds weights that are no numbers above 0')
    return weights.numbers

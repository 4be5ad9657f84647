"""Tables in an engine with so many equivalence classes that some are looked at at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, cast

import numpy as np

from metrics.classes import Distribution, Histogram, RefinedHistogram, histogram, refined_histogram
from metrics.counts import Combinations, EngineTable, Matching, Pairing, Parts, Relation
from metrics.errors import InputError
from metrics.evidence import Evidence
from metrics.rollup import CountedRelation, begins
from metrics.table import Integers


@contextmanager
def parts_of(evidence: Evidence) -> Iterator[PartsOfClasses]:
    """The classes of a table in an engine, some at a time, in their canonical order.

    Meanwhile the engine holds their counts, where it can.
    """
    roles = evidence.roles
    others = (*roles.sensitive, *(() if roles.weight is None else (roles.weight,)))
    with cast(EngineTable, evidence.anonymized).parts(roles.quasi_identifiers, others, evidence.most_classes) as parts:
        yield PartsOfClasses(evidence, parts)


class PartsOfClasses:
    """Evidence of some classes after the other."""

    def __init__(self, whole: Evidence, parts: Parts) -> None:
        self._whole = whole
        self._parts = parts

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[PartEvidence]:
        return (PartEvidence(self._whole, counted) for counted in self._parts)


class PartEvidence(Evidence):
    """Aggregates of some of the classes of a whole, judged against all its records; columns are those of the whole."""

    def __init__(self, whole: Evidence, counted: Combinations) -> None:
        """`counted` are the quasi-identifiers, then the sensitive columns and weights, of these classes' records."""
        self._whole = whole
        self._combinations = counted
        # The tables were checked when the whole was made.
        self.anonymized, self.original, self.population = whole.anonymized, whole.original, whole.population
        self.roles, self.hierarchies, self.most_classes = whole.roles, whole.hierarchies, whole.most_classes
        self._histograms: dict[str, Histogram] = {}
        self._pairs: dict[str, Combinations] = {}
        self._derived: dict[str, Any] = {}
        self._given = None

    @property
    def whole(self) -> Evidence:
        """The evidence of all classes."""
        return self._whole

    @cached_property
    def divided(self) -> bool:
        """No: these classes are held at once."""
        return False

    @cached_property
    def relation(self) -> Relation:
        """What answers questions about the records of these classes."""
        return CountedRelation(self._combinations)

    @cached_property
    def _matching(self) -> Matching | Pairing | InputError | None:
        return self._whole._matching

    def distribution(self, column: str) -> Distribution:
        """A column's values over all records in classes of the whole."""
        return self._whole.distribution(column)

    def histogram(self, column: str) -> Histogram:
        """An attribute's values within each of these classes."""
        if column not in self._histograms:
            whole = self._whole.distribution(column)
            self._histograms[column] = histogram(self.relation, self.classes, column, whole)
        return self._histograms[column]

    def refined_histogram(self, column: str) -> RefinedHistogram:
        """An attribute's values within each of these classes refined by all other sensitive attributes."""
        others = [other for other in self.roles.sensitive if other != column]
        whole = self._whole.distribution(column)
        return self.once(
            f"refined {column}", lambda: refined_histogram(self.relation, self.need_classes(), others, column, whole)
        )

    def pair(self, column: str) -> Combinations:
        """(original, anonymized) values of a column over all matched records."""
        return self._whole.pair(column)

    def records_of(self, classes: Integers) -> tuple[Combinations, Integers]:
        """The counted combinations of some of the classes, and for each its place among these, which ascend."""
        counted = self._combinations
        number = np.cumsum(begins(counted.codes[: len(self.classes.columns)], len(counted.counts))) - 1
        suppressed = self.classes.suppressed_position
        place = np.full(self.classes.count + (suppressed is not None), -1, dtype=np.int64)
        place[classes if suppressed is None else classes + (classes >= suppressed)] = np.arange(len(classes))
        chosen = place[number]
        kept = chosen >= 0
        codes = tuple(code[kept] for code in counted.codes)
        return Combinations(counted.columns, codes, counted.counts[kept]), chosen[kept]

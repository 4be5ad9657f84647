"""The original beside the anonymized table: which records belong together, and the counts of their pairs."""

from __future__ import annotations

from functools import cached_property, partial
from typing import cast

from metrics.aggregates.memo import Memo
from metrics.config.roles import Roles
from metrics.counting.classes import ClassSizes, EquivalenceClasses, equivalence_classes
from metrics.counting.counts import Combinations, EngineTable, Matching, MemoryRelation, Pairing, Relation
from metrics.counting.partitions import class_sizes_by_partition, require_few_combinations
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.labels import Evidence
from metrics.matching.order import SAME_RECORDS, are_displaced, are_unrelated, reordered
from metrics.matching.records import describe, matching_of
from metrics.tables.matching_rule import Tally
from metrics.tables.table import Described, Table
from metrics.texts import text

NO_ORIGINAL = text("unavailable.no_original")


class Comparison:
    """Both tables are in memory or both in an engine; without an original there is nothing to compare."""

    def __init__(
        self,
        anonymized: Described,
        original: Described | None,
        roles: Roles,
        max_classes: int,
        matching: Matching | None = None,
    ) -> None:
        """`matching` is given where the records are matched already."""
        self._anonymized = anonymized
        self._original = original
        self._roles = roles
        self._max_classes = max_classes
        self._given = matching
        self._memo = Memo()

    @cached_property
    def _matching_or_refusal(self) -> Matching | Pairing | InputError | None:
        if self._given is not None or self._original is None:
            return self._given
        matched: Matching | Pairing
        by_position = not self._roles.matching.key and getattr(self._anonymized, "positions", None) is None
        if isinstance(self._original, Table) and isinstance(self._anonymized, Table):
            description = describe(self._original, self._anonymized, self._roles.matching)
            if description.refusal is not None:
                return description.refusal
            if by_position and are_displaced(self._original, self._anonymized, self._described):
                return reordered(self._original, self._anonymized, SAME_RECORDS)
            matched = matching_of(self._original, self._anonymized, description)
        else:
            try:
                matched = cast(EngineTable, self._anonymized).match(self._original, self._roles.matching)
            except InputError as error:
                # Its traceback would keep alive every table that is in scope there.
                return error.with_traceback(None)
        if by_position and self._is_reordered(matched):
            return reordered(self._original, self._anonymized)
        return matched

    def _is_reordered(self, matched: Matching | Pairing) -> bool:
        """Whether records matched by position agree in most columns no more than by chance."""
        names = self._described
        pairs = (self._memo(name, partial(matched.count_pair, name)) for name in names)
        return are_unrelated(pairs, len(names))

    @property
    def _described(self) -> list[str]:
        """The columns of both tables that describe people."""
        names = (*self._roles.sensitive, *self._roles.quasi_identifiers)
        return [name for name in names if name in cast(Described, self._original)]

    @property
    def matching(self) -> Matching | Pairing | None:
        """Records matched one to one; None where they are not, or there is no original."""
        return None if isinstance(self._matching_or_refusal, InputError) else self._matching_or_refusal

    @property
    def refusal(self) -> InputError | None:
        """Why records cannot be matched with the original's; None where they can, or there is no original."""
        return self._matching_or_refusal if isinstance(self._matching_or_refusal, InputError) else None

    @property
    def unmatched(self) -> str | None:
        """Why metrics of the pair are unavailable; None if they are not."""
        if self._original is None:
            return NO_ORIGINAL
        found = self._matching_or_refusal
        return str(found).rstrip(".") if isinstance(found, InputError) else None

    @property
    def tally(self) -> Tally | None:
        """How many records are compared with the original's, and how many are not; None where none are."""
        if self.matching is None:
            return None
        if isinstance(self.matching, Matching):
            return self.matching.tally
        return Tally(self._anonymized.rows, self.matching.deleted)

    @property
    def deleted(self) -> int:
        """Original records without an anonymized counterpart; metrics of the pair take them as suppressed."""
        return 0 if self.tally is None else self.tally.deleted

    @property
    def removed(self) -> int | None:
        """Original records that are not in the anonymized table, not even suppressed; None without an original.

        Where records are matched, those without a counterpart; else by how many the anonymized table has fewer.
        """
        if self._original is None:
            return None
        return max(self._original.rows - self._anonymized.rows, 0) if self.tally is None else self.tally.deleted

    def pair(self, column: str) -> Combinations:
        """(original, anonymized) values of a column over matched records. Raises Unavailable where none are."""
        if self.matching is None:
            raise Unavailable(self.unmatched)
        return self._memo(column, partial(self.matching.count_pair, column))

    def evidence(self, column: str) -> Evidence:
        """What is known of the values that became a column's labels: matched records tell most, the original some."""
        if self._original is None or column not in self._original:
            return Evidence()
        return Evidence(self._original[column], None if self.unmatched is not None else self.pair(column))

    @cached_property
    def original_relation(self) -> Relation:
        """Relation that answers questions about all records of the original. Raises Unavailable without one."""
        if self._original is None:
            raise Unavailable(NO_ORIGINAL)
        return (
            MemoryRelation(self._original) if isinstance(self._original, Table) else cast(EngineTable, self._original)
        )

    @cached_property
    def original_combinations(self) -> Combinations:
        """The original's combinations of the quasi-identifiers. Raises Unavailable without one, or with too many."""
        return self._few_combinations().count(self._roles.quasi_identifiers)

    @cached_property
    def original_classes(self) -> EquivalenceClasses:
        """The original's classes by the same quasi-identifiers. Raises Unavailable without one, or with too many."""
        return equivalence_classes(self._few_combinations(), self._roles.quasi_identifiers)

    @cached_property
    def original_class_sizes(self) -> ClassSizes:
        """How many of the original's classes there are of each size. Raises Unavailable without an original."""
        if self._original is None or isinstance(self._original, Table):
            return self.original_classes.by_size
        return class_sizes_by_partition(
            cast(EngineTable, self._original), self._roles.quasi_identifiers, self._max_classes
        )

    def _few_combinations(self) -> Relation:
        relation = self.original_relation
        require_few_combinations(self._original, self._roles.quasi_identifiers, self._max_classes)
        return relation

"""Mondrian: records divided into small groups, each generalized no further than the group needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrics.candidates.generalization.levels import column_levels
from metrics.candidates.methods.dimensions import Dimension, along, numbers_in_order, values_in_order
from metrics.candidates.methods.method import CandidateMethod, parameter, with_columns, with_suppressed_cells
from metrics.candidates.methods.partitioning import PartitionRequirements, divide
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.matching.released_values import holds_numbers
from metrics.tables.table import Column, Flags, Integers, Table


@dataclass(frozen=True)
class Mondrian(CandidateMethod):
    """Multidimensional generalization.

    The records are divided again and again in the column in which a part is widest, as a share of the whole column
    times the column's weight, as long as every part keeps k records and l values of each sensitive attribute. What is
    left is released under labels that cover it. A column of numbers is cut where the halves are most alike in size, and
    becomes intervals; a column with a hierarchy is divided into the nodes below the lowest that holds the part, of
    which those that are too small stay together, and becomes labels of the hierarchy; any other column is cut in its
    order of reading, and becomes sets, or `*` where they would be long.

    A relaxed cut halves a part even through equal values, drawn by the seed; intervals then overlap. Strict division
    draws nothing at random. Records that the highest levels allowed leave in groups of fewer than k are suppressed.

    LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity. ICDE 2006, https://doi.org/10.1109/ICDE.2006.101
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[str] = "Mondrian"
    about: ClassVar[str] = (
        "Records are divided into groups of at least k, and each group is generalized only as far as necessary."
    )
    generalizes: ClassVar[bool] = True

    k: int = parameter(5, "k", "Minimum number of records per group.", 1)
    l: int = parameter(1, "l", "Minimum number of values of every sensitive attribute per group.", 1)  # noqa: E741
    relaxed: bool = parameter(
        False,
        "Relaxed",
        "Allow records with equal values in different groups (relaxed Mondrian): smaller groups, but overlapping "
        "intervals.",
    )
    free_intervals: bool = parameter(
        False,
        "Free intervals",
        "Replace numbers with intervals fitted to the group, even if they have a hierarchy. How much information is "
        "kept is then not known, because it is measured by the hierarchy's own labels.",
    )

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with generalized quasi-identifiers. Raises InputError where the whole table misses k or l."""
        roles.check(original)
        sensitive = [original[name] for name in roles.sensitive] if self.l > 1 else []
        _require(original, sensitive, self.k, self.l)
        by_name = hierarchies or {}
        dimensions = [
            self.dimension(original, name, by_name.get(name), roles.highest_levels.get(name))
            for name in roles.quasi_identifiers
        ]
        records = np.random.default_rng(seed).permutation(original.rows) if self.relaxed else np.arange(original.rows)
        demand = PartitionRequirements(self.k, self.l, tuple(column.codes for column in sensitive))
        records, starts, lost = _kept_apart(dimensions, records, demand)
        if not len(records):
            raise InputError(
                "no group that the highest levels keep apart has k records and l values",
                remedy="allow higher levels, or choose a smaller k or l",
                file=original.name,
            )
        weights = roles.relative_weights(roles.quasi_identifiers)
        partitions = divide(dimensions, records, starts, demand, strict=not self.relaxed, weights=weights)
        of_record = np.zeros(original.rows, dtype=np.int64)
        of_record[: len(partitions.of_record)] = partitions.of_record
        released = [
            with_suppressed_cells(dimension.released(low, high, of_record), lost)
            for dimension, low, high in zip(dimensions, partitions.low, partitions.high, strict=True)
        ]
        return with_columns(original, {column.name: column for column in released})

    def dimension(
        self, original: Table, name: str, hierarchy: Hierarchy | None, highest: int | None = None
    ) -> Dimension:
        """A quasi-identifier as it is divided. Raises InputError where its hierarchy misses values or the level."""
        column: Column = original[name]
        numeric = holds_numbers(column)
        if hierarchy is not None and not (numeric and self.free_intervals):
            return along(column_levels(column, hierarchy, original.name, highest))
        ordered = numbers_in_order(column) if numeric else values_in_order(column)
        return ordered if highest is None else replace(ordered, highest=highest)


def _kept_apart(
    dimensions: Sequence[Dimension], records: Integers, demand: PartitionRequirements
) -> tuple[Integers, Integers, Flags]:
    """Group records that the highest levels allow together: records by group, where each begins, and records lost.

    Lost are those of groups that miss the demand, which no division can help.
    """
    kept_apart = [codes for codes in (dimension.kept_apart for dimension in dimensions) if codes.any()]
    group = np.zeros(len(records), dtype=np.int64)
    if kept_apart:
        group = np.unique(np.array(kept_apart).T, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    groups = int(group.max()) + 1
    enough = np.bincount(group, minlength=groups) >= demand.k
    enough &= demand.diverse(np.arange(len(group)), group, groups)
    in_order = records[np.argsort(group[records], kind="stable")]
    in_order = in_order[enough[group[in_order]]]
    return in_order, np.flatnonzero(np.diff(group[in_order], prepend=-1)), ~enough[group]


def _require(original: Table, sensitive: list[Column], k: int, l: int) -> None:  # noqa: E741
    if original.rows < k:
        raise InputError(
            f"the table has {pluralize(original.rows, 'record')}, fewer than k",
            remedy="choose a smaller k",
            file=original.name,
        )
    if l > 1 and not sensitive:
        raise InputError("l requires a sensitive attribute", remedy="tag a column as sensitive, or set l to 1")
    for column in sensitive:
        if column.distinct < l:
            raise InputError(
                f"the column has {column.distinct:,} distinct values, fewer than l",
                remedy="choose a smaller l",
                file=original.name,
                column=column.name,
            )

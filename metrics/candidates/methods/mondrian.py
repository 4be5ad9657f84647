"""Mondrian: records divided into small groups, each generalized no further than the group needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.candidates.generalization.levels import column_levels
from metrics.candidates.methods.dimensions import Dimension, along, numbers_in_order, values_in_order
from metrics.candidates.methods.method import check_parameters, parameter, with_columns
from metrics.candidates.methods.partitioning import PartitionRequirements, divide
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.matching.released_values import holds_numbers
from metrics.tables.table import Column, Table


@dataclass(frozen=True)
class Mondrian:
    """Multidimensional generalization.

    The records are divided again and again in the column in which a part is widest, as a share of the whole column, as
    long as every part keeps k records and l values of each sensitive attribute. What is left is released under labels
    that cover it. A column of numbers is cut where the halves are most alike in size, and becomes intervals; a column
    with a hierarchy is divided into the nodes below the lowest that holds the part, of which those that are too small
    stay together, and becomes labels of the hierarchy; any other column is cut in its order of reading, and becomes
    sets, or `*` where they would be long.

    A relaxed cut halves a part even through equal values, drawn by the seed; intervals then overlap. Strict division
    draws nothing at random.

    LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity. ICDE 2006, https://doi.org/10.1109/ICDE.2006.101
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[str] = "Mondrian"
    about: ClassVar[str] = (
        "Records are divided into groups of at least k, and each group is generalized only as far as necessary."
    )
    generalizes: ClassVar[bool] = True
    draws: ClassVar[bool] = False
    needs_numbers: ClassVar[bool] = False

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

    def __post_init__(self) -> None:
        check_parameters(self)

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with generalized quasi-identifiers. Raises InputError where the whole table misses k or l."""
        roles.check(original)
        sensitive = [original[name] for name in roles.sensitive] if self.l > 1 else []
        _require(original, sensitive, self.k, self.l)
        by_name = hierarchies or {}
        dimensions = [self.dimension(original, name, by_name.get(name)) for name in roles.quasi_identifiers]
        records = np.random.default_rng(seed).permutation(original.rows) if self.relaxed else np.arange(original.rows)
        demand = PartitionRequirements(self.k, self.l, tuple(column.codes for column in sensitive))
        partitions = divide(dimensions, records, demand, strict=not self.relaxed)
        released = [
            dimension.released(low, high, partitions.of_record)
            for dimension, low, high in zip(dimensions, partitions.low, partitions.high, strict=True)
        ]
        return with_columns(original, {column.name: column for column in released})

    def dimension(self, original: Table, name: str, hierarchy: Hierarchy | None) -> Dimension:
        """A quasi-identifier as it is divided. Raises InputError where its hierarchy misses values."""
        column: Column = original[name]
        numeric = holds_numbers(column)
        if hierarchy is not None and not (numeric and self.free_intervals):
            return along(column_levels(column, hierarchy, original.name))
        return numbers_in_order(column) if numeric else values_in_order(column)


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

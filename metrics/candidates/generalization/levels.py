"""A quasi-identifier on every level of its hierarchy: what each original value becomes, and what that label covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics.config.roles import Roles
from metrics.counting.counts import Combinations
from metrics.errors import InputError
from metrics.hierarchies.covering import covering
from metrics.hierarchies.domain import coverage
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Codes, Column, Flags, Floats, Integers, Table


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """One quasi-identifier of the original, generalized to each level of its hierarchy.

    Codes number the labels of a level among those that occur. Arrays over (level, code) are as wide as level 0.
    """

    column: Column
    hierarchy: Hierarchy
    implied: bool
    """Whether the hierarchy is not the user's but implied: a value is either kept or `*`."""
    leaf: Integers
    """Per distinct original value, its row in the hierarchy."""
    leaf_code: Integers
    """Per distinct original value, its code on level 0."""
    labels: tuple[tuple[str, ...], ...]
    """Per level, the label of each code."""
    codes: npt.NDArray[np.int64]
    """Per level, the code that each code of level 0 becomes."""
    measured: Hierarchy
    """The hierarchy by which figures are computed: the level is known here, whatever else a label means."""
    measured_labels: tuple[tuple[str, ...], ...]
    """Per level, the label of each code in it."""
    highest: int
    """The highest level that a search may use."""

    @property
    def height(self) -> int:
        """The highest level."""
        return self.hierarchy.height

    @property
    def width(self) -> int:
        """Number of codes on level 0, at least those on any other."""
        return len(self.codes[0])

    @cached_property
    def star(self) -> Integers:
        """Per level, the code of the label `*`; -1 where no value becomes it."""
        return np.array([labels.index(SUPPRESSED) if SUPPRESSED in labels else -1 for labels in self.labels])

    @cached_property
    def _coverages(self) -> tuple[Floats, float, int]:
        shares = np.ones((self.height + 1, self.width))
        hidden_share, size = 1.0, 1
        for level, labels in enumerate(self.measured_labels):
            anonymized = Column.from_arrow(self.column.name, text_array([*labels, SUPPRESSED]))
            codes = np.array([anonymized.code_of[label] for label in labels], dtype=np.int64)
            values = np.arange(self.column.distinct)
            pair = Combinations(
                (self.column, anonymized),
                (values.astype(np.int32), codes[self.codes[level][self.leaf_code]].astype(np.int32)),
                np.ones(len(values), dtype=np.int64),
            )
            column_coverage = coverage(anonymized, None if self.implied else self.measured, pair)
            shares[level, : len(labels)] = column_coverage.covered[codes] / column_coverage.size
            hidden_share, size = (
                float(column_coverage.covered[anonymized.code_of[SUPPRESSED]] / column_coverage.size),
                column_coverage.size,
            )
        return shares, hidden_share, size

    @property
    def shares(self) -> Floats:
        """Per level and code, the share of the column's domain that the label covers."""
        return self._coverages[0]

    @property
    def hidden_share(self) -> float:
        """The share that `*` covers: 1, unless the hierarchy or the original uses that label otherwise."""
        return self._coverages[1]

    @property
    def domain(self) -> int:
        """Size of the column's domain."""
        return self._coverages[2]

    @cached_property
    def first_level(self) -> Integers:
        """Per level and code, the first level that holds the label, which is what a score takes as its level."""
        levels = np.repeat(np.arange(self.height + 1)[:, None], self.width, axis=1)
        for level, labels in enumerate(self.measured_labels):
            levels[level, : len(labels)] = [self.measured.level_of[label] for label in labels]
        return levels

    @cached_property
    def one_level_each(self) -> bool:
        """Whether every label stands on one level only."""
        return bool((self.first_level == np.arange(self.height + 1)[:, None]).all())

    @cached_property
    def heights(self) -> Floats:
        """Per level and code, the label's level as a share of the hierarchy's height."""
        return self.first_level / max(self.height, 1)

    @cached_property
    def partly_suppressed(self) -> bool:
        """Whether `*` stands for a part of the values only."""
        beside_star = self.measured.labels(self.measured.level_of[SUPPRESSED])
        return SUPPRESSED in beside_star and len(beside_star) > 1

    @cached_property
    def covers_once(self) -> bool:
        """Whether, on every level, the only label that could stand for a value is the one that it becomes."""
        distinct_values = replace(self.column, codes=np.arange(self.column.distinct, dtype=np.int32))
        on_levels = replace(self, column=distinct_values)
        for level in range(self.height + 1):
            released = on_levels.generalized(level)
            labels = covering(released, distinct_values, None if self.implied else self.hierarchy)
            only_labels = labels.labels[labels.starts[labels.group]] if (labels.counts == 1).all() else None
            if only_labels is None or (only_labels != released.codes).any():
                return False
        return True

    def step(self, below: int, above: int) -> Integers:
        """For each code on a level the code on a higher one; as wide as level 0."""
        parent = np.zeros(self.width, dtype=np.int64)
        parent[self.codes[below]] = self.codes[above]
        return parent

    def generalized(self, level: int, suppressed: Flags | None = None) -> Column:
        """The column on a level, the `suppressed` records as `*`."""
        blank = None if None in self.column.labels and "" not in self.column.labels else ""
        texts = [label or blank for label in self.labels[level]]
        codes: Codes = self.codes[level][self.leaf_code].astype(np.int32)[self.column.codes]
        if suppressed is not None:
            codes = np.where(suppressed, np.int32(len(texts)), codes)
            texts.append(SUPPRESSED)
        return Column.from_codes(self.column.name, codes, text_array(texts), self.column.decimal)


def column_levels(column: Column, hierarchy: Hierarchy | None, file: str, highest: int | None = None) -> ColumnLevels:
    """A column with its hierarchy; without one its values can only be kept or become `*`.

    `highest`: the highest level allowed, by default the hierarchy's. Raises InputError if it has no such level, or
    misses values of the column, which is one of `file`.
    """
    implied = hierarchy is None
    if hierarchy is None:
        values = dict.fromkeys(label or "" for label in column.labels)
        hierarchy = Hierarchy([[value, SUPPRESSED] for value in values] or [[SUPPRESSED]], name=f"{column.name}.csv")
    if highest is not None and not 0 <= highest <= hierarchy.height:
        raise InputError(
            f"the hierarchy has no level {highest}", remedy=f"choose 0 to {hierarchy.height}", column=column.name
        )
    leaf = hierarchy.leaves_of(column)
    missed = int((leaf < 0).sum())
    if missed:
        raise InputError(
            f"the hierarchy {hierarchy.name} lacks {missed:,} of the {column.distinct:,} values of the column",
            remedy="add them to the hierarchy, one row each with the value first",
            file=file,
            row=int((leaf < 0)[column.codes].argmax()) + 2,
            column=column.name,
        )
    leaves, leaf_code = np.unique(leaf, return_inverse=True)
    codes = np.empty((hierarchy.height + 1, len(leaves)), dtype=np.int64)
    nodes = []
    for level in range(hierarchy.height + 1):
        on_level, codes[level] = np.unique(hierarchy.nodes(level)[leaves], return_inverse=True)
        nodes.append(on_level)
    measured_hierarchy = hierarchy.with_distinct_labels
    labels, measured_labels = (
        tuple(tuple(tree.labels(level)[node] for node in on_level) for level, on_level in enumerate(nodes))
        for tree in (hierarchy, measured_hierarchy)
    )
    codes_of_values = leaf_code.astype(np.int64)
    return ColumnLevels(
        column,
        hierarchy,
        implied,
        leaf,
        codes_of_values,
        labels,
        codes,
        measured_hierarchy,
        measured_labels,
        hierarchy.height if highest is None else highest,
    )


def lattice_columns(original: Table, roles: Roles, hierarchies: Hierarchies | None) -> tuple[ColumnLevels, ...]:
    """Every quasi-identifier with its levels, in the order of the original's columns: the order levels are given in.

    Raises InputError if roles do not fit the original or a hierarchy misses values.
    """
    roles.check(original)
    by_name: Mapping[str, Hierarchy] = hierarchies or {}
    quasi_identifiers = set(roles.quasi_identifiers)
    return tuple(
        column_levels(column, by_name.get(column.name), original.name, roles.highest_levels.get(column.name))
        for column in original.columns
        if column.name in quasi_identifiers
    )


def levels_in_order(columns: Sequence[ColumnLevels], levels: Mapping[str, int] | Sequence[int]) -> tuple[int, ...]:
    """One level per column, from a mapping by name (columns named nowhere stay on level 0) or a sequence in order.

    Raises InputError if there are more or fewer, a column is unknown or a hierarchy has no such level.
    """
    names = [column.column.name for column in columns]
    if isinstance(levels, Mapping):
        unknown = [name for name in levels if name not in names]
        if unknown:
            raise InputError(
                "a level is given for a column that is not a quasi-identifier",
                remedy="tag it as one",
                column=unknown[0],
            )
        ordered_levels = [int(levels.get(name, 0)) for name in names]
    else:
        ordered_levels = [int(level) for level in levels]
    if len(ordered_levels) != len(columns):
        raise InputError(
            f"there are {len(ordered_levels)} levels for {len(columns)} quasi-identifiers",
            remedy="set one level for each",
        )
    for column, level in zip(columns, ordered_levels, strict=True):
        if not 0 <= level <= column.height:
            raise InputError(
                f"the hierarchy has no level {level}", remedy=f"choose 0 to {column.height}", column=column.column.name
            )
    return tuple(ordered_levels)

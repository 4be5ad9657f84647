"""Value generalization hierarchies: each leaf's labels from itself up to the root."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.errors import InputError
from metrics.tables.conventions import decimal_mark
from metrics.tables.dictionary_codes import BLANKS, text_array
from metrics.tables.table import SUPPRESSED, Column, Integers


@dataclass(frozen=True, eq=False, init=False)
class Hierarchy:
    """A checked hierarchy: `rows[i][v]` is the label of leaf i on level v; level 0 is the leaf, the last the root.

    Parameters
    ----------
    rows : iterable of sequence of str
        One per leaf, each a list of labels from leaf to root. A root `*` is added where the last level has several
        values. A blank leaf is where blank and missing cells stand; it may stay blank on the levels above it.
    name : str
        Name of its file, for messages.
    lines : sequence of int, optional
        The rows' line numbers in their file, for messages; by default from 1.

    Raises
    ------
    InputError
        If there is no row, a row is longer or shorter than the first, another label or the root is blank, or a value
        has two parents. The message names the row.
    """

    rows: tuple[tuple[str, ...], ...]
    name: str
    root_added: bool

    def __init__(
        self, rows: Iterable[Sequence[str]], *, name: str = "hierarchy", lines: Sequence[int] | None = None
    ) -> None:
        """Check and keep the rows."""
        clean_rows = [tuple(str(label).strip(BLANKS) for label in row) for row in rows]
        line_numbers = list(lines) if lines is not None else list(range(1, len(clean_rows) + 1))
        if not clean_rows or not clean_rows[0]:
            raise InputError("the hierarchy is empty", remedy="write one row per value, leaf first", file=name)
        for row, line in zip(clean_rows, line_numbers, strict=True):
            if len(row) != len(clean_rows[0]):
                raise InputError(
                    f"the row has {len(row)} levels, but the first row has {len(clean_rows[0])}",
                    remedy="give every row the same number of levels; repeat a label if a branch is shorter",
                    file=name,
                    row=line,
                )
            blank_level = _first_blank(row)
            if blank_level is not None:
                raise InputError(
                    f"level {blank_level} of the row is empty",
                    remedy="write a label there, or * for the root",
                    file=name,
                    row=line,
                )
        _check_parents(clean_rows, line_numbers, name)
        root_added = len({row[-1] for row in clean_rows}) > 1
        if root_added:
            clean_rows = [(*row, SUPPRESSED) for row in clean_rows]
        object.__setattr__(self, "rows", tuple(dict.fromkeys(clean_rows)))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "root_added", root_added)

    @property
    def height(self) -> int:
        """Level of the root: 0 for a single level."""
        return len(self.rows[0]) - 1

    @cached_property
    def decimal(self) -> str:
        """The decimal mark of its leaves."""
        return decimal_mark([text_array(self.labels(0))])

    @cached_property
    def leaf_index(self) -> dict[str, int]:
        """Row of each leaf."""
        return {row[0]: i for i, row in enumerate(self.rows)}

    @cached_property
    def _nodes(self) -> tuple[tuple[tuple[str, ...], Integers], ...]:
        levels = []
        for level in range(self.height + 1):
            index: dict[str, int] = {}
            nodes = np.array([index.setdefault(row[level], len(index)) for row in self.rows], dtype=np.int64)
            levels.append((tuple(index), nodes))
        return tuple(levels)

    def labels(self, level: int) -> tuple[str, ...]:
        """The distinct labels of a level.

        Parameters
        ----------
        level : int
            0 for the leaves, `height` for the root.

        Returns
        -------
        tuple of str
            In the rows' order.
        """
        return self._nodes[level][0]

    def nodes(self, level: int) -> Integers:
        """For each leaf, its ancestor on a level.

        Parameters
        ----------
        level : int
            0 for the leaves, `height` for the root.

        Returns
        -------
        array of int, shape (leaves,)
            Positions in `labels(level)`.
        """
        return self._nodes[level][1]

    @cached_property
    def level_of(self) -> dict[str, int]:
        """Level of each label: the first that holds it; `*` is the root where no level holds it."""
        levels: dict[str, int] = {}
        for level in range(self.height + 1):
            for label in self.labels(level):
                levels.setdefault(label, level)
        levels.setdefault(SUPPRESSED, self.height)
        return levels

    @cached_property
    def coverage(self) -> dict[str, int]:
        """Number of leaves under each label; a label that occurs on two levels covers the leaves of both."""
        n_leaves: dict[str, int] = {}
        for row in self.rows:
            for label in set(row):
                n_leaves[label] = n_leaves.get(label, 0) + 1
        n_leaves.setdefault(SUPPRESSED, len(self.rows))
        return n_leaves

    @cached_property
    def leaves_under(self) -> dict[str, Integers]:
        """The leaves under each label, on all levels where it occurs."""
        leaves_by_label: dict[str, list[int]] = {}
        for leaf, row in enumerate(self.rows):
            for label in set(row):
                leaves_by_label.setdefault(label, []).append(leaf)
        return {label: np.array(leaves) for label, leaves in leaves_by_label.items()}

    @cached_property
    def ambiguous_labels(self) -> tuple[str, ...]:
        """Labels that occur on two levels with different leaves; the lower level is taken."""
        return tuple(dict.fromkeys(label for _, label in self._further_meanings))

    @cached_property
    def _further_meanings(self) -> tuple[tuple[int, str], ...]:
        """Levels and labels that cover other leaves there than on the first level that holds the label."""
        meanings = []
        first_meaning: dict[str, bytes] = {}
        for level in range(self.height + 1):
            nodes = self.nodes(level)
            leaves_by_node = np.split(np.argsort(nodes, kind="stable"), np.cumsum(np.bincount(nodes))[:-1])
            for label, leaves in zip(self.labels(level), leaves_by_node, strict=True):
                meaning = leaves.tobytes()
                if first_meaning.setdefault(label, meaning) != meaning:
                    meanings.append((level, label))
        return tuple(meanings)

    @cached_property
    def with_distinct_labels(self) -> Hierarchy:
        """Give each further meaning of a label its own label, in the same tree; `*` stays."""
        further_meanings = {meaning for meaning in self._further_meanings if meaning[1] != SUPPRESSED}
        if not further_meanings:
            return self
        rows = [
            [
                f"{label}\ue000{level}" if (level, label) in further_meanings else label
                for level, label in enumerate(row)
            ]
            for row in self.rows
        ]
        return Hierarchy(rows, name=self.name)

    def for_level(self, level: int) -> Hierarchy:
        """The hierarchy by which to read a table that is known to be generalized to one level.

        Parameters
        ----------
        level : int
            0 for the leaves, `height` for the root.

        Returns
        -------
        Hierarchy
            The same tree, in which no label of the level has a second meaning higher up; this one where a label of the
            level has another meaning below it.
        """
        has_lower_meaning = any(at == level and label != SUPPRESSED for at, label in self._further_meanings)
        return self if has_lower_meaning else self.with_distinct_labels

    def leaves_of(self, column: Column) -> Integers:
        """For each distinct value of a column, its leaf.

        Parameters
        ----------
        column : Column
            Of a table.

        Returns
        -------
        array of int, shape (distinct values,)
            Positions in `rows`; that of the blank leaf for a missing value, -1 if there is none.
        """
        return np.array([self.leaf_index.get(label or "", -1) for label in column.labels], dtype=np.int64)

    def levels_of(self, column: Column) -> Integers:
        """For each distinct value of a column, its level.

        Parameters
        ----------
        column : Column
            Of a table.

        Returns
        -------
        array of int, shape (distinct values,)
            0 to `height`; -1 where the hierarchy misses the value.
        """
        return np.array([self.level_of.get(label or "", -1) for label in column.labels], dtype=np.int64)

    def missing_leaves(self, column: Column) -> tuple[str | None, ...]:
        """Values of an original column that are not leaves.

        Parameters
        ----------
        column : Column
            Of the original table.

        Returns
        -------
        tuple of str or None
            None for missing cells; empty where every value is a leaf.
        """
        return tuple(label for label, leaf in zip(column.labels, self.leaves_of(column), strict=True) if leaf < 0)

    def missing_labels(self, column: Column) -> tuple[str | None, ...]:
        """Values of an anonymized column that occur on no level.

        Parameters
        ----------
        column : Column
            Of the anonymized table.

        Returns
        -------
        tuple of str or None
            None for missing cells; empty where every value occurs on a level.
        """
        return tuple(label for label, level in zip(column.labels, self.levels_of(column), strict=True) if level < 0)


Hierarchies = Mapping[str, Hierarchy]
"""Hierarchies by column, for quasi-identifiers and sensitive attributes alike."""


def _first_blank(row: Sequence[str]) -> int | None:
    """The lowest level whose label is blank and must not be."""
    for level in range(1, len(row)):
        if not row[level] and (row[level - 1] or level == len(row) - 1):
            return level
    return None


def _check_parents(rows: Sequence[tuple[str, ...]], lines: Sequence[int], name: str) -> None:
    for level in range(len(rows[0]) - 1):
        parent: dict[str, tuple[str, int]] = {}
        for row, line in zip(rows, lines, strict=True):
            expected, first_line = parent.setdefault(row[level], (row[level + 1], line))
            if expected != row[level + 1]:
                raise InputError(
                    f"a value of level {level} has a different parent than in line {first_line}",
                    remedy="give every value one parent",
                    file=name,
                    row=line,
                )

"""The quasi-identifiers as dimensions of a space that Mondrian divides: by order, or along a hierarchy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metrics.candidates.generalization.levels import ColumnLevels
from metrics.hierarchies.builders.intervals import decimal_of, format_decimal
from metrics.hierarchies.sets import set_label
from metrics.matching.released_values import plain_numbers
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Codes, Column, Floats, Integers

Bounds = tuple[Integers, Integers]
"""The lowest and highest rank of some partitions."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """A column whose values are cut at a place of their order."""

    column: Column
    rank: Codes
    """Per record the rank of its value."""
    order: Integers
    """By rank the code of the value."""
    position: Floats
    """By rank where the value lies, from 0 to 1; of a column of numbers, other values lie below."""
    label: Callable[[int, int], str]
    """Label that covers the ranks from one to another."""
    highest: int = 1
    """0 where values must stay as they are."""

    @property
    def size(self) -> int:
        """Number of ranks."""
        return len(self.order)

    @property
    def kept_apart(self) -> Codes:
        """Per record what a partition may not mix."""
        return self.rank if self.highest == 0 else np.zeros_like(self.rank)

    def widths(self, low: Integers, high: Integers) -> Floats:
        """Part of the column that partitions span."""
        widths: Floats = self.position[high] - self.position[low]
        return widths

    def released(self, low: Integers, high: Integers, partition: Integers) -> Column:
        """The column with the labels of the partitions that the records are in."""
        keys, inverse = np.unique(low * self.size + high, return_inverse=True)
        pairs = [divmod(int(key), self.size) for key in keys]
        labels = [
            self.column.labels[self.order[first]] if first == last else self.label(first, last) for first, last in pairs
        ]
        codes = inverse.astype(np.int32)[partition]
        return Column.from_codes(self.column.name, codes, text_array(labels), self.column.decimal)


def numbers_in_order(column: Column) -> Ordered:
    """A column of numbers; partitions of several become intervals, those that also hold other cells become `*`."""
    numbers = plain_numbers(column)
    others = np.isnan(numbers)
    order = np.lexsort((column.rank, np.where(others, 0.0, numbers), ~others))
    ascending = numbers[order]
    first = int(others.sum())
    known_numbers = ascending[first:]
    reach = float(known_numbers[-1] - known_numbers[0]) if len(known_numbers) else 0.0
    # Halves keep the difference of very large numbers finite.
    share = (
        np.zeros(len(known_numbers))
        if reach == 0
        else (known_numbers / 2 - known_numbers[0] / 2) / (known_numbers[-1] / 2 - known_numbers[0] / 2)
    )
    position = np.concatenate([-0.5 - np.arange(first, 0, -1) / max(first, 1), share])

    def interval(low: int, high: int) -> str:
        if low < first:
            return SUPPRESSED
        ends = [column.labels[order[rank]] or "" for rank in (low, high)]
        exact = [decimal_of(end, column.decimal) for end in ends]
        texts = [
            end if number is None else format_decimal(number, column.decimal)
            for end, number in zip(ends, exact, strict=True)
        ]
        all_integers = all(text.isdecimal() for text in texts)
        return f"{texts[0]}-{texts[1]}" if all_integers else f"[{texts[0]}, {texts[1]}]"

    return _ordered_dimension(column, order, position, interval)


def values_in_order(column: Column) -> Ordered:
    """A column of other values in the order of reading; partitions of several become sets."""
    order = column.order
    position = np.arange(len(order)) / max(len(order) - 1, 1)

    def members(low: int, high: int) -> str:
        if high - low + 1 == len(order):
            return SUPPRESSED
        return set_label([column.labels[code] for code in order[low : high + 1]]) or SUPPRESSED

    return _ordered_dimension(column, order, position, members)


def _ordered_dimension(column: Column, order: Integers, position: Floats, label: Callable[[int, int], str]) -> Ordered:
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Ordered(column, rank[column.codes], order, position, label)


@dataclass(frozen=True, eq=False)
class Tree:
    """A column whose values are divided along its hierarchy; ranks number the leaves so that a node's are adjacent."""

    levels: ColumnLevels
    rank: Codes
    """Per record the rank of its value."""
    leaf: Integers
    """By rank the code of the leaf on level 0."""
    first: Integers
    """By level and rank the first rank under the same node."""
    last: Integers

    @property
    def size(self) -> int:
        """Number of ranks."""
        return len(self.leaf)

    @property
    def kept_apart(self) -> Codes:
        """Per record what a partition may not mix: the node on the highest level allowed."""
        nodes: Codes = self.first[self.levels.highest, self.rank].astype(np.int32)
        return nodes

    def widths(self, low: Integers, high: Integers) -> Floats:
        """Share of the leaves under the lowest node that holds the partition, 0 for one leaf, 1 for all."""
        level = self.level(low, high)
        widths: Floats = (self.last[level, low] - self.first[level, low]) / max(self.size - 1, 1)
        return widths

    def level(self, low: Integers, high: Integers) -> Integers:
        """Level of the lowest node that holds both ranks."""
        levels: Integers = (self.first[:, low] != self.first[:, high]).sum(axis=0)
        return levels

    def child(self, level: Integers, rank: Codes) -> Integers:
        """The node below the level that each rank is under, named by its first rank."""
        child: Integers = self.first[level - 1, rank]
        return child

    def released(self, low: Integers, high: Integers, partition: Integers) -> Column:
        """The column with the labels of the partitions that the records are in."""
        column_levels = self.levels
        blank = None if None in column_levels.column.labels and "" not in column_levels.column.labels else ""
        level = self.level(low, high)
        keys, inverse = np.unique(level * self.size + self.first[level, low], return_inverse=True)
        pairs = [divmod(int(key), self.size) for key in keys]
        labels = [
            column_levels.labels[node_level][column_levels.codes[node_level][self.leaf[rank]]] or blank
            for node_level, rank in pairs
        ]
        codes = inverse.astype(np.int32)[partition]
        return Column.from_codes(column_levels.column.name, codes, text_array(labels), column_levels.column.decimal)


def along(levels: ColumnLevels) -> Tree:
    """A column with a hierarchy."""
    leaf = np.lexsort(levels.codes)
    positions = np.arange(len(leaf))
    first, last = np.empty_like(levels.codes), np.empty_like(levels.codes)
    for level, codes in enumerate(levels.codes):
        node = codes[leaf]
        is_start = np.concatenate([[True], node[1:] != node[:-1]])[: len(node)]
        starts = np.flatnonzero(is_start)
        number = np.cumsum(is_start) - 1
        first[level] = starts[number]
        last[level] = np.concatenate([starts[1:], [len(leaf)]])[number] - 1 if len(positions) else 0
    rank = np.empty(len(leaf), dtype=np.int32)
    rank[leaf] = positions
    return Tree(levels, rank[levels.leaf_code][levels.column.codes], leaf, first, last)


Dimension = Ordered | Tree

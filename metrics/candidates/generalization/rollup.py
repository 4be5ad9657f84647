"""Classes of any lattice node by roll-up from those of a node below it, never from the records again.

A class is an integer key made of bit fields, one per column, each holding the code of the class's label. Generalizing
a column adds (new code - old code) shifted to its field; equal keys are then merged by sorting. Where keys do not fit
into one integer they take several words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from threading import RLock

import numpy as np

from metrics.candidates.generalization.levels import ColumnLevels
from metrics.counting.counts import MemoryRelation
from metrics.interruption import checkpoint
from metrics.tables.table import Column, Flags, Integers

Node = tuple[int, ...]
"""A level per column."""

_BITS = 62
_BUDGET = 120_000_000


@dataclass(frozen=True)
class Field:
    """Position of a column's code in the key."""

    word: int
    shift: int
    mask: int


@dataclass(frozen=True, eq=False)
class Classes:
    """Distinct keys in ascending order (the last word is the most significant), and the records of each."""

    words: tuple[Integers, ...]
    counts: Integers

    def __len__(self) -> int:
        return len(self.counts)

    def codes(self, field: Field) -> Integers:
        """Each class's code in one field."""
        return (self.words[field.word] >> field.shift) & field.mask

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.counts.nbytes + sum(word.nbytes for word in self.words)


class RollUp:
    """Classes of the lattice's nodes, from those computed before as long as they are kept."""

    def __init__(
        self,
        relation: MemoryRelation,
        columns: Sequence[ColumnLevels],
        further: Sequence[Column] = (),
        *,
        budget: int = _BUDGET,
    ) -> None:
        """`further` columns are never generalized; they stand in the lowest bits. `budget`: bytes of nodes kept."""
        self.columns = tuple(columns)
        self.bottom: Node = (0,) * len(self.columns)
        combinations = relation.count(
            [*(column.name for column in further), *(column_levels.column.name for column_levels in columns)]
        )
        self.records = int(combinations.counts.sum())
        n_further = len(further)
        codes = [code.astype(np.int64) for code in combinations.codes[:n_further]]
        codes += [
            column_levels.leaf_code[code]
            for column_levels, code in zip(self.columns, combinations.codes[n_further:], strict=True)
        ]
        fields = _fields(
            [*(max(column.distinct, 1) for column in further), *(column_levels.width for column_levels in columns)]
        )
        self.fields = fields[n_further:]
        self.further_bits = sum(field.mask.bit_length() for field in fields[:n_further])
        self._words = fields[-1].word + 1
        # Counts share the integer with a key that leaves them room: one sort then orders both.
        self._count_bits = max(int(self.records).bit_length(), 1)
        used_bits = fields[-1].shift + fields[-1].mask.bit_length()
        self._packs = self._words == 1 and used_bits + self._count_bits <= _BITS + 1
        words = [np.zeros(len(combinations.counts), dtype=np.int64) for _ in range(self._words)]
        for field, code in zip(fields, codes, strict=True):
            words[field.word] |= code << field.shift
        self._tuples = tuple(words)
        self._counts = combinations.counts
        self._deltas: dict[tuple[int, int, int], Integers] = {}
        self._kept: dict[Node, Classes] = {self.bottom: self._merge(words, combinations.counts)}
        self._budget = budget
        self._held = 0
        self._bookkeeping = RLock()

    @property
    def base_words(self) -> tuple[Integers, ...]:
        """Keys of the distinct original combinations, in the order they were counted; some may be equal."""
        return self._tuples

    @property
    def base_counts(self) -> Integers:
        """Records of each distinct original combination."""
        return self._counts

    def at(self, node: Node) -> Classes:
        """The node's classes, rolled up from the kept predecessor with the fewest. Threads may ask at once."""
        checkpoint()
        with self._bookkeeping:
            start = node if node in self._kept else self._start(node)
            classes = self._kept[start]
        if start == node:
            return classes
        rolled_up = self._merge(self._generalized_keys(list(classes.words), start, node), classes.counts)
        with self._bookkeeping:
            self._kept[node] = rolled_up
            self._held += rolled_up.nbytes
            while self._held > self._budget and len(self._kept) > 1:
                # The bottom is first and is never released: every node can be rolled up from it.
                oldest = next(islice(self._kept, 1, None))
                self.forget([oldest])
        return rolled_up

    def forget(self, nodes: Sequence[Node]) -> None:
        """Release nodes from which no other will be rolled up."""
        for node in nodes:
            if node != self.bottom and node in self._kept:
                self._held -= self._kept.pop(node).nbytes

    def members(self, node: Node) -> Integers:
        """For each distinct original combination, the position of its class among the node's."""
        words = self._generalized_keys(list(self._tuples), self.bottom, node)
        order = np.argsort(words[0]) if len(words) == 1 else np.lexsort(words)
        first = np.zeros(len(order), dtype=bool)
        for word in words:
            sorted_word = word[order]
            first[1:] |= sorted_word[1:] != sorted_word[:-1]
        members = np.empty(len(order), dtype=np.int64)
        members[order] = np.cumsum(first)
        return members

    def _start(self, node: Node) -> Node:
        predecessors = [(*node[:i], level - 1, *node[i + 1 :]) for i, level in enumerate(node) if level]
        kept_predecessors = [node for node in predecessors if node in self._kept]
        if not kept_predecessors:
            kept_nodes = list(self._kept)
            is_below = (np.array(kept_nodes) <= np.array(node)).all(axis=1)
            kept_predecessors = [kept_nodes[i] for i in np.flatnonzero(is_below)]
        return min(kept_predecessors, key=lambda candidate: len(self._kept[candidate]))

    def _generalized_keys(self, words: list[Integers], start: Node, node: Node) -> list[Integers]:
        """Keys after generalizing from one node to one above it, in the old order."""
        for i, field in enumerate(self.fields):
            if start[i] != node[i]:
                word = words[field.word]
                words[field.word] = word + self._delta(i, start[i], node[i])[(word >> field.shift) & field.mask]
        return words

    def _delta(self, column: int, below: int, above: int) -> Integers:
        delta = self._deltas.get((column, below, above))
        if delta is None:
            parent = self.columns[column].step(below, above)
            delta = (parent - np.arange(len(parent))) << self.fields[column].shift
            self._deltas[column, below, above] = delta
        return delta

    def _merge(self, words: list[Integers], counts: Integers) -> Classes:
        """Merge equal keys, summing their counts."""
        if self._packs:
            packed = (words[0] << self._count_bits) | counts
            packed.sort()
            keys = packed >> self._count_bits
            starts = _starts(keys[1:] != keys[:-1])
            packed &= (1 << self._count_bits) - 1
            return Classes((keys[starts],), np.add.reduceat(packed, starts))
        order = np.lexsort(words)
        sorted_words = [word[order] for word in words]
        differs = np.logical_or.reduce([word[1:] != word[:-1] for word in sorted_words])
        starts = _starts(differs)
        return Classes(tuple(word[starts] for word in sorted_words), np.add.reduceat(counts[order], starts))


class CellRollUp(RollUp):
    """Classes divided into cells by the values of a column that is never generalized."""

    def __init__(self, relation: MemoryRelation, columns: Sequence[ColumnLevels], within: Column) -> None:
        """`within`: the column of the original whose values divide the classes."""
        super().__init__(relation, columns, (within,))
        self.within = within

    def classes_of(self, cells: Classes) -> Integers:
        """For each cell the position of its class, ascending."""
        first = np.zeros(len(cells), dtype=bool)
        for word in (cells.words[0] >> self.further_bits, *cells.words[1:]):
            first[1:] |= word[1:] != word[:-1]
        return np.cumsum(first)

    def values_of(self, cells: Classes) -> Integers:
        """For each cell the code of its value."""
        return cells.words[0] & ((1 << self.further_bits) - 1)


def _starts(differs: Flags) -> Integers:
    starts = np.flatnonzero(differs)
    return np.concatenate((np.zeros(1, dtype=np.int64), starts + 1))


def _fields(widths: Sequence[int]) -> list[Field]:
    """A field for each number of codes, from the lowest bits upwards; a new word where one is full."""
    fields: list[Field] = []
    word = shift = 0
    for width in widths:
        bits = max(int(width - 1).bit_length(), 1)
        if shift + bits > _BITS:
            word, shift = word + 1, 0
        fields.append(Field(word, shift, (1 << bits) - 1))
        shift += bits
    return fields

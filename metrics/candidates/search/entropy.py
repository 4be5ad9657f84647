"""Non-uniform entropy's loss of one column at many nodes at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.generalization.rollup import RollUp
from metrics.counting.counts import Combinations
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Flags, Floats, Integers
from metrics.utility.non_uniform_entropy.measure import column_loss


class EntropyLosses:
    """The bits that generalization and suppression take from each column.

    With every record on one level and S of them suppressed, the loss is that of generalizing all records to the level,
    and of S from there to the root. Where a label is the same on several levels, or `*` represents some values only, a
    score can split the loss otherwise; such nodes are counted as the score counts them, from the original combinations.
    A label that means something else on each level counts on the level of the node, which a score cannot know.
    """

    def __init__(self, columns: Sequence[ColumnLevels], rollup: RollUp) -> None:
        self._columns, self._rollup = columns, rollup
        self._made: dict[tuple[int, int, tuple[str, ...]], Column] = {}
        numbers = np.arange(rollup.records + 1, dtype=np.float64)
        self._bits = numbers * np.log2(np.maximum(numbers, 1))
        self.totals = [self._count(i) for i in range(len(columns))]
        """Per column: records by level and code."""
        per_level = [self._bits[totals].sum(axis=1) for totals in self.totals]
        self._generalizing = [np.maximum(of_level - of_level[0], 0.0) for of_level in per_level]
        self.largest = float(sum(max(self._bits[-1] - of_level[0], 0.0) for of_level in per_level))
        """Loss from suppressing everything, over all columns."""

    def _count(self, column: int) -> Integers:
        """Records by level and code."""
        column_levels, base = self._columns[column], self._base_codes(column)
        totals = np.zeros((column_levels.height + 1, column_levels.width), dtype=np.int64)
        for level in range(column_levels.height + 1):
            np.add.at(totals[level], column_levels.codes[level][base], self._rollup.base_counts)
        return totals

    def _base_codes(self, column: int) -> Integers:
        field = self._rollup.fields[column]
        return (self._rollup.base_words[field.word] >> field.shift) & field.mask

    def least(self, column: int, lost: Integers) -> Floats:
        """Per level, no more bits than are lost in a column when at least these records, by leaf, are suppressed."""
        column_levels = self._columns[column]
        if column_levels.partly_suppressed:
            return np.zeros(column_levels.height + 1)
        bits: Floats = self._generalizing[column]
        if not lost.any() or not column_levels.one_level_each:
            return bits
        suppressed = np.zeros_like(column_levels.codes)
        for level, codes in enumerate(column_levels.codes):
            np.add.at(suppressed[level], codes, lost)
        climbed: Floats = self._bits[lost.sum()] - self._bits[suppressed].sum(axis=1)
        return bits + np.maximum(climbed, 0.0)

    def of_column(
        self, column: int, levels: Integers, held: Integers, lost: Integers, kept: Flags, starts: Integers
    ) -> Floats:
        """Bits lost in a column at each node.

        `levels` per node and column; `held` the kept records per node and code; `lost` the suppressed ones; `kept` per
        class of all nodes, `starts` the first class of each.
        """
        column_levels, level = self._columns[column], levels[:, column]
        suppressed = self.totals[column][level] - held
        climbed = self._bits[lost] - self._bits[suppressed].sum(axis=1)
        loss: Floats = self._generalizing[column][level] + np.maximum(climbed, 0.0)
        for node in np.flatnonzero(self._needs_pairs(column_levels, level, held, suppressed)):
            end = starts[node + 1] if node + 1 < len(starts) else len(kept)
            loss[node] = self._by_pairs(column, tuple(levels[node].tolist()), kept[starts[node] : end])
        return loss

    def _needs_pairs(self, column_levels: ColumnLevels, level: Integers, kept: Integers, suppressed: Integers) -> Flags:
        if column_levels.partly_suppressed or column_levels.one_level_each:
            return np.full(len(level), column_levels.partly_suppressed)
        first = column_levels.first_level[level]
        highest_kept = np.where(kept > 0, first, -1).max(axis=1)
        highest_lost = np.where(suppressed > 0, first, -1).max(axis=1)
        needs_pairs: Flags = (highest_kept >= 0) & (highest_lost > highest_kept)
        return needs_pairs

    def _labels(self, column: int, level: int, *further: str) -> Column:
        """The labels of a level, and further ones, as a column's distinct values."""
        key = (column, level, further)
        if key not in self._made:
            column_levels = self._columns[column]
            self._made[key] = Column.from_arrow(
                column_levels.column.name, text_array([*column_levels.measured_labels[level], *further])
            )
        return self._made[key]

    def _by_pairs(self, column: int, node: tuple[int, ...], kept: Flags) -> float:
        column_levels, base = self._columns[column], self._base_codes(column)
        kept_combinations = kept[self._rollup.members(node)]
        counts = np.concatenate(
            [
                np.bincount(base, weights=self._rollup.base_counts * selected, minlength=column_levels.width).astype(
                    np.int64
                )
                for selected in (kept_combinations, ~kept_combinations)
            ]
        )
        before, after = self._labels(column, 0), self._labels(column, node[column], SUPPRESSED)
        label = np.array([after.code_of[text] for text in column_levels.measured_labels[node[column]]])[
            column_levels.codes[node[column]]
        ]
        star_codes = np.full(column_levels.width, after.code_of[SUPPRESSED])
        occurs = counts > 0
        value = np.array([before.code_of[text] for text in column_levels.measured_labels[0]])
        codes = (np.tile(value, 2)[occurs], np.concatenate([label, star_codes])[occurs])
        pair = Combinations((before, after), tuple(code.astype(np.int32) for code in codes), counts[occurs])
        return column_loss(pair, column_levels.measured).loss

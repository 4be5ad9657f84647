"""The design matrix of a regression: products from the counts of codes, without a row per record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.tables.table import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class Design:
    """An intercept and numbers, then columns of groups, each row of which is one of a few."""

    numbers: Floats
    """By point the intercept and the numbers."""
    rows: Sequence[Floats]
    """By column of groups its different rows."""
    codes: Sequence[Integers]
    """By column of groups the row of each point."""

    def __matmul__(self, parameters: Floats) -> Floats:
        """By point the sum of its row, times the parameters."""
        own, *others = np.split(parameters, self._starts)
        found: Floats = self.numbers @ own
        for rows, codes, part in zip(self.rows, self.codes, others, strict=True):
            found += (rows @ part)[codes]
        return found

    @property
    def _starts(self) -> Integers:
        widths = [self.numbers.shape[1], *(rows.shape[1] for rows in self.rows)]
        starts: Integers = np.cumsum(widths[:-1])
        return starts

    def sums(self, values: Floats) -> Floats:
        """By column the sum over all points, times the values."""
        return np.concatenate([self.numbers.T @ values, *self._of_groups(values)])

    def _of_groups(self, values: Floats) -> list[Floats]:
        return [np.bincount(codes, values, len(rows)) @ rows for rows, codes in zip(self.rows, self.codes, strict=True)]

    def products(self, weights: Floats) -> Floats:
        """By two columns the sum of their weighted products."""
        weighted = self.numbers * weights[:, np.newaxis]
        by_number = [self._of_groups(column) for column in weighted.T]
        numbers = [np.stack(of_part) for of_part in zip(*by_number, strict=True)]
        blocks = [[self.numbers.T @ weighted, *numbers]]
        for one, rows in enumerate(self.rows):
            joint = [self._joint(one, other, weights) for other in range(one, len(self.rows))]
            products = [rows.T @ found @ self.rows[other] for other, found in enumerate(joint, start=one)]
            blocks.append([*(above[one + 1].T for above in blocks), *products])
        return np.block(blocks)

    def _joint(self, one: int, other: int, weights: Floats) -> Floats:
        shape = len(self.rows[one]), len(self.rows[other])
        pair = self.codes[one] * shape[1] + self.codes[other]
        found: Floats = np.bincount(pair, weights, shape[0] * shape[1]).reshape(shape).astype(np.float64)
        return found

    def where(self, kept: Flags | Integers) -> Design:
        """Some of the points, by flags or positions."""
        return replace(self, numbers=self.numbers[kept], codes=[codes[kept] for codes in self.codes])

    def columns(self, kept: Integers, scale: Floats) -> Design:
        """Some of the columns in units of a scale; they are in ascending order, the intercept among them or not."""
        own, *others = np.split(np.isin(np.arange(len(scale)), kept), self._starts)
        of_numbers, *of_rows = np.split(scale, self._starts)
        rows = [part[:, flags] / units[flags] for part, flags, units in zip(self.rows, others, of_rows, strict=True)]
        return replace(self, numbers=self.numbers[:, own] / of_numbers[own], rows=rows)

    def dense(self) -> Floats:
        """The matrix itself."""
        return np.hstack([self.numbers, *(rows[codes] for rows, codes in zip(self.rows, self.codes, strict=True))])

"""Joint counts of some columns as a recipient estimates them, beside those of the original."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.joint_counts import joint_counts
from metrics.counting.counts import Combinations
from metrics.estimates.grouping import blocks_of
from metrics.estimates.randomized import unbiased_chances
from metrics.hierarchies.shares import Shares
from metrics.interruption import checkpoint
from metrics.tables.randomization import Randomization
from metrics.tables.table import Floats, Integers

_STEPS = 1000
"""Shares of the original are compared in steps of 0.1%."""
_DENSE = 2**20
"""Combinations of labels up to which an array of all of them is faster than one of those that occur."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells that a column's labels stand for: by label and cell, the chance of the cell.

    The last cell is outside the domain. Unknown labels have no chances, unless all are: then each stands for any value.
    """

    before: Floats
    after: Floats
    uniform: Floats
    """By cell, its share of the domain's values."""

    @property
    def number(self) -> int:
        """Cells of the domain."""
        return len(self.uniform) - 1


def cells_of(original: Shares, released: Shares, cell: Integers, by: Randomization | None = None) -> Cells:
    """What a column's labels tell of cells, given the cell of each value of the domain.

    Chances of a randomized column are those that are expected to add up to the true counts, some below 0.
    """
    size = released.domain.size
    uniform = np.bincount(cell[:size], minlength=int(cell.max()) + 2) / size
    after = _chances(released, cell, uniform)
    if by is not None:
        after = unbiased_chances(released, by, np.eye(len(uniform))[cell], np.zeros(len(uniform)))
        after = after if after.any() else np.tile(uniform, (len(after), 1))
    return Cells(_chances(original, cell, uniform), after, uniform)


def _chances(shares: Shares, cell: Integers, uniform: Floats) -> Floats:
    if shares.unknown.all():
        return np.tile(uniform, (len(shares.unknown), 1))
    return np.column_stack([shares.of_groups(cell, len(uniform) - 1), shares.outside])


def blocks(released: Shares) -> Integers:
    """The block of each value of the domain that the labels do not tell from others; one where no label is known."""
    value = np.arange(released.domain.column.distinct)
    if released.unknown.all():
        return np.zeros_like(value)
    return blocks_of(released, value, released.of_groups(value, len(value)))


def spread(counted: Combinations, chances: Sequence[Floats]) -> Floats:
    """Records by cell: those of each combination divided among cells by the chances of its labels."""
    sizes = [len(each) for each in chances]
    others = math.prod(sizes[1:])
    keys = np.ravel_multi_index(counted.codes, sizes)
    if sizes[0] * others <= _DENSE:
        records: Any = np.bincount(keys, weights=counted.counts, minlength=sizes[0] * others).reshape(sizes[0], others)
    else:
        records = scipy.sparse.csr_array((counted.counts, (keys // others, keys % others)), shape=(sizes[0], others))
    for number, each in enumerate(chances):  # one column at a time, which then is the last one
        if number:
            records = records.reshape(sizes[number], -1)
        records = (each.T @ records).T
    return np.asarray(records).reshape([each.shape[1] for each in chances])


def distance(before: Floats, after: Floats) -> float:
    """Sum of the differences between the shares of the cells, 0 to 2; 2 where no record is left.

    Counts estimated to be below 0 are taken as 0.
    """
    after = np.maximum(after, 0)
    records = after.sum()
    return float(np.abs(before / before.sum() - after / records).sum()) if records else 2.0


def mean_deviation(rows: int, marked: Integers, drawn: int) -> Floats:
    """Mean absolute deviation of the marked ones among `drawn` of `rows`, without replacement (De Moivre)."""

    def log_choose(n: Integers | int, k: Integers | int) -> Any:
        log_factorial = scipy.special.gammaln
        return log_factorial(n + 1.0) - log_factorial(k + 1.0) - log_factorial(n - k + 1.0)

    above = drawn * marked // rows + 1
    deviation = np.zeros(len(marked))
    possible = (above <= np.minimum(marked, drawn)) & (drawn - above <= rows - marked)
    k, v = marked[possible], above[possible]
    log_chance = log_choose(k, v) + log_choose(rows - k, drawn - v) - log_choose(rows, drawn)
    deviation[possible] = 2 * v * ((rows - k - drawn + v) / rows) * np.exp(log_chance)
    return deviation


class Samples:
    """The expected scores of samples of the original, whose marginals are given by the counts of their cells."""

    def __init__(self, marginals: Sequence[Integers]) -> None:
        by_rows: dict[int, list[Integers]] = {}
        for counts in marginals:
            by_rows.setdefault(int(counts.sum()), []).append(counts[counts > 0])
        self._cells = [
            (rows, *np.unique(np.concatenate(counts), return_counts=True)) for rows, counts in by_rows.items()
        ]
        self._sets = len(marginals)

    def score(self, share: float) -> float:
        """The expected score of a simple random sample of this share of the records."""
        distance = 0.0
        for rows, counts, cells in self._cells:
            checkpoint()
            drawn = max(1, int(share * rows + 0.5))
            distance += float((cells * mean_deviation(rows, counts, drawn)).sum()) / drawn
        return 500 * (2 - distance / self._sets)

    def equal_to(self, score: float) -> float:
        """The least share whose sample is expected to reach a score, in steps of 0.1%; 0 if 0.1% suffices."""
        step = bisect_left(range(1, _STEPS), score - 1e-9, key=lambda step: self.score(step / _STEPS))
        return (step + 1) / _STEPS if step else 0.0


@dataclass(frozen=True, eq=False)
class Marginals:
    """By set of columns, how far its joint counts are from the original's."""

    distances: Mapping[tuple[str, ...], float]
    uniform: Mapping[tuple[str, ...], float]
    """How far they would be if every cell were suppressed."""
    counts: Mapping[tuple[str, ...], Integers]
    """Records of the original in each of its cells."""

    @property
    def score(self) -> float:
        """The score, 0 to 1000."""
        return score(self.distances.values())

    @cached_property
    def samples(self) -> Samples:
        """Of the original, whose expected scores are compared."""
        return Samples([*self.counts.values()])

    @cached_property
    def each_equals(self) -> dict[tuple[str, ...], float]:
        """By set of columns the share of the sample that it equals by itself."""
        return {
            names: Samples([self.counts[names]]).equal_to(score([apart])) for names, apart in self.distances.items()
        }

    @cached_property
    def equals_sample(self) -> float:
        """Least share of the original's records whose sample has this score, in steps of 0.1%; 0 for less."""
        return self.samples.equal_to(self.score)


def score(distances: Iterable[float]) -> float:
    """SDNist's score of the distances of some sets of columns."""
    each = list(distances)
    return 500 * (2 - math.fsum(each) / len(each))


def marginals(
    aggregates: Aggregates, columns: Mapping[str, Cells], sets: Iterable[tuple[str, ...]]
) -> Marginals | None:
    """The sets of columns for which the original has a record without unknown cells; None without any."""
    distances, uniform, counts = {}, {}, {}
    for names in sets:
        cells = [columns[name] for name in names]
        before = spread(joint_counts(aggregates, names, original=True), [each.before for each in cells])
        if before.any():
            after = spread(joint_counts(aggregates, names, original=False), [each.after for each in cells])
            distances[names] = distance(before, after)
            uniform[names] = distance(before, reduce(np.multiply.outer, [each.uniform for each in cells]))
            counts[names] = np.rint(before[before > 0]).astype(np.int64)
    return Marginals(distances, uniform, counts) if distances else None

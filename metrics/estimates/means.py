"""Means and medians of a number by groups, with Welch's test of each group against all other records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.counting.share_interval import NORMAL_95
from metrics.estimates.estimate import Cell, Median, Value
from metrics.estimates.records import Records
from metrics.tables.table import Floats, Integers

_TWO: Final = 2 - 1e-9
_MIN_RECORDS: Final = 6
"""From so many records on, order statistics give an interval of the median."""


@dataclass(frozen=True, eq=False)
class _Moments:
    """By cell the sums of weights, of weighted numbers and of their squares, and the same of squared weights."""

    weight: Floats
    first: Floats
    weight2: Floats
    first2: Floats
    second2: Floats

    def at(self, cell: Cell) -> tuple[float, float, float, float]:
        """Of a cell the weight, the mean, Kish's number of records, and the variance of the mean."""
        weight, first, weight2, first2, second2 = (
            float(sums[cell]) for sums in (self.weight, self.first, self.weight2, self.first2, self.second2)
        )
        if weight <= 0 or weight2 <= 0:
            return max(weight, 0.0), 0.0, 0.0, 0.0
        mean, size = first / weight, weight**2 / weight2
        squares = max(second2 - 2 * mean * first2 + mean**2 * weight2, 0.0)
        return weight, mean, size, squares / weight**2 * size / (size - 1) if size >= _TWO else 0.0


def means(records: Records, groups: int, weighted: bool) -> dict[Cell, Value]:
    """The mean of each cell that has records; the number is the part after the groups, then the weight."""
    if not len(records.counts):
        return {}
    numbers = records.numbers(groups)
    weights = records.numbers(groups + 1) if weighted else np.ones(len(numbers))
    total = records.counts * weights
    center = float((total * numbers).sum() / total.sum())
    spread = _Spread(records, groups)
    inside, outside = _moments(spread, records.counts, numbers - center, weights)
    if any(records.grouping(part).is_unbiased for part in range(groups)):
        squares = float((records.counts * (weights * (numbers - center)) ** 2).sum())
        ends = float(numbers.min()), float(numbers.max())
        cells = {
            cell: _expected(inside, outside, cell, center, ends, squares, records.used)
            for cell in np.ndindex(*inside.weight.shape)
        }
        return {cell: value for cell, value in cells.items() if value is not None}
    constant = spread.extreme(numbers, np.minimum) == spread.extreme(numbers, np.maximum)
    found: dict[Cell, Value] = {}
    for cell in np.ndindex(*inside.weight.shape):
        if inside.weight[cell] > 1e-9:
            found[cell] = _value(inside, outside, cell, center, bool(constant[cell]))
    if records.is_unbiased:  # it has no number of a person
        return found
    for cell, median in list(_medians(spread, numbers, total, found, not weighted)):
        found[cell] = replace(found[cell], median=median)
    return found


class _Spread:
    """Sums over combinations become sums over cells: by the profiles of all columns of groups at once."""

    def __init__(self, records: Records, groups: int) -> None:
        self.shares = [records.grouping(part).shares for part in range(groups)]
        shape = [len(shares) for shares in self.shares]
        self.profile: Integers = (
            np.ravel_multi_index(records.codes[:groups], shape) if groups else np.zeros(len(records.counts), np.int64)
        )
        self._shape = shape
        self.profiles = int(np.prod(shape))

    def sums(self, values: Floats, power: int = 1) -> Floats:
        """By cell the sum of values, each times a power of its share."""
        found = np.bincount(self.profile, weights=values, minlength=self.profiles).astype(np.float64)
        found = found.reshape(self._shape)
        for shares in self.shares:  # each step takes the first axis and appends that of the groups
            found = np.tensordot(found, shares**power, axes=(0, 0))
        return found

    def extreme(self, numbers: Floats, function: np.ufunc) -> Floats:
        """By cell the smallest or largest number."""
        nothing = np.inf if function is np.minimum else -np.inf
        found: Floats = np.full(self.profiles, nothing)
        function.at(found, self.profile, numbers)
        found = found.reshape(self._shape)
        for shares in self.shares:
            columns = [function.reduce(found[column != 0], axis=0, initial=nothing) for column in shares.T]
            found = np.stack(columns, axis=-1)
        return found

    def share(self, cell: Cell) -> tuple[Integers, Floats]:
        """The combinations of profiles that may be of a cell, and how probably each is."""
        chosen, product = np.zeros(1, dtype=np.int64), np.ones(1)
        for shares, group in zip(self.shares, cell, strict=True):
            some = np.flatnonzero(shares[:, group])
            chosen = np.add.outer(chosen * len(shares), some).ravel()
            product = np.outer(product, shares[some, group]).ravel()
        return chosen, product


def _moments(spread: _Spread, counts: Floats, numbers: Floats, weights: Floats) -> tuple[_Moments, _Moments]:
    """Of each cell, and of what is not in it."""
    total, squared = counts * weights, counts * weights**2
    inside = _Moments(
        spread.sums(total),
        spread.sums(total * numbers),
        *(spread.sums(squared * numbers**power, 2) for power in range(3)),
    )
    outside = _Moments(
        total.sum() - inside.weight,
        (total * numbers).sum() - inside.first,
        *(
            (squared * numbers**power).sum() - 2 * spread.sums(squared * numbers**power) + of_cell
            for power, of_cell in enumerate((inside.weight2, inside.first2, inside.second2))
        ),
    )
    return inside, outside


def _value(inside: _Moments, outside: _Moments, cell: Cell, center: float, is_constant: bool) -> Value:
    weight, mean, size, variance = inside.at(cell)
    has_width = size >= _TWO and not is_constant
    error = float(np.sqrt(variance)) if has_width else 0.0
    half = float(scipy.special.stdtrit(size - 1, 0.975)) * error if has_width else 0.0
    estimate = center + mean
    others, mean_of_others, size_of_others, variance_of_others = outside.at(cell)
    if others <= 1e-9 * weight:
        difference, freedom, test_variance = estimate, size - 1, error**2
        can_test = size >= _TWO
    else:
        difference, test_variance = mean - mean_of_others, error**2 + variance_of_others
        can_test = min(size, size_of_others) >= _TWO
        freedom = np.inf
        if can_test and test_variance > 0:
            share = error**2 / test_variance
            freedom = 1 / (share**2 / (size - 1) + (1 - share) ** 2 / (size_of_others - 1))
    is_significant = False
    if can_test:
        is_significant = abs(difference) > scipy.special.stdtrit(min(freedom, 1e9), 0.975) * np.sqrt(test_variance)
    return Value(
        estimate, estimate - half, estimate + half, error, bool(is_significant), int(np.sign(difference)), weight
    )


def _expected(
    inside: _Moments,
    outside: _Moments,
    cell: Cell,
    center: float,
    ends: tuple[float, float],
    squares: float,
    records: int,
) -> Value | None:
    """The mean of a cell whose records are only expected, some below 0; None where they may be none in truth.

    Both sums are random, so the interval is Fieller's, with Student's quantile at Kish's number of records, as cells
    are chosen by chance; it ends at the smallest and the largest number. Numbers are centered, so that a cell with the
    mean of all other records is expected to have the sum 0.
    """
    weight, first = float(inside.weight[cell]), float(inside.first[cell])
    weight_variance = float(inside.weight2[cell]) - weight**2 / records
    covariance = float(inside.first2[cell]) - weight * first / records
    variance = float(inside.second2[cell]) - first**2 / records
    if weight <= NORMAL_95 * np.sqrt(max(weight_variance, 0.0)):
        return None
    mean = first / weight
    if ends[0] < ends[1] and not ends[0] <= center + mean <= ends[1]:
        return None
    size = weight**2 / float(inside.weight2[cell])
    quantile = float(scipy.special.stdtrit(max(size - 1, 1.0), 0.975))
    certain = weight**2 - quantile**2 * weight_variance
    middle = weight * first - quantile**2 * covariance
    half = np.sqrt(max(middle**2 - certain * (first**2 - quantile**2 * variance), 0.0))
    error = np.sqrt(max(variance - 2 * mean * covariance + mean**2 * weight_variance, 0.0)) / weight
    share = weight / float(inside.weight[cell] + outside.weight[cell])
    of_sum = (1 - share) * float(inside.second2[cell]) + share * float(outside.second2[cell])
    tested = NORMAL_95 * np.sqrt(max(of_sum - share * (1 - share) * squares, 0.0))
    bounds = [center + (middle + side * half) / certain for side in (-1, 1)] if certain > 0 else ends
    low, high = np.clip(bounds, *ends).tolist()
    return Value(center + mean, low, high, float(error), bool(abs(first) > tested), int(np.sign(first)), weight)


def _medians(
    spread: _Spread, numbers: Floats, total: Floats, cells: Iterable[Cell], with_interval: bool
) -> Iterator[tuple[Cell, Median]]:
    """The least number with half of a cell's weight, or the middle of two."""
    bounds = np.searchsorted(spread.profile, np.arange(spread.profiles + 1))
    for cell in cells:
        chosen, share = spread.share(cell)
        places = np.concatenate([np.arange(bounds[profile], bounds[profile + 1]) for profile in chosen])
        weights = total[places] * np.repeat(share, bounds[chosen + 1] - bounds[chosen])
        places = places[order := np.argsort(numbers[places], kind="stable")]
        cumulated, ordered = np.cumsum(weights[order]), numbers[places]
        half = cumulated[-1] / 2
        at = int(np.searchsorted(cumulated, half * (1 - 1e-12)))
        following = min(at + 1, len(ordered) - 1) if cumulated[at] <= half * (1 + 1e-12) else at
        low, high = None, None
        if with_interval and (share == 1).all():
            low, high = _order_statistics(ordered, cumulated)
        yield cell, Median(float(ordered[at] / 2 + ordered[following] / 2), low, high)


def _order_statistics(ordered: Floats, cumulated: Floats) -> tuple[float | None, float | None]:
    """The l-th number from either end, l the largest with P(Bin(n, 1/2) < l) at most 2.5%."""
    records = int(cumulated[-1])
    if records < _MIN_RECORDS:
        return None, None
    last = _last_rank(records)
    low, high = np.searchsorted(cumulated, (last, records + 1 - last))
    return float(ordered[low]), float(ordered[high])


@lru_cache(maxsize=4096)
def _last_rank(records: int) -> int:
    last = int(np.ceil(scipy.special.bdtrik(0.025, records, 0.5))) + 1
    while scipy.special.bdtr(last - 1, records, 0.5) > 0.025:
        last -= 1
    return last

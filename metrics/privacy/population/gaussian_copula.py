"""The Gaussian-copula model of how likely a person is unique in a population, fitted to the classes of a sample.

Source: L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye, "Estimating the success of re-identifications in incomplete
datasets using generative models", Nature Communications 10:3069, 2019, doi 10.1038/s41467-019-10933-3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when first used: together they take as long as all the rest

from metrics.tables.table import Floats, Integers

MAX_BINS = 32
"""Bins of a column, contiguous in its order of values, between which mutual information is measured."""
MAX_RECORDS = 20_000
"""Records of the sample from which mutual information is measured; from a larger sample, this many are drawn."""
MAX_UNSEEN = 2**20
"""Values of a column that the sample does not show, at most."""
_PERMUTATIONS = 4
"""Random orders of a column from which chance mutual information is measured."""
_SEGMENTS, _NODES = 16, 4
"""Gaussian quadrature over the correlation: equal parts of its arc sine, and points in each."""
_MAX_CORRELATION = 0.995
DRAWS = 4096
"""Records drawn from the model; the population's uniqueness is a mean over them."""
_POINTS = 64
"""Points of the lattice over which a record's probability is integrated."""
_AT_ONCE = 512
_SMALLEST_EIGENVALUE = 1e-6
_BORDER = 1e-15
"""The least distance of a point from the border of the unit cube: the quantile there is finite."""
_NEGLIGIBLE = 1e-9
"""Mutual information, in nats, that rounding alone can show."""


@dataclass(frozen=True, eq=False)
class GaussianCopula:
    """A distribution of records: the marginal distribution of each column, and correlations of a normal distribution.

    A record is a vector of normal variables, each of which is cut into as many pieces as the column has values.
    """

    cuts: tuple[Floats, ...]
    """Per column the cumulative shares of its values, the most frequent value first: from 0 to 1."""
    correlation: Floats
    """Correlation matrix, one row and one column per column of the sample; positive definite, 1 on the diagonal."""

    def draw(self, number: int) -> Integers:
        """Draw `number` records, the same at every call: ranks of values, one row per record, one column per column."""
        normal = scipy.special.ndtri(_lattice(number, len(self.cuts), 0.5)) @ np.linalg.cholesky(self.correlation).T
        uniform = scipy.special.ndtr(normal)
        ranks = [
            np.minimum(np.searchsorted(cuts, uniform[:, column], side="right"), len(cuts) - 1) - 1
            for column, cuts in enumerate(self.cuts)
        ]
        return np.stack(ranks, axis=1)

    def probabilities(self, records: Integers) -> Floats:
        """The probability p(x) of each record, 0 to 1: the normal distribution's share of a rectangle.

        `records` holds ranks as `draw` does. Computed by Genz's separation of variables on a rank-one lattice, columns
        of higher entropy first, which converges fastest.
        Source: A. Genz, "Numerical computation of multivariate normal probabilities", 1992,
        doi 10.1080/10618600.1992.10477010.
        """
        order = np.argsort([-float(scipy.special.entr(np.diff(cuts)).sum()) for cuts in self.cuts], kind="stable")
        root = np.linalg.cholesky(self.correlation[np.ix_(order, order)])
        points = _lattice(_POINTS, len(order), 0.0)
        probabilities = np.empty(len(records))
        for start in range(0, len(records), _AT_ONCE):
            part = records[start : start + _AT_ONCE, order]
            normal = np.empty((len(order), len(part), _POINTS))
            product = np.ones((len(part), _POINTS))
            for index, column in enumerate(order):
                mean = np.tensordot(root[index, :index], normal[:index], axes=1)
                ends = scipy.special.ndtri(self.cuts[column])[part[:, index] + np.array([[0], [1]])]
                low, high = scipy.special.ndtr((ends[:, :, None] - mean) / root[index, index])
                product *= high - low
                uniform = low + (high - low) * points[:, index]
                normal[index] = scipy.special.ndtri(np.clip(uniform, _BORDER, 1 - _BORDER))
            probabilities[start : start + len(part)] = product.mean(axis=1)
        return probabilities


def individual_uniqueness(probabilities: Floats, population: int) -> Floats:
    """ξ = (1 - p(x))^(n - 1), the probability that nobody else of the n people has the same record: 0 to 1.

    `probabilities` holds p(x), one per record.
    """
    unique: Floats = (1 - probabilities) ** (population - 1)
    return unique


def _lattice(number: int, dimensions: int, start: float) -> Floats:
    """Points that fill the unit cube evenly (Richtmyer's, from square roots of primes), none on its border."""
    primes: list[int] = []
    candidate = 2
    while len(primes) < dimensions:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    points: Floats = (start + np.outer(np.arange(1, number + 1), np.sqrt(primes))) % 1
    return np.clip(points, _BORDER, 1 - _BORDER)


def fit(codes: Sequence[Integers], counts: Integers) -> GaussianCopula:
    """The model of a sample of at least one class.

    `codes` has per column a number from 0 on for the value of each class, `counts` the records of each class.

    Marginal distributions are the sample's, values ordered by frequency, with an estimate of the values that the sample
    does not show. The correlation of two columns, 0 to almost 1, is the one at which the model's mutual information
    equals the sample's adjusted for chance, which is the sample's less its mean when one column is in random order.
    The authors simulate the model's mutual information and choose among parametric marginal distributions; here it is
    integrated, between at most 32 bins of values, and results are the same at every call. Where the correlations are
    not positive definite together, their eigenvalues are raised.
    """
    column_ranks, totals = zip(*(_frequency_ranks(column, counts) for column in codes), strict=True)
    cuts = [_cuts(total / total.sum()) for total in totals]
    record_ranks = _records(column_ranks, counts)
    binned = [_binned_ranks(ranks, column_cuts) for ranks, column_cuts in zip(record_ranks, cuts, strict=True)]
    correlation = np.eye(len(codes))
    for first in range(len(codes)):
        for second in range(first):
            value = _correlation(*binned[first], *binned[second])
            correlation[first, second] = correlation[second, first] = value
    return GaussianCopula(tuple(map(_with_unseen, totals)), _positive_definite(correlation))


def _cuts(shares: Floats) -> Floats:
    """Cumulative shares from exactly 0 to exactly 1."""
    return np.concatenate([[0.0], np.minimum(np.cumsum(shares)[:-1], 1.0), [1.0]])


def _with_unseen(totals: Integers) -> Floats:
    """Cumulative shares of a column's values by their records in the sample, values that it does not show included.

    The share of values not seen is Chao and Jost's estimate (2012, doi 10.1890/11-1952.1), their number Chao's (1984).
    """
    records, singletons, doubletons = int(totals.sum()), int((totals == 1).sum()), int((totals == 2).sum())
    number = min(round(singletons * (singletons - 1) / (2 * (doubletons + 1))), MAX_UNSEEN)
    if not number:
        return _cuts(totals / records)
    pairs = (records - 1) * singletons
    unseen = singletons / records * pairs / (pairs + 2 * (doubletons + 1))
    return _cuts(np.concatenate([totals / records * (1 - unseen), np.full(number, unseen / number)]))


def _frequency_ranks(codes: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """The rank of each class's value by frequency, the most frequent first, and the records of the values."""
    totals = np.bincount(codes, weights=counts).astype(np.int64)
    order = np.argsort(-totals, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[codes], totals[order][: np.count_nonzero(totals)]


def _records(column_ranks: Sequence[Integers], counts: Integers) -> list[Integers]:
    """By column, the ranks of the sorted records; of evenly spaced ones if there are more than `MAX_RECORDS`."""
    order = np.lexsort(column_ranks)
    total = int(counts.sum())
    number = min(total, MAX_RECORDS)
    positions = (np.arange(number) * total) // number
    classes = order[np.searchsorted(np.cumsum(counts[order]), positions, side="right")]
    return [ranks[classes] for ranks in column_ranks]


def _binned_ranks(ranks: Integers, cuts: Floats) -> tuple[Integers, Floats]:
    """Bins of ranks, at most about `MAX_BINS` of them, and their cumulative shares."""
    if len(cuts) - 1 <= MAX_BINS:
        return ranks, cuts
    number = np.unique(np.floor(cuts[:-1] * MAX_BINS), return_inverse=True)[1]
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    return number[ranks], np.append(cuts[starts], 1.0)


def _correlation(ranks: Integers, cuts: Floats, other_ranks: Integers, other_cuts: Floats) -> float:
    """The correlation, 0 to almost 1, at which the model of two columns has the mutual information of the sample."""
    width = len(other_cuts) - 1
    cells = (len(cuts) - 1) * width

    def observed(second: Integers) -> float:
        table = np.bincount(ranks * width + second, minlength=cells).reshape(-1, width) / len(ranks)
        return float(_mutual_information(table[None])[0])

    random = np.random.default_rng(0)
    by_chance = [observed(random.permutation(other_ranks)) for _ in range(_PERMUTATIONS)]
    information = observed(other_ranks) - float(np.mean(by_chance))
    if information <= _NEGLIGIBLE:
        return 0.0
    correlations, tables = _bivariate(cuts, other_cuts)
    curve = np.maximum.accumulate(_mutual_information(tables))
    return float(np.interp(information, curve, correlations))


def _mutual_information(tables: Floats) -> Floats:
    """Mutual information, in nats, of each of several tables of joint shares."""
    independent = tables.sum(axis=2, keepdims=True) * tables.sum(axis=1, keepdims=True)
    positive = (tables > 0) & (independent > 0)
    terms = np.where(positive, tables * np.log(np.where(positive, tables / np.where(positive, independent, 1), 1)), 0)
    information: Floats = terms.sum(axis=(1, 2))
    return information


def _bivariate(first_cuts: Floats, second_cuts: Floats) -> tuple[Floats, Floats]:
    """Correlations from 0 upwards, and at each the joint shares of two columns with these cumulative shares.

    The distribution function of two normal variables is the integral of their density over the correlation's arc sine.
    Source: Z. Drezner, G. O. Wesolowsky, "On the computation of the bivariate normal integral", 1990,
    doi 10.1080/00949659008811236.
    """
    first, second = (scipy.special.ndtri(cuts[1:-1]) for cuts in (first_cuts, second_cuts))
    angles = np.linspace(0, math.asin(_MAX_CORRELATION), _SEGMENTS + 1)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    half = (angles[1] - angles[0]) / 2
    theta = (angles[:-1, None] + half * (1 + nodes)).ravel()
    squares, products = (first[:, None] ** 2 + second**2) / 2, np.outer(first, second)
    density = np.exp(-(squares - products * np.sin(theta)[:, None, None]) / np.cos(theta)[:, None, None] ** 2)
    steps = np.tensordot(
        density.reshape(_SEGMENTS, _NODES, *products.shape), weights * half / (2 * math.pi), ([1], [0])
    )
    cumulative = np.outer(first_cuts, second_cuts) * np.ones((_SEGMENTS + 1, 1, 1))
    cumulative[1:, 1:-1, 1:-1] += np.cumsum(steps, axis=0)
    return np.sin(angles), np.maximum(np.diff(np.diff(cumulative, axis=1), axis=2), 0.0)


def _positive_definite(correlation: Floats) -> Floats:
    """The correlation matrix with eigenvalues that are not above 0 raised, and 1 on the diagonal again."""
    values, vectors = np.linalg.eigh(correlation)
    raised = (vectors * np.maximum(values, _SMALLEST_EIGENVALUE)) @ vectors.T
    deviations = np.sqrt(np.diag(raised))
    rescaled: Floats = raised / np.outer(deviations, deviations)
    return rescaled

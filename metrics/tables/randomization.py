"""Randomized response: the probability of each published value given the true one, and what that protects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from metrics.errors import InputError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Values = tuple[str | None, ...]
_Z = 1.959963984540054
"""The normal quantile of 95% intervals."""
_SUM = 1e-9


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Shares of the values among the people of a table, estimated from the published cells without bias."""

    released: Floats
    estimated: Floats
    """May lie outside 0 to 1."""
    half_width: Floats
    """Of the 95% interval."""

    @property
    def interval(self) -> tuple[Floats, Floats]:
        """Ends of the 95% intervals, within 0 to 1."""
        return np.clip(self.estimated - self.half_width, 0, 1), np.clip(self.estimated + self.half_width, 0, 1)


@dataclass(frozen=True)
class Sampling:
    """How SafePub made a table: each record was kept with probability β, and classes below k were deleted."""

    epsilon: float
    delta: float
    beta: float
    k: int


@dataclass(frozen=True, eq=False)
class Redrawn:
    """The value is kept with probability `kept`, or else drawn: P(y|x) = kept [x = y] + drawn(y).

    k-RR and PRAM are of this form. It needs no matrix, however many values there are.
    """

    values: Values
    """Those that a cell can have and that can be published; None is a missing cell."""
    kept: float
    drawn: Floats
    """Probability, by value, that it is drawn."""
    from_data: bool = False
    """Whether its probabilities were taken from the data, so that its ε guarantees nothing."""

    @property
    def epsilon(self) -> float:
        """The largest |ln| of the ratio between the probabilities of one published value under two true ones."""
        if not self.kept or len(self.values) < 2:
            return 0.0
        least = self.drawn.min()
        return float(np.log1p(self.kept / least)) if least > 0 else float("inf")

    @property
    def is_published(self) -> Flags:
        """By value whether it is ever published."""
        return self.kept + self.drawn > 0

    @property
    def extremes(self) -> tuple[float, float]:
        """The smallest and the largest probability of a published value: of k-RR q and p."""
        return float(self.drawn.min()), float(self.kept + self.drawn.max())

    def probability(self, true: Integers, published: Integers) -> Floats:
        """The probability of published values given true ones, both as positions in `values`."""
        return self.drawn[published] + np.where(true == published, self.kept, 0.0)

    def success(self, prior: Floats) -> float:
        """The probability that the likeliest true value is right."""
        return float(np.maximum(prior * (self.kept + self.drawn), prior.max() * self.drawn).sum())

    def frequencies(self, counts: Floats) -> Frequencies | None:
        """Estimate the shares; None where every cell is drawn anew."""
        records = counts.sum()
        if not self.kept or not records:
            return None
        released = counts / records
        estimated = (released - self.drawn) / self.kept
        share, stays = np.clip(estimated, 0, 1), self.kept + self.drawn
        variance = share * stays * (1 - stays) + (1 - share) * self.drawn * (1 - self.drawn)
        return Frequencies(released, estimated, _Z * np.sqrt(variance.clip(0) / records) / self.kept)

    def unbiased(self, figures: Floats) -> Floats | None:
        """What stands for the figures of the true values; None where every cell is drawn anew."""
        return (figures - self.drawn @ figures) / self.kept if self.kept else None


def k_rr(values: Sequence[str | None], epsilon: float) -> Redrawn:
    """k-ary randomized response: the value with probability e^ε/(e^ε + d − 1), else one of the d − 1 others.

    Source: P. Kairouz, K. Bonawitz, D. Ramage, Discrete Distribution Estimation under Local Privacy, ICML 2016, arXiv
    1602.07387.

    Parameters
    ----------
    values : sequence of str or None
        The d values that a cell can have, None for a missing one.
    epsilon : float
        The largest log ratio of the probabilities of a published value under two true ones.

    Returns
    -------
    Redrawn
        The probabilities, for `Table.randomized` and `local_dp`.

    Raises
    ------
    InputError
        For fewer than two values, or one that is listed twice.
    """
    _check_values(values)
    others = 1 + (len(values) - 1) * np.exp(-epsilon)
    return Redrawn(tuple(values), float(-np.expm1(-epsilon) / others), np.full(len(values), np.exp(-epsilon) / others))


@dataclass(frozen=True, eq=False)
class TransitionMatrix:
    """Any matrix of probabilities: a row per true value, a column per published one.

    Parameters
    ----------
    values : tuple of str or None
        The values that a cell can have and that can be published, None for a missing one.
    probabilities : array of float, shape (values, values)
        Each row sums to 1.

    Raises
    ------
    InputError
        If they are no such matrix, or the values are fewer than two, or one is listed twice.
    """

    values: Values
    probabilities: Floats
    from_data: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        _check_values(self.values)
        matrix = self.probabilities
        if matrix.shape != (len(self.values),) * 2 or not np.all(matrix >= 0) or np.any(abs(matrix.sum(1) - 1) > _SUM):
            raise InputError(
                "the randomization is not a square matrix of probabilities whose rows sum to 1",
                remedy="write a row per true value, and in it the probability of each published one",
            )

    @property
    def epsilon(self) -> float:
        """ε, over the values that are ever published."""
        least, most = self.probabilities.min(axis=0), self.probabilities.max(axis=0)
        if np.any((least == 0) & (most > 0)):
            return float("inf")
        return float(np.log(most[most > 0] / least[most > 0]).max())

    @property
    def is_published(self) -> Flags:
        """By value whether it is ever published."""
        published: Flags = self.probabilities.max(axis=0) > 0
        return published

    @property
    def extremes(self) -> tuple[float, float]:
        """The smallest and the largest probability of a published value."""
        return float(self.probabilities.min()), float(self.probabilities.max())

    def probability(self, true: Integers, published: Integers) -> Floats:
        """The probability of published values given true ones.

        Parameters
        ----------
        true, published : array of int
            Positions in `values`.

        Returns
        -------
        array of float
            One for each pair.
        """
        return self.probabilities[true, published]

    def success(self, prior: Floats) -> float:
        """The probability that the likeliest true value is right.

        Parameters
        ----------
        prior : array of float, shape (values,)
            How frequent the attacker takes the values to be.

        Returns
        -------
        float
            At least the largest share of the prior.
        """
        return float((prior[:, None] * self.probabilities).max(axis=0).sum())

    def frequencies(self, counts: Floats) -> Frequencies | None:
        """Estimate the shares of the values without bias.

        Parameters
        ----------
        counts : array of float, shape (values,)
            Published cells of each value.

        Returns
        -------
        Frequencies or None
            The shares with 95% intervals; None where the matrix cannot be inverted.
        """
        matrix, records = self.probabilities, counts.sum()
        if not records or not self._is_invertible:
            return None
        inverse = np.linalg.inv(matrix.T)
        released = counts / records
        estimated = inverse @ released
        share = np.clip(estimated, 0, 1)
        covariance = (np.diag(share @ matrix) - matrix.T @ (share[:, None] * matrix)) / records
        variance = np.einsum("ij,jk,ik->i", inverse, covariance, inverse)
        return Frequencies(released, estimated, _Z * np.sqrt(variance.clip(0)))

    @property
    def _is_invertible(self) -> bool:
        return bool(np.linalg.matrix_rank(self.probabilities) == len(self.probabilities))

    def unbiased(self, figures: Floats) -> Floats | None:
        """By published value what is expected to be the figure of the true one.

        Parameters
        ----------
        figures : array of float, shape (values,) or (values, figures)
            By true value; of a share, 1 for the values that count.

        Returns
        -------
        array of float or None
            Its mean over published cells estimates that over the true ones; None where the matrix has no inverse.
        """
        return np.linalg.inv(self.probabilities) @ figures if self._is_invertible else None


Randomization: TypeAlias = Redrawn | TransitionMatrix
"""How the cells of a column were drawn."""


def _check_values(values: Sequence[str | None]) -> None:
    if len(values) < 2 or len(set(values)) < len(values):
        raise InputError(
            "the values of a randomized column are fewer than two, or one is listed twice",
            remedy="list each value once",
        )

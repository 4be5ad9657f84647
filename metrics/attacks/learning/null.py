"""Success of guesses, beside that of the same guesses about people whose true values are permuted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metrics.tables.table import Floats


@dataclass(frozen=True)
class Guessed:
    """How many people are guessed, and the distribution of this number where the guesses know nothing of the truth."""

    successes: float
    people: int
    null_mean: float
    """Share of people, under a random permutation of the true values."""
    null_sd: float

    @property
    def p_value(self) -> float | None:
        """Probability of at least as many successes under the permutations, by the normal distribution.

        None where they do not differ.
        """
        if not self.null_sd:
            return None
        return math.erfc((self.successes / self.people - self.null_mean) / self.null_sd / math.sqrt(2)) / 2


class PermutationNull:
    """Sums over people in parts: credit of each person's guess against each true value, and the true ones.

    Mean and variance are Hoeffding's: W. Hoeffding, A combinatorial central limit theorem, Annals of Mathematical
    Statistics 22(4), 1951, doi 10.1214/aoms/1177729545.
    """

    def __init__(self, people: Floats) -> None:
        """`people`: by true value the people who have it."""
        self._of_truth = people
        self._people = int(people.sum())
        self._sums = np.zeros(len(people))
        self._squares = self._row_squares = self._successes = 0.0

    def add(self, credits: Floats, weights: Floats, own: Floats) -> None:
        """Add people: credits by true value, how many each row stands for, and the credits of their own values."""
        means = credits @ self._of_truth / self._people
        self._sums += weights @ credits
        self._squares += float(weights @ (credits**2 @ self._of_truth))
        self._row_squares += float(weights @ means**2)
        self._successes += float(own.sum())

    def guessed(self) -> Guessed:
        """The result for everybody who was added."""
        n, columns = self._people, self._sums / self._people
        mean = float(self._of_truth @ columns) / n
        squares = self._squares - n * self._row_squares - n * float(self._of_truth @ columns**2) + n**2 * mean**2
        variance = squares / (n**2 * (n - 1)) if n > 1 else 0.0
        # Rounding leaves about this much of sums that cancel.
        return Guessed(self._successes, n, mean, math.sqrt(variance) if variance > 1e-14 * mean else 0.0)

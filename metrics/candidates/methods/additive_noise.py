"""Additive noise: a random number is added to every number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.candidates.methods.columns import (
    columns_parameter,
    mean_and_deviation,
    numbers_by_record,
    numeric_columns,
    with_numbers,
)
from metrics.candidates.methods.method import CandidateMethod, parameter, with_columns
from metrics.config.roles import Roles
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.tables.table import Column, Table


@dataclass(frozen=True)
class AdditiveNoise(CandidateMethod):
    """Every number becomes x + e, with e normally distributed around 0 and independent between records and columns.

    Its standard deviation is a given share of the column's. Means are kept in expectation; variances grow by the square
    of the share, correlations become weaker. Results are rounded to the column's decimal places and not kept
    within its range. Noise that follows the columns' correlations (Kim 1986) is not offered.

    Brand: Microdata Protection through Noise Addition. In: Inference Control in Statistical Databases, LNCS 2316,
    Springer 2002, 97-116, https://doi.org/10.1007/3-540-47804-3_8
    Kim: A Method for Limiting Disclosure in Microdata Based on Random Noise and Transformation. Proceedings of the
    Section on Survey Research Methods, American Statistical Association 1986, 370-374.
    """

    name: ClassVar[str] = "noise"
    title: ClassVar[str] = "Additive noise"
    about: ClassVar[str] = (
        "A normally distributed random number is added to every number. No finite ε bounds what a published number can "
        "reveal: the farther out it lies, the more it tells."
    )
    draws: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True

    deviation: float = parameter(
        0.1, "Standard deviation", "Standard deviation of the noise, relative to that of the column.", 0
    )
    columns: tuple[str, ...] = columns_parameter("all numeric quasi-identifiers")

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with noise. Raises InputError where a column does not hold numbers."""
        columns = numeric_columns(original, roles, self.columns)
        chance = np.random.default_rng(seed)
        return with_columns(original, {column.name: self._noisy(column, chance) for column in columns})

    def _noisy(self, column: Column, chance: np.random.Generator) -> Column:
        spread = self.deviation * mean_and_deviation(column)[1]
        noise = chance.standard_normal(len(column.codes))
        with np.errstate(over="ignore"):  # `with_numbers` limits numbers that are too large
            noisy = numbers_by_record(column) + spread * noise
        return with_numbers(column, noisy) if spread else column

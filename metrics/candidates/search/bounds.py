"""Lower bounds on the cost of every generalization from a node upwards, given records that it must suppress."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from metrics.candidates.search.evaluation import Evaluation
from metrics.tables.table import Floats, Integers

BOUNDED: Final = ("loss", "granularity", "non_uniform_entropy", "precision", "publisher_payout")
"""Measures made of single cells: neither generalizing further nor suppressing makes them better."""


class ColumnCosts:
    """A measure as a sum of what every column costs, so that columns can be bounded apart.

    A cell covers more on a higher level and most when it is suppressed. So no generalization costs less than each
    column's lowest level among a set of generalizations, with only those records suppressed that all of them suppress;
    and none costs less than the sum of the least costs of disjoint groups of columns (additive bounds, Korf and Felner,
    doi 10.1016/S0004-3702(01)00092-3).
    """

    def __init__(self, evaluation: Evaluation, measure: str) -> None:
        """`measure`: one of BOUNDED."""
        self._evaluation, self._measure = evaluation, measure
        self._domain = math.fsum(math.log10(column_levels.domain) for column_levels in evaluation.columns) or 1.0

    def by_level(self, columns: Sequence[int], lost: Integers) -> Floats:
        """By level and column the least cost from that level upwards.

        `lost`: the records suppressed, by leaf of one of these columns after the other.
        """
        column_levels = [self._evaluation.columns[i] for i in columns]
        costs = np.zeros((max(levels.highest for levels in column_levels) + 1, len(columns)))
        start = 0
        for position, (i, levels_of_column) in enumerate(zip(columns, column_levels, strict=True)):
            column_costs = self._of_column(i, lost[start : start + levels_of_column.width])
            allowed_costs = column_costs[: levels_of_column.highest + 1]
            costs[: len(allowed_costs), position] = np.minimum.accumulate(allowed_costs[::-1])[::-1]
            start += levels_of_column.width
        return costs

    def _of_column(self, column: int, lost: Integers) -> Floats:
        evaluation = self._evaluation
        column_levels, suppressed = evaluation.columns[column], int(lost.sum())
        kept = (evaluation.entropy.totals[column][0] - lost).astype(np.float64)
        costs: Floats
        share, height, logs = evaluation.per_leaf[column]
        if self._measure == "non_uniform_entropy":
            return evaluation.entropy.least(column, lost)
        if self._measure == "precision":
            costs = (height @ kept + suppressed) / evaluation.records
            return costs
        if self._measure == "publisher_payout":
            if not evaluation.parameters.profitability.information_loss:
                return np.full(len(height), suppressed / (evaluation.records * len(evaluation.columns)))
            costs = (logs @ kept + suppressed * math.log10(column_levels.domain)) / (evaluation.records * self._domain)
            return costs
        normalized = evaluation.normalized(column, (share @ kept + suppressed) / evaluation.records)
        return evaluation.weights[column] * np.log1p(normalized) if self._measure == "loss" else normalized

    def figure(self, cost: float) -> float:
        """Return the figure of the measure for a cost of all columns together."""
        columns = len(self._evaluation.columns)
        if self._measure == "loss":
            return math.expm1(cost / columns)
        if self._measure == "non_uniform_entropy":
            return 1 - cost / (self._evaluation.entropy.largest or 1.0)
        if self._measure == "publisher_payout":
            return self._payout * (1 - cost)
        return 1 - cost / columns

    def cost(self, figure: float) -> float:
        """Return the cost of all columns together for a figure of the measure."""
        columns = len(self._evaluation.columns)
        if self._measure == "loss":
            return columns * math.log1p(figure)
        if self._measure == "non_uniform_entropy":
            return (1 - figure) * (self._evaluation.entropy.largest or 1.0)
        if self._measure == "publisher_payout":
            return 1 - figure / self._payout
        return columns * (1 - figure)

    @property
    def _payout(self) -> float:
        return self._evaluation.records * self._evaluation.parameters.profitability.publisher_benefit or 1.0

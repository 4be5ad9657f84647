"""Analyses, record by record: every record counts in each group by the share of its label's values in the group."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

Record = Mapping[str, str]
Covers = Mapping[str, frozenset[str]]
"""By label the values that it stands for."""


def share(covers: Covers, label: str, group: frozenset[str]) -> float:
    """The probability that a label stands for a value of a group."""
    return len(covers[label] & group) / len(covers[label])


def blocks(covers: Covers, labels: Sequence[str], values: Sequence[str]) -> list[frozenset[str]]:
    """The values that no label tells apart; of each block the values together."""
    found: dict[Any, set[str]] = {}
    for value in values:
        row = tuple(round(share(covers, label, frozenset([value])) * len(covers[label]), 9) for label in labels)
        found.setdefault(row if any(row) else value, set()).add(value)
    return [frozenset(block) for block in found.values()]


def mean(numbers: Sequence[float], weights: Sequence[float]) -> tuple[float, float, float]:
    """The mean, its standard error and Kish's number of records."""
    total, squares = sum(weights), sum(weight**2 for weight in weights)
    center = sum(weight * number for weight, number in zip(weights, numbers, strict=True)) / total
    size = total**2 / squares
    if size < 2 - 1e-9:
        return center, 0.0, size
    deviations = sum((weight * (number - center)) ** 2 for weight, number in zip(weights, numbers, strict=True))
    return center, math.sqrt(deviations / total**2 * size / (size - 1)), size


def interval(numbers: Sequence[float], weights: Sequence[float]) -> tuple[float, float, float]:
    """The mean and the ends of its interval."""
    center, error, size = mean(numbers, weights)
    half = stats.t.ppf(0.975, size - 1) * error if error else 0.0
    return center, center - half, center + half


def is_different(numbers: Sequence[float], weights: Sequence[float]) -> bool:
    """Whether the mean differs from that of all other records, by Welch's test."""
    (one, error, size), (other, error_of_others, others) = (
        mean(numbers, weights),
        mean(numbers, [1 - weight for weight in weights]),
    )
    variance = error**2 + error_of_others**2
    if min(size, others) < 2 - 1e-9 or not variance:
        return False
    freedom = variance**2 / (error**4 / (size - 1) + error_of_others**4 / (others - 1))
    return bool(abs(one - other) > stats.t.ppf(0.975, freedom) * math.sqrt(variance))


def median(numbers: Sequence[float], weights: Sequence[float]) -> float:
    """The least number with half of the weight, or the middle of two."""
    pairs = sorted((number, weight) for number, weight in zip(numbers, weights, strict=True) if weight)
    half, cumulated = sum(weights) / 2, 0.0
    for place, (number, weight) in enumerate(pairs):
        cumulated += weight
        if abs(cumulated - half) < 1e-9:
            return (number + pairs[place + 1][0]) / 2
        if cumulated > half:
            return number
    raise AssertionError


def wilson(share: float, size: float) -> tuple[float, float]:
    """Wilson's interval of a share."""
    z = stats.norm.ppf(0.975)
    center = share + z**2 / (2 * size)
    half = z * math.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    return (center - half) / (1 + z**2 / size), (center + half) / (1 + z**2 / size)


def least_squares(rows: Sequence[Sequence[float]], outcome: Sequence[float]) -> list[tuple[float, float, float]]:
    """The coefficients with the ends of their intervals, by the normal equations."""
    design, wanted = np.array(rows), np.array(outcome)
    inverse = np.linalg.inv(design.T @ design)
    found = inverse @ design.T @ wanted
    freedom = len(wanted) - design.shape[1]
    errors = np.sqrt(np.diag(inverse) * ((wanted - design @ found) ** 2).sum() / freedom)
    half = stats.t.ppf(0.975, freedom) * errors
    return list(zip(found, found - half, found + half, strict=True))


def likelihood(rows: Sequence[Sequence[float]], outcome: Sequence[float]) -> list[tuple[float, float, float]]:
    """The coefficients of a logistic regression with the ends of their intervals, by Newton's method."""
    design, wanted = np.array(rows), np.array(outcome)
    found = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ found))
        inverse = np.linalg.inv(design.T @ (design * (chance * (1 - chance))[:, np.newaxis]))
        found = found + inverse @ design.T @ (wanted - chance)
    half = stats.norm.ppf(0.975) * np.sqrt(np.diag(inverse))
    return list(zip(found, found - half, found + half, strict=True))


def overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Karr's: the mean share of two intervals that they have in common; each has a width."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return (common / (one[1] - one[0]) + common / (other[1] - other[0])) / 2


def weights(records: Sequence[Record], covers: Mapping[str, Covers], cell: Mapping[str, frozenset[str]]) -> list[float]:
    """By record the probability that it belongs to a cell: of each column a block of values."""
    return [
        math.prod(share(covers[column], record[column], block) for column, block in cell.items()) for record in records
    ]


def cells(
    records: Sequence[Record], covers: Mapping[str, Covers], values: Mapping[str, Sequence[str]]
) -> list[dict[str, frozenset[str]]]:
    """The combinations of the blocks that these records tell apart."""
    of_column: dict[str, list[frozenset[str]]] = {
        column: blocks(covers[column], sorted({record[column] for record in records}), values[column])
        for column in values
    }
    return [dict(zip(of_column, combination, strict=True)) for combination in itertools.product(*of_column.values())]

"""A sensitive attribute that a model guesses: its values, what labels tell of them, and which guess is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import column_domain, label_numbers, released_shares
from metrics.attacks.guessing.guesses import ROUNDING, has_many_numbers
from metrics.attacks.guessing.guesses import label_numbers as numbers_written
from metrics.attacks.knowledge.gower import range_of
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Shares, shares_of
from metrics.tables.table import Column, Flags, Floats
from metrics.texts import text

MAX_VALUES = 1_000
"""Attributes of more values are not guessed by a model: hardly a record would tell of each."""
_ALIKE = 1e-9
"""Values whose logarithms of probability differ by less tie; such differences are rounding."""


@dataclass(frozen=True, eq=False)
class Target:
    """What is guessed of one sensitive attribute: a value or, of many numbers, the median."""

    name: str
    chances: Any
    """By released label and value the share of the value in the label; a sparse array."""
    prior: Floats
    """By value its share of the released records."""
    numbers: Floats
    """The values as numbers, ascending; empty where a value is guessed."""
    within: float | None
    """Distance within which a guessed median is right; None where a value is guessed."""
    place: Callable[[Column], Floats]
    """By label of a column of true values its position among the values, or its number; NaN where it has none."""

    def credits(self, log_chances: Floats, truths: Floats) -> Floats:
        """By person and truth, how far the guess is right: a tie shares."""
        if self.within is None:
            likeliest = log_chances >= log_chances.max(axis=1, keepdims=True) - _ALIKE
            shared: Floats = likeliest / likeliest.sum(axis=1, keepdims=True)
            return shared[:, truths.astype(np.int64)]
        return self._near(self._medians(_probabilities(log_chances))[:, np.newaxis], truths).astype(np.float64)

    def confidences(self, log_chances: Floats, truths: Floats) -> Floats:
        """By person and truth, the probability given to the true value or, of numbers, to those near it."""
        probabilities = _probabilities(log_chances)
        if self.within is None:
            return probabilities[:, truths.astype(np.int64)]
        near: Floats = probabilities @ self._near(self.numbers[:, np.newaxis], truths)
        return near

    def shares(self, truths: Floats, people: Floats) -> Floats:
        """By truth the share of people with it or, of numbers, with one near it."""
        counted = people if self.within is None else self._near(truths[:, np.newaxis], truths) @ people
        shares: Floats = counted / people.sum()
        return shares

    def _near(self, numbers: Floats, truths: Floats) -> Flags:
        near: Flags = np.abs(numbers - truths) <= (self.within or 0.0) * ROUNDING
        return near

    def _medians(self, probabilities: Floats) -> Floats:
        """The mean of the two middle numbers; they differ where exactly half of the probability lies below one."""
        cumulated = np.cumsum(probabilities, axis=1)
        low = (cumulated < 0.5 - _ALIKE).sum(axis=1)
        high = (cumulated <= 0.5 + _ALIKE).sum(axis=1)
        last = len(self.numbers) - 1
        medians: Floats = (self.numbers[np.minimum(low, last)] + self.numbers[np.minimum(high, last)]) / 2
        return medians


def target_of(aggregates: Aggregates, name: str, tolerance: float) -> Target:
    """The attribute as the release tells of it. Raises Unavailable without two of its values, or with too many."""
    original, released = aggregates.original, aggregates.anonymized
    assert original is not None
    if original.distinct_above(name, MAX_VALUES) or released.distinct_above(name, MAX_VALUES):
        raise Unavailable(text("learning_attack.unavailable.many_values", column=name, limit=MAX_VALUES))
    truth, labels = original[name], released[name]
    if has_many_numbers(truth):
        of_label = label_numbers(aggregates, labels)
        known = np.flatnonzero(~np.isnan(of_label))
        numbers, value = np.unique(of_label[known], return_inverse=True)
        chances = scipy.sparse.csr_array((np.ones(len(known)), (known, value)), shape=(len(of_label), len(numbers)))
        within, place = tolerance * range_of(truth.labels, truth.decimal), numbers_written
    else:
        shares = released_shares(aggregates, name)
        chances, numbers, within = share_matrix(shares), np.empty(0), None

        def place(column: Column) -> Floats:
            return _single_values(shares_of(column, column_domain(aggregates, name)))

    grouped = aggregates.relation.count((name,))
    records = np.bincount(grouped.codes[0], weights=grouped.counts, minlength=chances.shape[0]) @ chances
    if np.count_nonzero(records) < 2:
        raise Unavailable(text("learning_attack.unavailable.one_value", column=name))
    return Target(name, chances, records / records.sum(), numbers, within, place)


def share_matrix(shares: Shares) -> Any:
    """By label and value of the domain the share of the value in the label; a sparse array, zero of unknown labels."""
    size = (len(shares.unknown), shares.domain.column.distinct)
    return scipy.sparse.csr_array((1 / shares.sizes[shares.label], (shares.label, shares.value)), shape=size)


def _single_values(shares: Shares) -> Floats:
    places = np.full(len(shares.unknown), np.nan)
    single = shares.sizes[shares.label] == 1
    places[shares.label[single]] = shares.value[single]
    return places


def _probabilities(log_chances: Floats) -> Floats:
    chances = np.exp(log_chances - log_chances.max(axis=1, keepdims=True))
    probabilities: Floats = chances / chances.sum(axis=1, keepdims=True)
    return probabilities

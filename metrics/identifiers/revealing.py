"""Columns released as they are that give away what the quasi-identifiers hide: a year of birth beside an age group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from metrics.counting.counts import Matching
from metrics.tables.table import Codes, Integers

_EXAMINED: Final = 20_000
"""Records that are examined, at equal distances."""
_GIVEN_AWAY: Final = 0.5
"""Share of the hidden information from which a column gives a quasi-identifier away."""


def revealing_columns(matching: Matching, quasi_identifiers: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Return released columns that give away most of what generalization hides of a quasi-identifier, with that one.

    What an attacker gains is the mutual information of the original value and the column among records of one label,
    less that of the column shuffled within each label, which a column of many values has by chance.
    """
    rows = np.arange(matching.tally.matched)
    rows = rows[:: max(1, len(rows) // _EXAMINED)]
    found: dict[str, str] = {}
    for hidden in quasi_identifiers:
        before = matching.original[hidden].codes[rows]
        label = matching.anonymized[hidden].codes[rows]
        unknown = _entropy(before, label)
        if unknown == 0:
            continue
        for name in others:
            if name not in found and _given_away(before, label, matching.anonymized[name].codes[rows], unknown):
                found[name] = hidden
    return found


def _given_away(before: Codes, label: Codes, other: Codes, unknown: float) -> bool:
    """Whether the values of another column resolve most of the entropy that the labels leave."""
    shuffled = other.copy()
    order = np.lexsort((np.random.default_rng(0).random(len(label)), label))
    shuffled[np.argsort(label, kind="stable")] = other[order]
    by_chance = _entropy(before, label, shuffled)
    return by_chance > 0 and by_chance - _entropy(before, label, other) >= _GIVEN_AWAY * unknown


def _entropy(values: Codes, *known: Codes) -> float:
    """Conditional entropy of values in nats, where others are known."""
    groups = _numbers(known)
    return _joint_entropy(_numbers((groups, values))) - _joint_entropy(groups)


def _numbers(columns: Sequence[Codes] | tuple[Integers, Codes]) -> Integers:
    """One number for each combination of values."""
    numbers: Integers = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        numbers = np.unique(numbers * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    return numbers


def _joint_entropy(numbers: Integers) -> float:
    shares = np.bincount(numbers) / max(len(numbers), 1)
    return float(-(shares * np.log(shares)).sum())

"""What speaks for a key: the columns that could be one, and whether matched records agree in what was not changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.encoding import places_in
from metrics.matching_records import RecordMatching, Side, describe
from metrics.matching_rule import MatchingRule
from metrics.table import Column, Integers, Table

_MOST_CELLS = 10**7
"""Cells to look at for columns that could stand beside a key."""
_MOST_DUPLICATES = 0.05
"""Share of a table's records that may have a key more than once."""
_MOST_COMPARED = 8
_DOUBTFUL = 0.5


@dataclass(frozen=True)
class KeyCandidate:
    """Columns that together name the records of both tables, as far as records have them."""

    key: tuple[str, ...]
    matched: int
    """Anonymized records that would stand beside an original, at least 1."""
    share: float
    """The same of all anonymized records."""
    duplicates: int
    """Records of both tables whose key occurs more than once there."""


def key_candidates(original: Table, anonymized: Table, beside: Sequence[str] = ()) -> list[KeyCandidate]:
    """Columns of both tables that are different in all records, or nearly all, and have values in common; best first.

    With columns `beside`, which are not enough by themselves, those that would do together with them. What is different
    in all records comes first, then what matches most records, then what stands first. Of many columns beside a key
    only the first are tried.
    """
    names = [name for name in original.names if name in anonymized and name not in beside]
    likely = _beside(original, anonymized, names, beside) if beside else _alone(original, anonymized, names)
    described = [describe(original, anonymized, MatchingRule((*beside, name))) for name in likely]
    found = [
        KeyCandidate(one.rule.key, one.tally.matched, one.tally.matched / anonymized.rows, _duplicates(one))
        for one in described
        if one.tally.matched and not any(_too_many(side) for side in (one.original, one.anonymized))
    ]
    return sorted(found, key=lambda one: (one.duplicates > 0, -one.matched))


def _alone(original: Table, anonymized: Table, names: Sequence[str]) -> list[str]:
    """Columns with nearly as many values as records: the others need no look at their records."""
    return [name for name in names if all(2 * table[name].distinct > table.rows for table in (original, anonymized))]


def _beside(original: Table, anonymized: Table, names: Sequence[str], beside: Sequence[str]) -> list[str]:
    found = describe(original, anonymized, MatchingRule(tuple(beside)))
    # Records that the key tells apart already stay apart whatever is added to it.
    places = (found.original.duplicate, found.anonymized.duplicate)
    first, second = (table.take(at) for table, at in zip((original, anonymized), places, strict=True))
    tried = names[: max(_MOST_CELLS // max(first.rows + second.rows, 1), 1)]
    return [name for name in tried if not _duplicates(describe(first, second, MatchingRule((*beside, name))))]


def _duplicates(found: RecordMatching) -> int:
    return len(found.original.duplicate) + len(found.anonymized.duplicate)


def _too_many(side: Side) -> bool:
    return len(side.duplicate) > _MOST_DUPLICATES * side.rows


@dataclass(frozen=True)
class Agreement:
    """How many cells of matched records are the same in both tables, as shares of all that were looked at."""

    observed: float
    by_chance: float
    """What records matched at random would come to."""

    @property
    def doubtful(self) -> bool:
        """Whether they agree hardly more than by chance: the key or the order may not be the same in both tables."""
        return self.observed - self.by_chance < _DOUBTFUL * (1 - self.by_chance)


def agreement(original: Table, anonymized: Table, found: RecordMatching, columns: Sequence[str]) -> Agreement | None:
    """How far matched records agree in columns that were probably left as they are; None where nothing tells.

    Only columns of both tables with values in common, and more than one of them, tell.
    """
    places = np.arange(anonymized.rows) if found.places is None else found.places
    partners = places if found.partners is None else found.partners
    if not len(places):
        return None
    told = []
    for name in [name for name in columns if name in original and name in anonymized][:_MOST_COMPARED]:
        one = _agreeing(original[name], anonymized[name], partners, places)
        if 0 < one.by_chance < 1:
            told.append(one)
    if not told:
        return None
    return Agreement(sum(one.observed for one in told) / len(told), sum(one.by_chance for one in told) / len(told))


def _agreeing(original: Column, anonymized: Column, partners: Integers, places: Integers) -> Agreement:
    translated = places_in(anonymized.values, original.values)
    before, after = original.codes[partners], translated[anonymized.codes[places]]
    shares = np.bincount(before, minlength=original.distinct) / len(places)
    others = np.bincount(after[after >= 0], minlength=original.distinct) / len(places)
    return Agreement(float((before == after).mean()), float((shares * others).sum()))

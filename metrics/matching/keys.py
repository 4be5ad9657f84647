"""Finds key columns, and checks whether matched records agree in columns that were not changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.matching.records import MatchedSide, RecordMatching, describe
from metrics.tables.dictionary_codes import indices_in
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.table import SUPPRESSED, Column, Integers, Table

_MAX_CELLS = 10**7
"""Largest number of cells examined in the search for further key columns."""
_MAX_DUPLICATES = 0.05
"""Largest share of a table's records that may have a repeated key."""
_MAX_COMPARED = 8
_DOUBTFUL = 0.5


@dataclass(frozen=True)
class KeyCandidate:
    """Columns that together identify records in both tables."""

    key: tuple[str, ...]
    matched: int
    """Anonymized records that would be matched, at least 1."""
    share: float
    """The share of all anonymized records that would be matched."""
    duplicates: int
    """Records of both tables whose key is repeated in their table."""


def key_candidates(original: Table, anonymized: Table, beside: Sequence[str] = ()) -> list[KeyCandidate]:
    """Columns of both tables whose values are unique, or nearly so, and partly the same; best first.

    With columns `beside`, which are not sufficient alone, those that would be a key together with them. Columns with
    unique values come first, then those that match more records, then those further left. Of many columns only the
    first are tried.
    """
    names = [name for name in original.names if name in anonymized and name not in beside]
    likely_names = _beside(original, anonymized, names, beside) if beside else _alone(original, anonymized, names)
    matchings = [describe(original, anonymized, MatchingRule((*beside, name))) for name in likely_names]
    candidates = [
        KeyCandidate(
            matching.rule.key, matching.tally.matched, matching.tally.matched / anonymized.rows, _duplicates(matching)
        )
        for matching in matchings
        if matching.tally.matched and not any(_too_many(side) for side in (matching.original, matching.anonymized))
    ]
    return sorted(candidates, key=lambda candidate: (candidate.duplicates > 0, -candidate.matched))


def _alone(original: Table, anonymized: Table, names: Sequence[str]) -> list[str]:
    """Columns with nearly as many values as records; the others cannot be keys."""
    return [name for name in names if all(2 * table[name].distinct > table.rows for table in (original, anonymized))]


def _beside(original: Table, anonymized: Table, names: Sequence[str], beside: Sequence[str]) -> list[str]:
    matching = describe(original, anonymized, MatchingRule(tuple(beside)))
    # Records that the key distinguishes already stay distinct whatever is added to it.
    duplicates = (matching.original.duplicate, matching.anonymized.duplicate)
    first, second = (table.take(records) for table, records in zip((original, anonymized), duplicates, strict=True))
    candidates = names[: max(_MAX_CELLS // max(first.rows + second.rows, 1), 1)]
    return [name for name in candidates if not _duplicates(describe(first, second, MatchingRule((*beside, name))))]


def _duplicates(matching: RecordMatching) -> int:
    return len(matching.original.duplicate) + len(matching.anonymized.duplicate)


def _too_many(side: MatchedSide) -> bool:
    return len(side.duplicate) > _MAX_DUPLICATES * side.rows


@dataclass(frozen=True)
class Agreement:
    """Share of the compared cells that are equal in both tables, over matched records."""

    observed: float
    by_chance: float
    """The share expected if records were matched at random."""

    @property
    def doubtful(self) -> bool:
        """Whether records agree hardly more than by chance, so that the key or the order may be wrong."""
        return self.observed - self.by_chance < _DOUBTFUL * (1 - self.by_chance)


def agreement(original: Table, anonymized: Table, matching: RecordMatching, columns: Sequence[str]) -> Agreement | None:
    """How far matched records agree in columns that were probably not changed; None if no column is informative.

    Suppressed cells are left out. Informative columns are in both tables and have common values, more than one of them.
    """
    positions = np.arange(anonymized.rows) if matching.places is None else matching.places
    partners = positions if matching.partners is None else matching.partners
    if not len(positions):
        return None
    agreements = []
    for name in [name for name in columns if name in original and name in anonymized][:_MAX_COMPARED]:
        column_agreement = _agreeing(original[name], anonymized[name], partners, positions)
        if 0 < column_agreement.by_chance < 1:
            agreements.append(column_agreement)
    if not agreements:
        return None
    n_columns = len(agreements)
    return Agreement(
        sum(column_agreement.observed for column_agreement in agreements) / n_columns,
        sum(column_agreement.by_chance for column_agreement in agreements) / n_columns,
    )


def _agreeing(original: Column, anonymized: Column, partners: Integers, positions: Integers) -> Agreement:
    if SUPPRESSED in anonymized.labels and SUPPRESSED not in original.labels:
        # A suppressed cell was changed: it says nothing about whether the right records were matched.
        is_kept = anonymized.codes[positions] != anonymized.labels.index(SUPPRESSED)
        partners, positions = partners[is_kept], positions[is_kept]
    if not len(positions):
        return Agreement(0.0, 0.0)
    original_codes = indices_in(anonymized.values, original.values)
    before, after = original.codes[partners], original_codes[anonymized.codes[positions]]
    original_shares = np.bincount(before, minlength=original.distinct) / len(positions)
    anonymized_shares = np.bincount(after[after >= 0], minlength=original.distinct) / len(positions)
    return Agreement(float((before == after).mean()), float((original_shares * anonymized_shares).sum()))

"""Which columns hold single values that may be perturbed: what measures of perturbed and synthetic tables rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.guards import require_original_records, require_records
from metrics.aggregates.protocol import Aggregates
from metrics.counting.counts import Combinations, records_by_key
from metrics.errors import Unavailable
from metrics.hierarchies.labels import recoded_labels
from metrics.hierarchies.numerals import unit_of
from metrics.matching.released_values import holds_numbers, is_empty, new_categories, plain_numbers, stand_for_several
from metrics.tables.table import SUPPRESSED, Column, Described, Floats, Integers, Table
from metrics.texts import text

MAX_GROUPED: Final = 0.01
"""Share of a column's cells that may be generalized or suppressed where a measure compares single values."""


@dataclass(frozen=True, eq=False)
class NumberPairs:
    """The pairs of numbers of one column that occur, in a unit in which no square overflows."""

    before: Floats
    after: Floats
    records: Integers
    """Matched records that hold each pair."""
    deviation: float
    """Standard deviation of the original column."""
    unit: float
    """A power of two."""

    @property
    def differ(self) -> bool:
        """Whether each released number differs from the original one."""
        return bool((self.before != self.after).any())


@dataclass(frozen=True, eq=False)
class NumericPairs:
    """The columns whose released numbers are compared with the original's, record by record."""

    pairs: Mapping[str, NumberPairs]
    left_out: tuple[str, ...]
    """Columns of numbers that are generalized in the anonymized table, or that hold no number in both tables."""


def original_of(aggregates: Aggregates) -> Described:
    """The original, wherever its records are. Raises Unavailable without one, or where a table has no records."""
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    if not aggregates.original.rows or not aggregates.anonymized.rows:
        raise Unavailable(text("unavailable.no_records"))
    return aggregates.original


def grouped_shares(
    aggregates: Aggregates, columns: Sequence[str], *, suppressed: bool = True, categories: bool = False
) -> dict[str, float]:
    """By column the share of released cells that represent several values, where it is above 1%.

    `suppressed` tells whether suppressed and emptied cells are among them. Where records are not matched, nothing tells
    whether a missing cell was emptied, so none counts as emptied. `categories` tells whether a word that the original
    lacks is taken for a category of its own.
    """
    original_of(aggregates)
    shares = {name: aggregates.memoize(_grouped_share, name, suppressed, categories) for name in columns}
    return {name: value for name, value in shares.items() if value > MAX_GROUPED}


def _grouped_share(aggregates: Aggregates, name: str, suppressed: bool, categories: bool) -> float:
    original, released = original_of(aggregates)[name], aggregates.anonymized[name]
    hierarchy = aggregates.hierarchies.get(name)
    flags = stand_for_several(original, released, hierarchy)
    if categories and flags.any():
        flags &= ~new_categories(original, released, hierarchy)
    if not suppressed:
        flags &= ~is_empty(released, SUPPRESSED)
    elif aggregates.comparison.unmatched is not None:
        flags &= ~is_empty(released)
    return float(_records(aggregates, released)[flags].sum()) / aggregates.anonymized.rows if flags.any() else 0.0


def replaced_columns(aggregates: Aggregates, columns: Sequence[str]) -> list[str]:
    """The columns in which other values stand for those of the original, as codes for words: equality tells nothing.

    Matched records show it, or most released numbers lie beyond the original's.
    """
    evidence = aggregates.comparison.evidence
    beyond = columns_beyond(aggregates, columns)
    return [name for name in columns if name in beyond or recoded_labels(evidence(name).pair)]


def columns_beyond(aggregates: Aggregates, columns: Sequence[str]) -> list[str]:
    """The columns in which most released numbers are smaller or larger than all of the original's, or it has none."""

    def is_beyond(name: str) -> bool:
        released = aggregates.anonymized[name]
        numbers, known = plain_numbers(released), plain_numbers(original_of(aggregates)[name])
        low, high = (
            np.min(known, initial=np.inf, where=~np.isnan(known)),
            np.max(known, initial=-np.inf, where=~np.isnan(known)),
        )
        beyond = (numbers < low) | (numbers > high)
        return bool(beyond.any() and 2 * _records(aggregates, released)[beyond].sum() > aggregates.anonymized.rows)

    return [name for name in columns if is_beyond(name)]


def _records(aggregates: Aggregates, column: Column) -> Integers:
    """Count the records that hold each value of an anonymized column."""
    if len(column.codes) == aggregates.anonymized.rows:
        return records_by_key(column.codes, column.distinct)
    combinations = aggregates.relation.count([column.name])
    records = np.zeros(column.distinct, dtype=np.int64)
    records[combinations.codes[0]] = combinations.counts
    return records


def require_single_values(aggregates: Aggregates, columns: Sequence[str], *, suppressed: bool = True) -> None:
    """Raise Unavailable where a column is generalized in the anonymized table, or suppressed if that counts."""
    grouped_columns = sorted(grouped_shares(aggregates, columns, suppressed=suppressed))
    if grouped_columns:
        raise Unavailable(
            text("perturbation.unavailable.generalized", columns=grouped_columns, number=len(grouped_columns))
        )


def single_number_columns(aggregates: Aggregates) -> tuple[list[str], tuple[str, ...]]:
    """Quasi-identifiers and sensitive attributes that hold single numbers, and those whose numbers are generalized.

    Raises Unavailable if there is none of the first.
    """
    original = original_of(aggregates)
    names = [
        name
        for name in (*aggregates.roles.quasi_identifiers, *aggregates.roles.sensitive)
        if name in original and name in aggregates.anonymized and holds_numbers(original[name])
    ]
    if not names:
        raise Unavailable(text("perturbation.unavailable.no_numbers"))
    generalized = grouped_shares(aggregates, names, suppressed=False)
    ungrouped = [name for name in names if name not in generalized]
    if not ungrouped:
        columns = sorted(generalized)
        raise Unavailable(text("perturbation.unavailable.generalized", columns=columns, number=len(columns)))
    return ungrouped, tuple(generalized)


def require_no_truthful_release(aggregates: Aggregates, numbers: Sequence[str]) -> None:
    """Raise Unavailable where quasi-identifiers are generalized and none of the numbers is perturbed.

    Such a table releases the numbers as they are by design, so that a measure of perturbation says nothing about it.
    """
    original = original_of(aggregates)
    names = [name for name in aggregates.roles.quasi_identifiers if name in original]
    grouped_columns = sorted(grouped_shares(aggregates, names))
    matched = aggregates.comparison.unmatched is None
    if grouped_columns and not (matched and any(numbers_of(aggregates, name).differ for name in numbers)):
        raise Unavailable(
            text(
                "perturbation.unavailable.truthful",
                columns=grouped_columns,
                number=len(grouped_columns),
                numbers=sorted(numbers),
            )
        )


def numeric_pairs(aggregates: Aggregates) -> NumericPairs:
    """Pairs of original and released numbers of matched records, by column.

    Raises Unavailable where records are not matched, no column holds single numbers in both tables, or the table is
    generalized and none of its numbers perturbed.
    """
    original_of(aggregates)
    if aggregates.comparison.unmatched is not None:
        raise Unavailable(aggregates.comparison.unmatched)
    names, left_out = single_number_columns(aggregates)
    pairs = {name: numbers_of(aggregates, name) for name in names}
    nonempty = {name: pair for name, pair in pairs.items() if len(pair.records)}
    if not nonempty:
        raise Unavailable(text("perturbation.unavailable.no_pair"))
    require_no_truthful_release(aggregates, list(nonempty))
    return NumericPairs(nonempty, (*left_out, *(name for name in pairs if name not in nonempty)))


def numbers_of(aggregates: Aggregates, name: str) -> NumberPairs:
    """The numbers of a column that matched records hold in both tables. Raises Unavailable where none are matched."""
    return aggregates.memoize(_numbers_of, name)


def _numbers_of(aggregates: Aggregates, name: str) -> NumberPairs:
    return number_pairs(aggregates.comparison.pair(name))


def number_pairs(pair: Combinations) -> NumberPairs:
    """The pairs of values of which both are numbers, and the spread of the original column."""
    numbers = [plain_numbers(column) for column in pair.columns]
    with_number = np.flatnonzero(~np.isnan(numbers[0]))
    order = with_number[np.argsort(numbers[0][with_number])]
    unit = unit_of(numbers[0][order]) if len(order) else 1.0
    records = np.bincount(pair.codes[0], weights=pair.counts, minlength=len(numbers[0])).astype(np.int64)
    deviation = standard_deviation(numbers[0][order] / unit, records[order])
    before, after = (column_numbers[codes] / unit for column_numbers, codes in zip(numbers, pair.codes, strict=True))
    both_numbers = ~np.isnan(before) & ~np.isnan(after)
    return NumberPairs(before[both_numbers], after[both_numbers], pair.counts[both_numbers], deviation, unit)


def standard_deviation(numbers: Floats, records: Integers) -> float:
    """Return the standard deviation of a sample (n − 1), as R computes it; 0 for a single record."""
    total = int(records.sum())
    if total < 2:
        return 0.0
    mean = float((numbers * records).sum()) / total
    return float(np.sqrt(((numbers - mean) ** 2 * records).sum() / (total - 1)))


def tables_of_single_values(aggregates: Aggregates) -> tuple[Table, Table, list[str]]:
    """The original and the anonymized table with their records, and the columns with a role that both have.

    Raises Unavailable without an original, where an engine holds the records, or where columns are generalized.
    """
    original_of(aggregates)
    original, released = require_original_records(aggregates), require_records(aggregates)
    roles = aggregates.roles
    names = [name for name in (*roles.quasi_identifiers, *roles.sensitive) if name in original]
    require_single_values(aggregates, names, suppressed=False)
    return original, released, names

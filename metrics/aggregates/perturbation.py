"""Which columns hold single values that may be perturbed: what measures of perturbed and synthetic tables rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.protocol import Aggregates
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.numerals import unit_of
from metrics.matching.released_values import holds_numbers, is_empty, plain_numbers, stand_for_several
from metrics.tables.table import SUPPRESSED, Column, Described, Floats, Integers
from metrics.texts import text

MAX_GROUPED: Final = 0.01
"""Share of a column's cells that may be generalized or suppressed where a measure compares single values."""


@dataclass(frozen=True, eq=False)
class NumericPairs:
    """The columns whose released numbers are compared with the original's, record by record."""

    pairs: Mapping[str, Combinations]
    left_out: tuple[str, ...]
    """Columns of numbers that are generalized in the anonymized table, or that hold no number in both tables."""


def original_of(aggregates: Aggregates) -> Described:
    """The original, wherever its records are. Raises Unavailable without one, or where a table has no records."""
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    if not aggregates.original.rows or not aggregates.anonymized.rows:
        raise Unavailable(text("unavailable.no_records"))
    return aggregates.original


def grouped_shares(aggregates: Aggregates, columns: Sequence[str], *, suppressed: bool = True) -> dict[str, float]:
    """By column the share of released cells that stand for several values, where it is above 1%.

    `suppressed` tells whether suppressed and emptied cells are among them. Where records are not matched, nothing tells
    whether a missing cell was emptied, and none is taken for it.
    """
    original = original_of(aggregates)
    shares: dict[str, float] = {}
    for name in columns:
        released = aggregates.anonymized[name]
        flags = stand_for_several(original[name], released, aggregates.hierarchies.get(name))
        if not suppressed:
            flags &= ~is_empty(released, SUPPRESSED)
        elif aggregates.comparison.unmatched is not None:
            flags &= ~is_empty(released)
        if flags.any():
            share = float(_records(aggregates, released)[flags].sum()) / aggregates.anonymized.rows
            if share > MAX_GROUPED:
                shares[name] = share
    return shares


def _records(aggregates: Aggregates, column: Column) -> Integers:
    """Records that hold each value of an anonymized column."""
    if len(column.codes) == aggregates.anonymized.rows:
        return column.counts()
    counted = aggregates.relation.count([column.name])
    records = np.zeros(column.distinct, dtype=np.int64)
    records[counted.codes[0]] = counted.counts
    return records


def require_single_values(aggregates: Aggregates, columns: Sequence[str], *, suppressed: bool = True) -> None:
    """Raise Unavailable where a column is generalized in the anonymized table, or suppressed if that counts."""
    grouped = sorted(grouped_shares(aggregates, columns, suppressed=suppressed))
    if grouped:
        raise Unavailable(text("perturbation.unavailable.generalized", columns=grouped, number=len(grouped)))


def numeric_columns(aggregates: Aggregates) -> tuple[list[str], tuple[str, ...]]:
    """Quasi-identifiers and sensitive attributes that hold single numbers, and those whose numbers are generalized.

    Raises Unavailable where there is none of the first.
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
    measured = [name for name in names if name not in generalized]
    if not measured:
        columns = sorted(generalized)
        raise Unavailable(text("perturbation.unavailable.generalized", columns=columns, number=len(columns)))
    return measured, tuple(generalized)


def require_no_truthful_release(aggregates: Aggregates, numbers: Sequence[str]) -> None:
    """Raise Unavailable where quasi-identifiers are generalized and none of the numbers is perturbed.

    Such a table releases the numbers as they are by design, so that a measure of perturbation says nothing about it.
    """
    original = original_of(aggregates)
    names = [name for name in aggregates.roles.quasi_identifiers if name in original]
    grouped = sorted(grouped_shares(aggregates, names))
    matched = aggregates.comparison.unmatched is None
    if grouped and not (matched and any(_differs(aggregates.comparison.pair(name)) for name in numbers)):
        raise Unavailable(
            text("perturbation.unavailable.truthful", columns=grouped, number=len(grouped), numbers=sorted(numbers))
        )


def _differs(pair: Combinations) -> bool:
    before, after, _ = numbers_of_pair(pair)
    return bool((before != after).any())


def numeric_pairs(aggregates: Aggregates) -> NumericPairs:
    """Pairs of original and released numbers of matched records, by column.

    Raises Unavailable where records are not matched, no column holds single numbers in both tables, or the table is
    generalized and none of its numbers perturbed.
    """
    original_of(aggregates)
    if aggregates.comparison.unmatched is not None:
        raise Unavailable(aggregates.comparison.unmatched)
    measured, left_out = numeric_columns(aggregates)
    pairs = {name: aggregates.comparison.pair(name) for name in measured}
    held = {name: pair for name, pair in pairs.items() if len(numbers_of_pair(pair)[0])}
    if not held:
        raise Unavailable(text("perturbation.unavailable.no_pair"))
    require_no_truthful_release(aggregates, list(held))
    return NumericPairs(held, (*left_out, *(name for name in pairs if name not in held)))


def numbers_of_pair(pair: Combinations) -> tuple[Floats, Floats, Integers]:
    """Original number, released number and records of each pair that holds both, in the order of the numbers."""
    before, after = (plain_numbers(column)[codes] for column, codes in zip(pair.columns, pair.codes, strict=True))
    both = np.flatnonzero(~np.isnan(before) & ~np.isnan(after))
    order = both[np.lexsort((after[both], before[both]))]
    return before[order], after[order], pair.counts[order]


def standard_deviation(numbers: Floats, records: Integers) -> float:
    """Of a sample (n − 1), as R computes it; 0 for a single record."""
    total = int(records.sum())
    if total < 2:
        return 0.0
    mean = float((numbers * records).sum()) / total
    return float(np.sqrt(((numbers - mean) ** 2 * records).sum() / (total - 1)))


def original_spread(pair: Combinations) -> tuple[float, float]:
    """Standard deviation of the original column, and the unit that it is in: a power of two, so that none overflows."""
    numbers = plain_numbers(pair.columns[0])
    records = np.bincount(pair.codes[0], weights=pair.counts, minlength=len(numbers)).astype(np.int64)
    known = np.flatnonzero(~np.isnan(numbers))
    order = known[np.argsort(numbers[known])]
    unit = unit_of(numbers[order])
    return standard_deviation(numbers[order] / unit, records[order]), unit

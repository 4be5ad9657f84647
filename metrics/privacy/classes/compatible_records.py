"""How many records each record could be confused with where a suppressed or missing cell represents any value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from metrics.aggregates import Aggregates, require_classes
from metrics.config.parameters import CellReading, ClassParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.counting.counts import combination_codes
from metrics.tables.table import SUPPRESSED, Codes, Flags, Floats, Integers

Amounts = TypeVar("Amounts", Integers, Floats)


def compatible_records(aggregates: Aggregates, parameters: ClassParameters) -> Integers | None:
    """For each class the released records compatible with its own, at least these; None if no cell is a wildcard.

    Two records are compatible if in every quasi-identifier they are equal or either cell is a wildcard. That is not
    transitive, so compatible records form no classes. A record of wildcards alone could be anyone's: it is compatible
    with all, but counted for no other, as suppressing records must not protect those that are left. Suppressed records
    are counted for nobody. Raises Unavailable if there is no class, or too many to hold.
    Source: `RiskModelSampleWildcard` of ARX, where suppressed records do not count either; `freqCalc` of M. Templ,
    A. Kowarik, B. Meindl, "Statistical disclosure control for micro-data using the R package sdcMicro", 2015, doi
    10.18637/jss.v067.i04, where they count for records that are suppressed in part, or if there is one column.
    """
    wildcards = _wildcards(parameters)
    if not wildcards:
        return None
    require_classes(aggregates.whole)
    return aggregates.whole.memoize(_compatible_records, wildcards)


def _compatible_records(aggregates: Aggregates, wildcards: tuple[str | None, ...]) -> Integers:
    classes = aggregates.classes
    return _sum_compatible(classes, wildcards, classes.sizes)


def compatible_weights(aggregates: Aggregates, parameters: ClassParameters, weights: Floats) -> Floats:
    """For each class the sum of the weights of its `compatible_records`; its own `weights` if no cell is a wildcard."""
    wildcards = _wildcards(parameters)
    if not wildcards:
        return weights
    return aggregates.memoize(_compatible_weights, wildcards)


def _compatible_weights(aggregates: Aggregates, wildcards: tuple[str | None, ...]) -> Floats:
    weights = aggregates.class_weights
    assert weights is not None
    return _sum_compatible(aggregates.classes, wildcards, weights)


def _wildcards(parameters: ClassParameters) -> tuple[str | None, ...]:
    """The labels that represent any value."""
    readings = ((SUPPRESSED, parameters.suppressed_cell), (None, parameters.missing_cell))
    return tuple(label for label, reading in readings if reading is CellReading.WILDCARD)


def _sum_compatible(classes: EquivalenceClasses, wildcards: Sequence[str | None], amounts: Amounts) -> Amounts:
    """For each class the sum of the amounts of the classes that are compatible with it."""
    wild = np.stack(
        [
            np.isin(code, [column.code_of[label] for label in wildcards if label in column.code_of])
            for column, code in zip(classes.columns, classes.codes, strict=True)
        ],
        axis=1,
    )
    widths = [column.distinct for column in classes.columns]
    return _by_pattern(classes.codes, widths, amounts, wild)


def _by_pattern(codes: Sequence[Codes], widths: Sequence[int], amounts: Amounts, wild: Flags) -> Amounts:
    """Sum over the compatible combinations of each; those with wildcards in the same columns are examined together.

    For one pattern of wildcards, the others fall into groups by the columns in which they alone have one; a combination
    is compatible with those of a group that equal it in all columns where neither has one.
    """
    patterns, pattern = np.unique(wild, axis=0, return_inverse=True)
    members = [np.flatnonzero(pattern == number) for number in range(len(patterns))]
    is_counted = ~patterns.all(axis=1)
    compatible = np.zeros_like(amounts)
    for wildcards, rows in zip(patterns, members, strict=True):
        further = np.unique(patterns & ~wildcards, axis=0, return_inverse=True)
        for number, extra in enumerate(further[0]):
            in_group = (further[1] == number) & (is_counted | wildcards.all())
            if not in_group.any():
                continue
            other_rows = np.concatenate([members[other] for other in np.flatnonzero(in_group)])
            all_rows = np.concatenate([rows, other_rows])
            compared_columns = np.flatnonzero(~(wildcards | extra)).tolist()
            keys, distinct = combination_codes(
                [(codes[column][all_rows], widths[column]) for column in compared_columns], len(all_rows)
            )
            sums = np.bincount(keys[len(rows) :], weights=amounts[other_rows], minlength=distinct)
            compatible[rows] += sums[keys[: len(rows)]].astype(amounts.dtype)
    return compatible

"""How many records each record could be confused with where a suppressed or missing cell represents any value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.aggregates import Aggregates, require_classes
from metrics.config.parameters import CellReading, ClassParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.counting.counts import combination_codes
from metrics.tables.table import SUPPRESSED, Codes, Flags, Integers


def compatible_records(aggregates: Aggregates, parameters: ClassParameters) -> Integers | None:
    """For each class the released records compatible with its own; None if no cell is read as a wildcard.

    Parameters
    ----------
    aggregates
        Of all classes. The records suppressed in every quasi-identifier are compatible with all others if `*` is a
        wildcard; they are counted, and have no figure of their own.
    parameters
        Which cells are wildcards.

    Returns
    -------
    Records per class, at least its own; None if both kinds of cells are values of their own.

    Raises
    ------
    Unavailable
        If there is no class, or too many to hold.

    Notes
    -----
    Two records are compatible if in every quasi-identifier they are equal or either cell is a wildcard. That is not
    transitive, so compatible records form no classes. Source: `freqCalc` of M. Templ, A. Kowarik, B. Meindl,
    "Statistical disclosure control for micro-data using the R package sdcMicro", 2015, doi 10.18637/jss.v067.i04.
    """
    wildcards = _wildcards(parameters)
    if not wildcards:
        return None
    classes = require_classes(aggregates.whole)
    return aggregates.whole.memoize(f"compatible {wildcards}", lambda: _count_compatible(classes, wildcards))


def _wildcards(parameters: ClassParameters) -> list[str | None]:
    """The labels that represent any value."""
    readings = ((SUPPRESSED, parameters.suppressed_cell), (None, parameters.missing_cell))
    return [label for label, reading in readings if reading is CellReading.WILDCARD]


def _count_compatible(classes: EquivalenceClasses, wildcards: Sequence[str | None]) -> Integers:
    codes, sizes = list(classes.codes), classes.sizes
    if classes.suppressed:
        stars = [column.code_of[SUPPRESSED] for column in classes.columns]
        codes = [np.append(code, np.int32(star)) for code, star in zip(codes, stars, strict=True)]
        sizes = np.append(sizes, classes.suppressed)
    wild = np.stack(
        [
            np.isin(code, [column.code_of[label] for label in wildcards if label in column.code_of])
            for column, code in zip(classes.columns, codes, strict=True)
        ],
        axis=1,
    )
    widths = [column.distinct for column in classes.columns]
    return _by_pattern(codes, widths, sizes, wild)[: classes.count]


def _by_pattern(codes: Sequence[Codes], widths: Sequence[int], sizes: Integers, wild: Flags) -> Integers:
    """Compatible records of every combination; those with wildcards in the same columns are examined together.

    For one pattern of wildcards, the others fall into groups by the columns in which they alone have one; a combination
    is compatible with those of a group that equal it in all columns where neither has one.
    """
    patterns, pattern = np.unique(wild, axis=0, return_inverse=True)
    members = [np.flatnonzero(pattern == number) for number in range(len(patterns))]
    compatible = np.zeros(len(sizes), dtype=np.int64)
    for wildcards, rows in zip(patterns, members, strict=True):
        further = np.unique(patterns & ~wildcards, axis=0, return_inverse=True)
        for number, extra in enumerate(further[0]):
            other_rows = np.concatenate([members[other] for other in np.flatnonzero(further[1] == number)])
            all_rows = np.concatenate([rows, other_rows])
            compared_columns = np.flatnonzero(~(wildcards | extra)).tolist()
            keys, distinct = combination_codes(
                [(codes[column][all_rows], widths[column]) for column in compared_columns], len(all_rows)
            )
            records = np.bincount(keys[len(rows) :], weights=sizes[other_rows], minlength=distinct)
            compatible[rows] += records[keys[: len(rows)]].astype(np.int64)
    return compatible

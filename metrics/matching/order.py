"""Whether records that are matched by position belong together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from metrics.counting.counts import Combinations
from metrics.errors import InputError
from metrics.tables.dictionary_codes import indices_in
from metrics.tables.table import SUPPRESSED, Codes, Column, Described, Integers, Table

_MIN_RECORDS: Final = 100
_FEWEST: Final = 20
_SEVERAL: Final = 2
_ASKED: Final = 10_000
"""Records that show well enough whether a column differs by position."""
_GROUPS: Final = 8
_FEW: Final = 2
_FEW_SHARE: Final = 0.001
"""Records that a reordered table may hold instead of others."""
_RELATED: Final = 5.0
"""Standard deviations of chi-square above its mean under independence from which on two columns are related."""
_INFORMATIVE: Final = 20.0
"""As many must be possible, or the column says nothing of the order."""

MOST_COLUMNS: Final = "most columns agree only by chance"
SAME_RECORDS: Final = "most of its records stand there in other rows"


def are_unrelated(pairs: Iterable[Combinations], n_pairs: int) -> bool:
    """Whether most columns of the anonymized table do not depend on the original's, although they would in one order.

    A column that is generalized, perturbed or partly suppressed still depends on the original's. Some columns also do
    in tables of which only parts are in one order, such as files sorted within wards. Columns say nothing where they
    are constant, unique or of few records, and where values of the original occur more often than there: those were
    perturbed, however strongly.

    `pairs`: by column, the counts of its (original, anonymized) values over matched records; asked for as far as
    needed.
    """
    related = unrelated = 0
    for pair in pairs:
        statistic, largest = _dependence(pair)
        related += statistic > _RELATED
        unrelated += statistic <= _RELATED and largest > _INFORMATIVE and not _is_perturbed(pair)
        if 2 * related >= n_pairs:
            return False
    return unrelated > related


def are_displaced(original: Table, anonymized: Table, names: Iterable[str]) -> bool:
    """Whether the table holds the original's own records in another order, though some columns agree by position.

    By the columns whose values were neither generalized nor perturbed: their combinations tell most records apart, none
    of them is more frequent than in the original, and yet several columns differ by position. One alone may be swapped.
    """
    columns = [
        (original[name].codes, anonymized[name].codes, places)
        for name in names
        if (places := _unchanged_values(original[name], anonymized[name])) is not None
    ]
    some = slice(None, None, max(original.rows // _ASKED, 1))
    displaced = sum(_differ(before[some], places[after[some]]) for before, after, places in columns)
    if original.rows < _FEWEST or displaced < _SEVERAL:
        return False
    shown = np.all([places[after] >= 0 for _, after, places in columns], axis=0)
    cells = [np.hstack([before, places[after[shown]]]) for before, after, places in columns]
    _, combination = np.unique(np.vstack(cells), axis=1, return_inverse=True)
    of_original = np.bincount(combination[: original.rows], minlength=combination.max() + 1)
    of_released = np.bincount(combination[original.rows :], minlength=combination.max() + 1)
    return bool(2 * np.count_nonzero(of_released) > original.rows and (of_released <= of_original).all())


def _unchanged_values(original: Column, released: Column) -> Codes | None:
    """Codes of the released values in the original's column, -1 for `*`; None where there are others, or none."""
    stars = np.arange(released.distinct) == released.code_of.get(SUPPRESSED)
    places: Codes = np.where(stars, np.int32(-1), indices_in(released.values, original.values))
    shown = places[~stars]
    return places if len(shown) and (shown >= 0).all() else None


def _differ(before: Codes, after: Codes) -> bool:
    return bool(((before != after) & (after >= 0)).any())


def _dependence(pair: Combinations) -> tuple[float, float]:
    """Chi-square of the contingency table and its largest possible value, in standard deviations from its mean."""
    records = int(pair.counts.sum())
    if records < _MIN_RECORDS:
        return 0.0, 0.0
    before, after = (_groups(*side, pair.counts) for side in zip(pair.columns, pair.codes, strict=True))
    table = np.zeros((_GROUPS, _GROUPS))
    np.add.at(table, (before, after), pair.counts)
    table = table[table.any(axis=1)][:, table.any(axis=0)]
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    if not freedom:
        return 0.0, 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / records
    statistics = np.array([((table - expected) ** 2 / expected).sum(), records * (min(table.shape) - 1)])
    statistic, largest = (statistics - freedom) / np.sqrt(2 * freedom)
    return float(statistic), float(largest)


def _is_perturbed(pair: Combinations) -> bool:
    """Whether a column of values of the original holds some more often than the original does."""
    original, released = pair.columns
    before = np.bincount(pair.codes[0], weights=pair.counts, minlength=original.distinct)
    after = np.bincount(pair.codes[1], weights=pair.counts, minlength=released.distinct)
    places = indices_in(released.values, original.values)
    known = places >= 0
    if 2 * after[known].sum() < after.sum():
        return False
    more = after.copy()
    more[known] -= before[places[known]]
    stars = released.code_of.get(SUPPRESSED)
    if stars is not None:
        more[stars] = 0
    return bool(np.maximum(more, 0).sum() > _FEW + _FEW_SHARE * after.sum())


def _groups(column: Column, codes: Codes, counts: Integers) -> Integers:
    """For each combination the group of its value: at most so many of about equal size, in the order of the values."""
    order = column.order
    totals = np.bincount(codes, weights=counts, minlength=column.distinct)[order]
    group_of = np.empty(column.distinct, dtype=np.int64)
    group_of[order] = (np.cumsum(totals) - totals / 2) * _GROUPS / totals.sum()
    return group_of[codes]


def reordered(original: Described, anonymized: Described, sign: str = MOST_COLUMNS) -> InputError:
    """Why records in another order are not matched by position."""
    return InputError(
        f"the records seem to be in another order than those of {original.name}: {sign}",
        remedy="load the table in the original's order, or set a column that identifies records in both tables as key",
        file=anonymized.name,
    )

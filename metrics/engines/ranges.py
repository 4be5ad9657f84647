"""Conditions that any engine can evaluate: ranges of classes in canonical order, and sets of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from metrics.engines.vocabulary import Vocabulary
from metrics.tables.table import Flags


def between(
    places: Sequence[str], vocabularies: Sequence[Vocabulary], first: Sequence[int], last: Sequence[int]
) -> nw.Expr | None:
    """Records whose codes lie between two combinations, both included, in lexicographic order.

    A bound may have fewer values than there are columns: it includes every combination that begins with it. None if
    the range includes all records.
    """
    if not first and not last:
        return None
    place, values = places[0], vocabularies[0]
    low, high = first[0] if first else 0, last[0] if last else values.width - 1
    rest = partial(between, places[1:], vocabularies[1:])
    if first and last and low == high:
        begun, same = _in_range(place, values, low, low + 1), rest(first[1:], last[1:])
        return begun if same is None else begun & same
    parts = []
    above, below = rest(first[1:], ()), rest((), last[1:])
    if above is not None:
        parts.append(_in_range(place, values, low, low + 1) & above)
        low += 1
    if below is not None:
        parts.append(_in_range(place, values, high, high + 1) & below)
        high -= 1
    if low == 0 and high == values.width - 1:
        return None
    if low <= high:
        parts.append(_in_range(place, values, low, high + 1))
    return reduce(or_, parts)


def _in_range(place: str, values: Vocabulary, first: int, last: int) -> nw.Expr:
    """Records whose code is at least `first` and less than `last`."""
    codes = np.arange(values.width)
    return has_value(place, values, (codes >= first) & (codes < last))


def has_value(place: str, values: Vocabulary, codes: Flags) -> nw.Expr:
    """Records whose code is marked."""
    raw, null = values.raw_of(codes)
    cells = raw.to_pylist()
    numbers = [cell for cell in cells if not (isinstance(cell, float) and math.isnan(cell))]
    parts = [nw.col(place).is_in(numbers) & ~nw.col(place).is_null()] if numbers or not (cells or null) else []
    if len(numbers) < len(cells):
        # Bare, DuckDB answers this from the statistics of a Parquet file, which leave NaN out, and finds no record.
        parts.append(nw.col(place).is_nan().fill_null(False))
    if null:
        parts.append(nw.col(place).is_null())
    return reduce(or_, parts)


def has_value_pair(
    places: tuple[str, str], values: tuple[Vocabulary, Vocabulary], codes: tuple[npt.NDArray[Any], npt.NDArray[Any]]
) -> nw.Expr:
    """Records with one of the given pairs of codes in two columns; needs at least one pair."""
    parts = []
    for after in np.unique(codes[1]):
        others = np.unique(codes[0][codes[1] == after])
        first = has_value(places[0], values[0], np.isin(np.arange(values[0].width), others))
        parts.append(first & has_value(places[1], values[1], np.arange(values[1].width) == after))
    return reduce(or_, parts)

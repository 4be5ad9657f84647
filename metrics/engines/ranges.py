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
    column, values = places[0], vocabularies[0]
    low, high = first[0] if first else 0, last[0] if last else values.width - 1
    between_rest = partial(between, places[1:], vocabularies[1:])
    if first and last and low == high:
        leading, following = _in_range(column, values, low, low + 1), between_rest(first[1:], last[1:])
        return leading if following is None else leading & following
    conditions = []
    from_first, to_last = between_rest(first[1:], ()), between_rest((), last[1:])
    if from_first is not None:
        conditions.append(_in_range(column, values, low, low + 1) & from_first)
        low += 1
    if to_last is not None:
        conditions.append(_in_range(column, values, high, high + 1) & to_last)
        high -= 1
    if low == 0 and high == values.width - 1:
        return None
    if low <= high:
        conditions.append(_in_range(column, values, low, high + 1))
    return reduce(or_, conditions)


def _in_range(column: str, values: Vocabulary, start: int, stop: int) -> nw.Expr:
    """Records whose code is at least `first` and less than `last`."""
    codes = np.arange(values.width)
    return has_value(column, values, (codes >= start) & (codes < stop))


def has_value(place: str, values: Vocabulary, codes: Flags) -> nw.Expr:
    """Records whose code is marked."""
    raw, has_null = values.raw_of(codes)
    cells = raw.to_pylist()
    comparable_cells = [cell for cell in cells if not (isinstance(cell, float) and math.isnan(cell))]
    conditions = (
        [nw.col(place).is_in(comparable_cells) & ~nw.col(place).is_null()]
        if comparable_cells or not (cells or has_null)
        else []
    )
    if len(comparable_cells) < len(cells):
        # Bare, DuckDB answers this from the statistics of a Parquet file, which leave NaN out, and finds no record.
        conditions.append(nw.col(place).is_nan().fill_null(False))
    if has_null:
        conditions.append(nw.col(place).is_null())
    return reduce(or_, conditions)


def has_value_pair(
    places: tuple[str, str], values: tuple[Vocabulary, Vocabulary], codes: tuple[npt.NDArray[Any], npt.NDArray[Any]]
) -> nw.Expr:
    """Records with one of the given pairs of codes in two columns; needs at least one pair."""
    conditions = []
    for after in np.unique(codes[1]):
        originals = np.unique(codes[0][codes[1] == after])
        is_original = has_value(places[0], values[0], np.isin(np.arange(values[0].width), originals))
        conditions.append(is_original & has_value(places[1], values[1], np.arange(values[1].width) == after))
    return reduce(or_, conditions)

"""A range of classes in the canonical order, as a condition that any engine can test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, reduce
from operator import or_

import narwhals as nw
import numpy as np
import numpy.typing as npt

from metrics.engines.vocabulary import Vocabulary


def between(
    places: Sequence[str], vocabularies: Sequence[Vocabulary], first: Sequence[int], last: Sequence[int]
) -> nw.Expr | None:
    """Records whose values' codes lie between two combinations, both included, in lexicographic order.

    A bound may be shorter than the columns are: it includes all combinations that begin so. None where all records lie
    there.
    """
    if not first and not last:
        return None
    place, values = places[0], vocabularies[0]
    low, high = first[0] if first else 0, last[0] if last else values.width - 1
    rest = partial(between, places[1:], vocabularies[1:])
    if first and last and low == high:
        begun, same = _among(place, values, low, low + 1), rest(first[1:], last[1:])
        return begun if same is None else begun & same
    parts = []
    above, below = rest(first[1:], ()), rest((), last[1:])
    if above is not None:
        parts.append(_among(place, values, low, low + 1) & above)
        low += 1
    if below is not None:
        parts.append(_among(place, values, high, high + 1) & below)
        high -= 1
    if low == 0 and high == values.width - 1:
        return None
    if low <= high:
        parts.append(_among(place, values, low, high + 1))
    return reduce(or_, parts)


def _among(place: str, values: Vocabulary, first: int, last: int) -> nw.Expr:
    """Records whose value's code is from `first` to before `last`."""
    codes = np.arange(values.width)
    return any_of(place, values, (codes >= first) & (codes < last))


def any_of(place: str, values: Vocabulary, codes: npt.NDArray[np.bool_]) -> nw.Expr:
    """Records whose value's code is marked."""
    raw, null = values.raw_of(codes)
    cells = raw.to_pylist()
    numbers = [cell for cell in cells if not (isinstance(cell, float) and math.isnan(cell))]
    parts = [nw.col(place).is_in(numbers) & ~nw.col(place).is_null()]
    if len(numbers) < len(cells):
        parts.append(nw.col(place).is_nan() & ~nw.col(place).is_null())
    if null:
        parts.append(nw.col(place).is_null())
    return reduce(or_, parts)

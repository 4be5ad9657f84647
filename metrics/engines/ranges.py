"""A range of classes in the canonical order, as a condition that any engine can test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import or_

import narwhals as nw

from metrics.engines.vocabulary import Vocabulary


def between(
    places: Sequence[str], vocabularies: Sequence[Vocabulary], first: Sequence[int], last: Sequence[int]
) -> nw.Expr:
    """Records whose values' codes lie between two combinations, both included, in lexicographic order."""
    if len(places) == 1 or first[0] != last[0]:
        return _either(places, vocabularies, first, last)
    same = _among(places[0], vocabularies[0], first[0], first[0] + 1)
    return same & between(places[1:], vocabularies[1:], first[1:], last[1:])


def _either(
    places: Sequence[str], vocabularies: Sequence[Vocabulary], first: Sequence[int], last: Sequence[int]
) -> nw.Expr:
    place, values = places[0], vocabularies[0]
    if len(places) == 1:
        return _among(place, values, first[0], last[0] + 1)
    parts = [
        _among(place, values, first[0], first[0] + 1) & _from(places[1:], vocabularies[1:], first[1:], upwards=True),
        _among(place, values, last[0], last[0] + 1) & _from(places[1:], vocabularies[1:], last[1:], upwards=False),
    ]
    if last[0] - first[0] > 1:
        parts.append(_among(place, values, first[0] + 1, last[0]))
    return reduce(or_, parts)


def _from(places: Sequence[str], vocabularies: Sequence[Vocabulary], bound: Sequence[int], *, upwards: bool) -> nw.Expr:
    """Combinations at or above a bound, or at or below it."""
    place, values, code = places[0], vocabularies[0], bound[0]
    if len(places) == 1:
        return _among(place, values, code, values.width) if upwards else _among(place, values, 0, code + 1)
    rest = _from(places[1:], vocabularies[1:], bound[1:], upwards=upwards)
    equal = _among(place, values, code, code + 1) & rest
    beyond = (code + 1, values.width) if upwards else (0, code)
    return equal | _among(place, values, *beyond) if beyond[0] < beyond[1] else equal


def _among(place: str, values: Vocabulary, first: int, last: int) -> nw.Expr:
    """Records whose value's code is from `first` to before `last`."""
    raw, null = values.raw_of(first, last)
    cells = raw.to_pylist()
    numbers = [cell for cell in cells if not (isinstance(cell, float) and math.isnan(cell))]
    parts = [nw.col(place).is_in(numbers) & ~nw.col(place).is_null()]
    if len(numbers) < len(cells):
        parts.append(nw.col(place).is_nan() & ~nw.col(place).is_null())
    if null:
        parts.append(nw.col(place).is_null())
    return reduce(or_, parts)

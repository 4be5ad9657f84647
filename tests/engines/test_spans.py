"""Spans of combinations: together they hold each one once, and none of them too many."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from metrics.engines.ranges import between
from metrics.engines.spans import spans
from metrics.engines.vocabulary import Vocabulary
from metrics.tables.table import Column

WIDTHS = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@given(widths=WIDTHS, data=st.data())
def test_spans_hold_every_combination_once(widths: list[int], data: st.DataObject) -> None:
    every = [tuple(map(int, combination)) for combination in np.ndindex(*widths)]
    known = data.draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(known), max_size=len(known)))
    most = data.draw(st.integers(1, 8))
    of = dict(zip(known, weights, strict=True))

    def extend_prefixes(too_large: Sequence[tuple[int, ...]]) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        depth = len(too_large[0])
        numbers: dict[tuple[int, ...], int] = {}
        for combination, number in sorted(of.items()):
            if combination[:depth] in too_large:
                begin = combination[: depth + 1]
                numbers[begin] = numbers.get(begin, 0) + number
        codes = tuple(np.array(code, dtype=np.int32) for code in zip(*numbers, strict=True))
        return codes, np.array(list(numbers.values()))

    found = spans(extend_prefixes, len(widths), most)
    places = [f"c{at}" for at in range(len(widths))]
    vocabularies = [vocabulary(place, width) for place, width in zip(places, widths, strict=True)]
    frame = pl.DataFrame({place: [str(one[at]) for one in every] for at, place in enumerate(places)})
    met: list[tuple[int, ...]] = []
    for span in found:
        condition = between(places, vocabularies, span.first, span.last)
        chosen = nw.from_native(frame) if condition is None else nw.from_native(frame).filter(condition)
        inside = [tuple(map(int, row)) for row in chosen.rows()]
        held = [combination for combination in inside if combination in of]
        assert sum(of[combination] for combination in held) == span.combinations
        assert span.combinations <= most or len(held) == 1
        met += held
    assert met == sorted(known)


def vocabulary(name: str, width: int) -> Vocabulary:
    """The values 0, 1, ... as text, none of them null."""
    values = pa.array([str(code) for code in range(width)])
    column = Column(name, np.empty(0, dtype=np.int32), values)
    return Vocabulary(column, values, np.append(np.arange(width, dtype=np.int32), np.int32(-1)))

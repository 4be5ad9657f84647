"""How many combinations there are, and ranges of them that hold few each, without a list of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from metrics.rollup import begins
from metrics.table import Codes, Integers

Frame = nw.LazyFrame[Any]
Level = tuple[tuple[Codes, ...], Integers]
"""Combinations of the first columns in their order, and how many longer ones begin with each."""


@dataclass(frozen=True)
class Span:
    """Combinations between two that may be given by their first values alone; both included."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    combinations: int
    """About how many."""


def spans(longer: Callable[[Sequence[tuple[int, ...]]], Level], depth: int, most: int) -> list[Span]:
    """All combinations in their order, divided into ranges of at most `most`, unless fewer cannot be told apart.

    `longer` tells for combinations of the first columns, all of one length (at first for the empty one), which are
    longer by one column, and how many each stands for; `depth` is the number of columns.
    """
    found: list[Span] = []
    crowded: list[tuple[int, ...]] = [()]
    while crowded:
        codes, numbers = longer(crowded)
        length, crowded = len(codes), []
        starts = np.flatnonzero(begins(codes[:-1], len(numbers)))
        for begin, end in zip(starts, np.append(starts[1:], len(numbers)), strict=True):
            for one in _runs(codes, numbers, int(begin), int(end), most):
                if one.combinations > most and length < depth:
                    crowded.append(one.first)
                else:
                    found.append(one)
    return _joined(sorted(found, key=lambda one: one.first), most)


def _runs(codes: tuple[Codes, ...], numbers: Integers, begin: int, end: int, most: int) -> Iterator[Span]:
    """As many neighbours together as stand for at most `most`; one alone that stands for more."""
    reached = np.cumsum(numbers[begin:end])
    first = begin
    while first < end:
        before = int(reached[first - begin - 1]) if first > begin else 0
        last = max(int(np.searchsorted(reached, before + most, side="right")) + begin, first + 1)
        low, high = (tuple(int(code[at]) for code in codes) for at in (first, last - 1))
        yield Span(low, high, int(reached[last - begin - 1]) - before)
        first = last


def _joined(found: Sequence[Span], most: int) -> list[Span]:
    joined: list[Span] = []
    for one in found:
        if joined and joined[-1].combinations + one.combinations <= most:
            together = joined[-1].combinations + one.combinations
            joined[-1] = Span(joined[-1].first, one.last, together)
        else:
            joined.append(one)
    return joined


def numbers_of(frame: Frame, sets: Sequence[Sequence[str]]) -> list[Frame]:
    """Frames of one row whose columns tell in turn how many different combinations each set of columns has.

    DuckDB and Spark tell about how many, to some 10%, for to tell them apart takes memory that they may not have.
    """
    native = frame.to_native()
    if frame.implementation.is_duckdb():
        return [nw.from_native(native.aggregate(", ".join(map(_about, sets))))]
    if frame.implementation.is_pyspark():
        from pyspark.sql import functions

        told = [functions.approx_count_distinct(functions.xxhash64(*of)).alias(f"n{at}") for at, of in enumerate(sets)]
        return [nw.from_native(native.agg(*told))]
    return [frame.select(*of).unique().select(nw.len()) for of in sets]


def numbers_by(frame: Frame, by: Sequence[str], of: Sequence[str]) -> Frame:
    """For each combination of the columns `by` in how many of the columns `of` it stands, as `records`."""
    if frame.implementation.is_duckdb():
        columns = ", ".join(by)
        counted: Frame = nw.from_native(frame.to_native().aggregate(f"{columns}, {_about(of)} AS records", columns))
        return counted
    return frame.select(*dict.fromkeys((*by, *of))).unique().group_by(*by).agg(nw.len().alias("records"))


def _about(of: Sequence[str]) -> str:
    return f"approx_count_distinct(hash({', '.join(of)}))"


@contextmanager
def kept(counted: Frame) -> Iterator[Frame | None]:
    """Counted combinations held by the engine, so that it need not count them again; None where it does not.

    Spark holds them in the memory of its workers, or beside it on their disks. DuckDB holds nothing: it may not have
    the memory, and counts a range of them from the files as fast.
    """
    if not counted.implementation.is_pyspark():
        yield None
        return
    held = counted.to_native().persist()
    try:
        yield nw.from_native(held)
    finally:
        held.unpersist()

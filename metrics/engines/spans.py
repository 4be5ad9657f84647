"""Divides the combinations of columns into small ranges without listing them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from metrics.counting.marginal_counts import group_starts
from metrics.tables.table import Codes, Integers

Frame = nw.LazyFrame[Any]
Level = tuple[tuple[Codes, ...], Integers]
"""Combinations of the first columns in order, and how many longer combinations begin with each."""


@dataclass(frozen=True)
class Span:
    """The combinations between two bounds, both included; a bound may consist of the first values only."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    combinations: int
    """Approximate number of combinations."""


def spans(extend_prefixes: Callable[[Sequence[tuple[int, ...]]], Level], depth: int, size: int) -> list[Span]:
    """All combinations in order, in ranges of at most `size`; one combination of `depth` columns is never divided.

    `extend_prefixes` takes prefixes of one length (first the empty one), and returns those longer by one column with
    the number of combinations each represents. `depth` is the number of columns.
    """
    all_spans: list[Span] = []
    too_large: list[tuple[int, ...]] = [()]
    while too_large:
        codes, counts = extend_prefixes(too_large)
        length, too_large = len(codes), []
        starts = np.flatnonzero(group_starts(codes[:-1], len(counts)))
        for start, stop in zip(starts, np.append(starts[1:], len(counts)), strict=True):
            for span in _runs(codes, counts, int(start), int(stop), size):
                if span.combinations > size and length < depth:
                    too_large.append(span.first)
                else:
                    all_spans.append(span)
    return _joined_spans(sorted(all_spans, key=lambda span: span.first), size)


def _runs(codes: tuple[Codes, ...], counts: Integers, begin: int, end: int, size: int) -> Iterator[Span]:
    """Runs of neighbours that together represent at most `size`; a larger one is a run by itself."""
    cumulative_counts = np.cumsum(counts[begin:end])
    start = begin
    while start < end:
        offset = int(cumulative_counts[start - begin - 1]) if start > begin else 0
        stop = max(int(np.searchsorted(cumulative_counts, offset + size, side="right")) + begin, start + 1)
        low, high = (tuple(int(code[index]) for code in codes) for index in (start, stop - 1))
        yield Span(low, high, int(cumulative_counts[stop - begin - 1]) - offset)
        start = stop


def _joined_spans(spans_in_order: Sequence[Span], size: int) -> list[Span]:
    joined_spans: list[Span] = []
    for span in spans_in_order:
        if joined_spans and joined_spans[-1].combinations + span.combinations <= size:
            n_combinations = joined_spans[-1].combinations + span.combinations
            joined_spans[-1] = Span(joined_spans[-1].first, span.last, n_combinations)
        else:
            joined_spans.append(span)
    return joined_spans


def distinct_counts(frame: Frame, sets: Sequence[Sequence[str]]) -> list[Frame]:
    """Frames of one row: the number of distinct combinations of each set of columns.

    DuckDB and Spark estimate it, to about 10%, because an exact count can exceed their memory.
    """
    native = frame.to_native()
    if frame.implementation.is_duckdb():
        return [nw.from_native(native.aggregate(", ".join(map(_approximate_distinct, sets))))]
    if frame.implementation.is_pyspark():
        from pyspark.sql import functions

        estimates = [
            functions.approx_count_distinct(functions.xxhash64(*columns)).alias(f"n{index}")
            for index, columns in enumerate(sets)
        ]
        return [nw.from_native(native.agg(*estimates))]
    return [frame.select(*columns).unique().select(nw.len()) for columns in sets]


def distinct_counts_by(frame: Frame, by: Sequence[str], targets: Sequence[str]) -> Frame:
    """For each combination of the columns `by`, the number of distinct combinations of `targets`, as `records`."""
    if frame.implementation.is_duckdb():
        columns = ", ".join(by)
        counts_frame: Frame = nw.from_native(
            frame.to_native().aggregate(f"{columns}, {_approximate_distinct(targets)} AS records", columns)
        )
        return counts_frame
    return frame.select(*dict.fromkeys((*by, *targets))).unique().group_by(*by).agg(nw.len().alias("records"))


def _approximate_distinct(columns: Sequence[str]) -> str:
    return f"approx_count_distinct(hash({', '.join(columns)}))"


@contextmanager
def persisted(counted: Frame) -> Iterator[Frame | None]:
    """A frame of counts that the engine keeps, so that it need not count again; None if it does not keep it.

    Spark keeps it in the memory of its workers, or on their disks. DuckDB may lack the memory, and counts a range from
    the files as fast.
    """
    if not counted.implementation.is_pyspark():
        yield None
        return
    native_frame = counted.to_native().persist()
    try:
        yield nw.from_native(native_frame)
    finally:
        native_frame.unpersist()

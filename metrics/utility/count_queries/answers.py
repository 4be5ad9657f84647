"""Answers to count queries: the count in the original, and what a recipient can say of it from the released table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.joint_counts import original_counts, released_counts
from metrics.aggregates.label_shares import original_shares, released_shares
from metrics.counting.counts import Combinations
from metrics.hierarchies.shares import Domain, Shares
from metrics.interruption import report
from metrics.tables.table import Column, Flags, Floats
from metrics.tables.values import parse_number
from metrics.utility.count_queries.workload import Asked, Query, numbers_of

SANITY_BOUND = 0.001
"""Errors are relative to at least this share of the records, or queries that hardly any record fits would rule."""
_MAX_CELLS = 2**22
"""Combinations times queries that are examined together: bounds the memory."""


@dataclass(frozen=True)
class Answer:
    """The answer to one query."""

    query: Query
    true: int
    """Records of the original."""
    estimate: float
    """Records that a recipient expects."""
    smallest: int
    """Released records that are surely counted."""
    largest: int
    """Released records that can be counted."""
    all_suppressed: float
    """Records expected by somebody who knows only the domains and the number of records."""
    unit: float
    """What errors are relative to, in records."""

    @property
    def error(self) -> float:
        """The relative error of the estimate."""
        return abs(self.estimate - self.true) / self.unit

    @property
    def width(self) -> float:
        """How far the bounds are apart, in the same unit."""
        return (self.largest - self.smallest) / self.unit

    @property
    def is_within_bounds(self) -> bool:
        """Whether the true count is between the bounds."""
        return self.smallest <= self.true <= self.largest


def answers(aggregates: Aggregates, queries: Sequence[Query]) -> list[Answer]:
    """The answer to each query, in their order; those on the same columns are answered together.

    The aggregates have an original with records, whose columns the queries name. Raises Unavailable.
    """
    by_columns: dict[tuple[str, ...], list[int]] = {}
    for position, query in enumerate(queries):
        by_columns.setdefault(tuple(query), []).append(position)
    found: dict[int, Answer] = {}
    for names, positions in by_columns.items():
        counted = original_counts(aggregates, names), released_counts(aggregates, names)
        at_once = max(1, _MAX_CELLS // max(1, *(len(combinations.counts) for combinations in counted)))
        for start in range(0, len(positions), at_once):
            part = positions[start : start + at_once]
            answered = _answered_together(aggregates, counted, [queries[position] for position in part])
            found.update(zip(part, answered, strict=True))
        report(len(found) / len(queries))
    return [found[position] for position in range(len(queries))]


def _answered_together(
    aggregates: Aggregates, counted: tuple[Combinations, Combinations], queries: Sequence[Query]
) -> list[Answer]:
    """Answers to queries on the same columns, by the counts of their values before and after."""
    before, after = counted
    holds, chances = (np.ones((len(combinations.counts), len(queries))) for combinations in counted)
    uniform = np.ones(len(queries))
    for number, name in enumerate(queries[0]):
        asked = [query[name] for query in queries]
        original, released = original_shares(aggregates, name), released_shares(aggregates, name)
        flags = _flags(released.domain, asked)
        holds *= _chances(original, before.columns[number], asked, flags, 0)[before.codes[number]]
        whole = flags[: released.domain.size].mean(axis=0)
        chances *= _chances(released, after.columns[number], asked, flags, whole)[after.codes[number]]
        uniform *= whole
    rows = int(before.counts.sum())
    figures = zip(
        queries,
        (before.counts @ holds).tolist(),
        (after.counts @ chances).tolist(),
        (after.counts @ (chances == 1)).tolist(),
        (after.counts @ (chances > 0)).tolist(),
        (rows * uniform).tolist(),
        strict=True,
    )
    return [
        Answer(query, round(true), estimate, smallest, largest, nothing_known, max(true, SANITY_BOUND * rows))
        for query, true, estimate, smallest, largest, nothing_known in figures
    ]


def _flags(domain: Domain, asked: Sequence[Asked]) -> Flags:
    """Whether each value of the domain is asked for, by value and query."""
    numbers = numbers_of(domain)
    flags = np.zeros((domain.column.distinct, len(asked)), dtype=bool)
    for query, each in enumerate(asked):
        if not each.is_range:
            flags[[domain.column.code_of[value] for value in each.values], query] = True
        elif numbers is not None:
            flags[:, query] = (each.low <= numbers) & (numbers <= each.high)
    return flags


def _chances(shares: Shares, labels: Column, asked: Sequence[Asked], flags: Flags, unknown: Floats | float) -> Floats:
    """The chance that a label stands for a value asked for, by label and query; `unknown` is that of unknown cells.

    A number outside the domain is asked for or not.
    """
    pairs = np.ones(len(shares.label)), (shares.label, shares.value)
    covers = scipy.sparse.csr_array(pairs, shape=(len(shares.unknown), len(flags)))
    chances: Floats = (covers @ flags.astype(np.float64)) / np.maximum(shares.sizes, 1)[:, np.newaxis]
    chances[shares.unknown] = unknown
    outside = np.flatnonzero(shares.outside)
    if len(outside):
        written = [parse_number(labels.labels[code], labels.decimal) for code in outside]
        numbers = np.array(written, dtype=np.float64)[:, np.newaxis]
        low, high = (np.array(ends) for ends in zip(*((each.low, each.high) for each in asked), strict=True))
        chances[outside] = (low <= numbers) & (numbers <= high)
    return chances

"""What the labels of a column tell, released and original, by the domain that both tables and the hierarchy give."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa

from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.protocol import Aggregates
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Domain, Shares, domain_of, numbers_of, shares_of
from metrics.matching.released_values import plain_numbers
from metrics.tables.table import Column, Floats


def column_domain(aggregates: Aggregates, name: str) -> Domain:
    """The values that a column of the anonymized table can hold. Raises Unavailable where nothing tells them."""
    return aggregates.whole.memoize(_domain, name)


def released_shares(aggregates: Aggregates, name: str) -> Shares:
    """By label of an anonymized column the values of its domain that it covers. Raises Unavailable."""
    return aggregates.whole.memoize(_released, name)


def original_shares(aggregates: Aggregates, name: str) -> Shares:
    """By label of an original column the values of its domain that it covers: itself, as a rule. Raises Unavailable."""
    return aggregates.whole.memoize(_original, name)


def _domain(aggregates: Aggregates, name: str) -> Domain:
    original = aggregates.original
    return domain_of(
        None if original is None or name not in original else original[name],
        _released_column(aggregates, name),
        aggregates.hierarchies.get(name),
        partial(aggregates.comparison.evidence, name),
    )


def _released_column(aggregates: Aggregates, name: str) -> Column:
    """The anonymized column; the original's where the anonymized table lacks it."""
    original, released = aggregates.original, aggregates.anonymized
    return original[name] if name not in released and original is not None else released[name]


def _released(aggregates: Aggregates, name: str) -> Shares:
    evidence = partial(aggregates.comparison.evidence, name)
    return shares_of(aggregates.anonymized[name], column_domain(aggregates, name), evidence)


def _original(aggregates: Aggregates, name: str) -> Shares:
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    return shares_of(aggregates.original[name], column_domain(aggregates, name))


def label_numbers(aggregates: Aggregates, column: Column) -> Floats:
    """By label of a column of either table the number that a recipient takes it for; NaN where it tells none."""
    return aggregates.whole.memoize(_numbers, column)


def _numbers(aggregates: Aggregates, column: Column) -> Floats:
    numbers = plain_numbers(column)
    others = np.flatnonzero(np.isnan(numbers) & column.shown)
    if len(others):
        some = Column(column.name, column.codes[:0], column.values.take(pa.array(others)), column.decimal)
        evidence = partial(aggregates.comparison.evidence, column.name)
        shares = shares_of(some, column_domain(aggregates, column.name), evidence)
        numbers[others] = numbers_of(some, shares)
    return numbers

"""What the labels of a column tell, released and original, by the domain that both tables and the hierarchy give."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa

from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.protocol import Aggregates, computed_once
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Domain, Shares, domain_of, numbers_of, shares_of
from metrics.matching.released_values import plain_numbers
from metrics.tables.table import Column, Floats


@computed_once
def column_domain(aggregates: Aggregates, name: str) -> Domain:
    """The values that a column of the anonymized table can hold. Raises Unavailable where nothing tells them."""
    original, released = aggregates.original, aggregates.anonymized
    own = None if original is None or name not in original else original[name]
    column = own if name not in released and own is not None else released[name]
    return domain_of(own, column, aggregates.hierarchies.get(name), partial(aggregates.comparison.evidence, name))


@computed_once
def released_shares(aggregates: Aggregates, name: str) -> Shares:
    """By label of an anonymized column the values of its domain that it covers. Raises Unavailable."""
    evidence = partial(aggregates.comparison.evidence, name)
    return shares_of(aggregates.anonymized[name], column_domain(aggregates, name), evidence)


@computed_once
def original_shares(aggregates: Aggregates, name: str) -> Shares:
    """By label of an original column the values of its domain that it covers: itself, as a rule. Raises Unavailable."""
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    return shares_of(aggregates.original[name], column_domain(aggregates, name))


@computed_once
def label_numbers(aggregates: Aggregates, column: Column) -> Floats:
    """By label of a column of either table the number that a recipient takes it for; NaN where it tells none."""
    numbers = plain_numbers(column)
    others = np.flatnonzero(np.isnan(numbers) & column.shown)
    if len(others):
        some = Column(column.name, column.codes[:0], column.values.take(pa.array(others)), column.decimal)
        evidence = partial(aggregates.comparison.evidence, column.name)
        shares = shares_of(some, column_domain(aggregates, column.name), evidence)
        numbers[others] = numbers_of(some, shares)
    return numbers

"""Whether the original contradicts what is said of a column's randomization: cells that should have changed did not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.aggregates.protocol import Aggregates
from metrics.tables.table import Flags, Floats, Integers

_DEVIATIONS = 6
_SHARE = 0.05
"""Of the changes expected: so many may be missing where records were left out by their published values."""


@dataclass(frozen=True)
class Agreement:
    """Shares of a randomized column's cells that are published as they are."""

    observed: float
    expected: float


def is_drawn(aggregates: Aggregates, name: str) -> bool:
    """Whether a column was randomized, as far as the original does not contradict it: no value in it is certain."""
    column = aggregates.anonymized[name]
    return column.randomization is not None and contradiction(aggregates, name) is None


def tells(aggregates: Aggregates, name: str) -> bool:
    """Whether the only value of a column in a class tells something: not where it is suppressed, or drawn at random."""
    return aggregates.anonymized.shows(name) and not is_drawn(aggregates, name)


def contradiction(aggregates: Aggregates, name: str) -> Agreement | None:
    """The agreement with the original where it is far above what the probabilities allow; None elsewhere."""
    return aggregates.memoize(_contradiction, name)


def _contradiction(aggregates: Aggregates, name: str) -> Agreement | None:
    by, original, comparison = aggregates.anonymized[name].randomization, aggregates.original, aggregates.comparison
    if by is None or original is None or name not in original or comparison.unmatched is not None:
        return None
    pair = comparison.pair(name)
    position = {value: index for index, value in enumerate(by.values)}
    true, published = (
        np.array([position.get(label, -1) for label in column.labels], dtype=np.int64)[codes]
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    drawn = (true >= 0) & (published >= 0)
    records, stays = pair.counts[drawn], by.unchanged[true[drawn]]
    if not len(records):
        return None
    found = Agreement(_mean(true[drawn] == published[drawn], records), _mean(stays, records))
    deviation = np.sqrt(_mean(stays * (1 - stays), records) / records.sum())
    margin = _DEVIATIONS * deviation + _SHARE * (1 - found.expected)
    return found if found.observed > found.expected + margin else None


def _mean(figures: Floats | Flags, records: Integers) -> float:
    return float((figures * records).sum() / records.sum())

"""What a column counts for in an analysis: a number, the share of an event, a survey weight."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import column_domain, label_numbers, original_shares, released_shares
from metrics.config.analyses import Logistic
from metrics.errors import Unavailable
from metrics.estimates.grouping import original_column
from metrics.estimates.records import Numbers
from metrics.hierarchies.shares import Shares
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.tables.table import Flags, Floats
from metrics.texts import text

_LARGEST = 1e40
"""The largest number that is summed: products of six are still finite."""


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """Numbers of a column in both tables."""

    own: Numbers
    released: Numbers
    recoded: Numbers | None
    """The original's as the release writes them: each the number of its label; None where one has several labels."""

    @property
    def blocks(self) -> Numbers:
        """A release merges groups, not numbers."""
        return self.own

    @property
    def is_removed(self) -> bool:
        """Whether no released label stands for a number."""
        return not len(self.released.values)

    @property
    def as_term(self) -> NumberColumn:
        """A column that tells nothing is no reason to leave out every row: the same number for all."""
        one = Numbers(self.own.column, np.zeros(len(self.released.lookup), dtype=np.int64), np.zeros(1))
        return replace(self, released=one) if self.is_removed else self


def numbers_of(aggregates: Aggregates, name: str) -> NumberColumn:
    """The numbers of a column. Raises Unavailable where the original holds none."""
    column = original_column(aggregates, name)
    if not holds_numbers(column):
        raise Unavailable(text("analyses.unavailable.no_numbers", column=name))
    has_column = name in aggregates.anonymized
    of_released = label_numbers(aggregates, aggregates.anonymized[name]) if has_column else np.empty(0)
    numbers = label_numbers(aggregates, column)
    if np.nanmax(np.abs(numbers)) > _LARGEST:
        raise Unavailable(text("analyses.unavailable.too_large", column=name, limit=f"{_LARGEST:g}"))
    own, of_released = Numbers.of(name, numbers), of_released.clip(-_LARGEST, _LARGEST)
    return NumberColumn(
        own, Numbers.of(name, of_released), _recoded(aggregates, own, of_released) if has_column else own
    )


def _recoded(aggregates: Aggregates, own: Numbers, of_released: Floats) -> Numbers | None:
    """The numbers of the original, each that of the label which covers it; None where labels of several numbers do."""
    column = aggregates.anonymized[own.column]
    if not (column.shown & np.isnan(plain_numbers(column))).any():
        return own
    shares = released_shares(aggregates, own.column)
    of_value = plain_numbers(shares.domain.column)[shares.value]
    place = np.searchsorted(own.values, of_value).clip(max=len(own.values) - 1)
    is_own = own.values[place] == of_value
    place, of_label = place[is_own], of_released[shares.label[is_own]]
    values = own.values.copy()
    values[place] = of_label
    return replace(own, values=values) if (values[place] == of_label).all() else None


def event_of(aggregates: Aggregates, analysis: Logistic) -> NumberColumn:
    """By label of the outcome the share of its values that are events. Raises Unavailable if no or every value is."""
    name = analysis.outcome
    original_column(aggregates, name)
    wanted, values = set(analysis.event), column_domain(aggregates, name).column.labels
    events: Flags = np.array([value in wanted for value in values])

    def of(shares: Shares) -> Numbers:
        known = np.where(shares.sizes > 0, 1.0, np.nan)
        return Numbers.of(name, known * shares.within(events) / np.maximum(shares.sizes, 1))

    own = of(original_shares(aggregates, name))
    if not own.values.any():
        raise Unavailable(text("analyses.unavailable.no_event", column=name))
    if (own.values == 1).all():
        raise Unavailable(text("analyses.unavailable.every_event", column=name))
    released = of(released_shares(aggregates, name)) if name in aggregates.anonymized else Numbers.of(name, np.empty(0))
    is_whole = np.isin(released.values, (0, 1)).all()
    return NumberColumn(own, released, own if is_whole else None)


def weights_of(aggregates: Aggregates, name: str | None) -> list[NumberColumn]:
    """The survey weights, if any. Raises Unavailable where those of the original are not all above 0."""
    if name is None:
        return []
    found = numbers_of(aggregates, name)
    if not (found.own.values > 0).all():
        raise Unavailable(text("unavailable.invalid_weights", column=name))
    if (found.released.values > 0).all():
        return [found]
    # The original supports the analysis, so that it counts: records without a usable weight are left out.
    numbers = label_numbers(aggregates, aggregates.anonymized[name])
    usable = Numbers.of(name, np.where(numbers > 0, numbers.clip(max=_LARGEST), np.nan))
    return [replace(found, released=usable, recoded=None)]

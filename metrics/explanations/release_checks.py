"""What must be decided or done before a table is released: the order of its records, the distance, blank values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from metrics.aggregates import Aggregates
from metrics.formatting import beside
from metrics.matching.keys import Agreement, agreement
from metrics.matching.records import describe
from metrics.matching.released_values import is_empty
from metrics.privacy.t_closeness.measure import TCloseness
from metrics.scoring.scorecard import Scorecard
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.table import SUPPRESSED, Column, Integers, Table
from metrics.texts import text


def single_known_values(aggregates: Aggregates) -> Iterator[str]:
    """Classes that are diverse only because no value, or another spelling of a value, counts as one more value."""
    if aggregates.is_partitioned or not aggregates.class_sizes.count:
        return
    for name in aggregates.roles.sensitive:
        histogram = aggregates.histogram(name)
        value = histogram.column.memoize(_value_of_label)[histogram.code]
        known = value >= 0
        first = np.full(len(histogram.sizes), value.max(initial=0))
        last = np.full(len(histogram.sizes), -1)
        np.minimum.at(first, histogram.group[known], value[known])
        np.maximum.at(last, histogram.group[known], value[known])
        classes = (first == last) & (histogram.distinct > 1)
        records = int(histogram.count[known & classes[histogram.group]].sum())
        if records:
            yield text("verdict.single_known", classes=int(classes.sum()), column=name, records=records)


def _value_of_label(column: Column) -> Integers:
    """By code the number of its value, however it is written (12.0 is 12, hiv is HIV); -1 for no value."""
    known = ~is_empty(column, SUPPRESSED)
    shown = replace(column, values=column.values.filter(arrow_of(known)))
    keys = shown.numbers if shown.numbers is not None else [(label or "").casefold() for label in shown.labels]
    value = np.full(column.distinct, -1)
    value[known] = np.unique(np.asarray(keys), return_inverse=True)[1]
    return value


def by_either_distance(card: Scorecard) -> tuple[str, str, float] | None:
    """t with similar values close and with all equally far, and the limit, where only the former meets it."""
    closeness, variational = card["t_closeness"].result, card["p29"].details.get("max_t")
    if not isinstance(closeness, TCloseness) or not closeness.fulfilled or variational is None:
        return None
    limit = closeness.limit
    return (beside(closeness.value, limit), beside(variational, limit), limit) if variational > limit else None


def deciding_distance(card: Scorecard) -> Iterator[str]:
    """Say so where t-closeness meets its limit only by a distance at which some values are near each other."""
    found = by_either_distance(card)
    if found is not None:
        yield text("verdict.deciding_distance", t=found[0], variational=found[1], limit=found[2])


def in_order_of_original(aggregates: Aggregates) -> bool:
    """Tell whether the order of the records links them to the original.

    Whether records matched by a key follow each other as in the original, or those matched by position agree more than
    by chance in the columns that are released as they are.
    """
    original, released, roles = aggregates.original, aggregates.anonymized, aggregates.roles
    if not isinstance(original, Table) or not isinstance(released, Table):
        return False
    matching = describe(original, released, roles.matching)
    if matching.refusal is not None:
        return False
    if matching.partners is not None or roles.matching.key:
        return matching.follows_original
    found = aggregates.memoize(_agreement_by_position, original, released)
    return found is not None and not found.doubtful


def _agreement_by_position(aggregates: Aggregates, original: Table, released: Table) -> Agreement | None:
    roles = aggregates.roles
    names = (*roles.sensitive, *roles.quasi_identifiers)
    return agreement(original, released, describe(original, released, roles.matching), names)

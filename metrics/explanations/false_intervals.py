"""Released intervals that do not contain the true value, although the hierarchy places the value below them."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.aggregates import Aggregates
from metrics.formatting import join_names
from metrics.hierarchies.labels import intervals_of
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.tables.values import parse_number
from metrics.texts import text
from metrics.utility.cells.released_cells import released_values


def false_intervals(aggregates: Aggregates) -> Mapping[str, float]:
    """Return the share of released values that are false intervals, by quasi-identifier; none without matched records.

    Columns that are perturbed are left out: their values are already known not to hold.
    """
    return aggregates.memoize(_false_intervals)


def _false_intervals(aggregates: Aggregates) -> Mapping[str, float]:
    if aggregates.original is None or aggregates.comparison.unmatched is not None:
        return {}
    perturbed, original = perturbed_columns_of(aggregates), aggregates.original
    names = [name for name in aggregates.roles.quasi_identifiers if name in original and name not in perturbed]
    return {name: share for name in names if (share := _share(aggregates, name))}


def false_intervals_summary(aggregates: Aggregates) -> str | None:
    """Describe the false intervals in a sentence; None if there are none."""
    shares = false_intervals(aggregates)
    if not shares:
        return None
    columns = [text("perturbed.column", column=name, share=share) for name, share in shares.items()]
    return text("perturbed.false_intervals", columns=join_names(columns))


def _share(aggregates: Aggregates, name: str) -> float:
    pair = aggregates.comparison.pair(name)
    original, released = pair.columns
    numbers = [parse_number(label, original.decimal) for label in original.labels]
    intervals = intervals_of(released, original)
    n_false = sum(
        int(count)
        for before, after, count in zip(*pair.codes, pair.counts, strict=True)
        if (number := numbers[before]) is not None
        and (interval := intervals[after]) is not None
        and not interval.holds(number)
    )
    return n_false / max(released_values(pair), 1)

"""Released values that are not what they seem: intervals without the true value, labels with another meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics.aggregates import Aggregates
from metrics.formatting import join_names, visible
from metrics.hierarchies.labels import intervals_of
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.tables.values import parse_number
from metrics.texts import abbreviated_names, text
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


def misfit_labels(aggregates: Aggregates) -> Iterator[str]:
    """Name the labels of each quasi-identifier that mean something else than in its hierarchy, and the remedy."""
    for name, misfit in aggregates.hierarchies.misfits.items():
        labels, number = abbreviated_names([visible(label) for label in misfit.labels]), len(misfit.labels)
        if misfit.shown is not None:
            yield text("perturbed.misfit", column=name, labels=labels, number=number)
        else:
            yield text("perturbed.misfit_overlapping", column=name, labels=labels, number=number)


def released_labels(card: Scorecard) -> Iterator[str]:
    """How the labels of classes differ from the values of people: they are changed, or represent several."""
    changed, misread = list(perturbed_columns_of(card.aggregates)), columns_of_ambiguous_labels(card)
    if changed:
        yield text("perturbed.shown", columns=changed)
    elif misread:
        yield text("perturbed.labels", columns=misread)


def columns_of_ambiguous_labels(card: Scorecard) -> list[str]:
    """The columns of which the information kept is overstated, because labels stand on two levels."""
    result = card["non_uniform_entropy"].result
    return [] if result is None else list(result.misread)


def doubtful_labels(aggregates: Aggregates) -> Iterator[str]:
    """Say that attacks count labels with two meanings as covering the values of both."""
    doubtful_columns = [
        name
        for name, hierarchy in aggregates.hierarchies.items()
        if name in aggregates.roles.quasi_identifiers
        and not {*hierarchy.ambiguous_labels}.difference([SUPPRESSED]).isdisjoint(aggregates.anonymized[name].labels)
    ]
    if doubtful_columns:
        yield text("attack.doubtful_labels", columns=doubtful_columns)

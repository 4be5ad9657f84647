"""Distribution distance, step by step: the quasi-identifier that moved most, value by value, then the mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.tables.table import Integers
from metrics.texts import text
from metrics.utility.cells.numbered_domain import numbered_domain_of
from metrics.working.latex import abbreviated, approx, lines, rounded, whole
from metrics.working.steps import Cell, Step, short_label, step_of, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.utility.distribution_distance.measure import DistributionDistance


def _column_step(aggregates: Aggregates, name: str, distance: float) -> Step:
    pair = aggregates.comparison.pair(name)
    records = int(pair.counts.sum())
    domain = numbered_domain_of(aggregates, name)
    original_counts, released_counts = (
        np.bincount(codes, weights=pair.counts, minlength=column.distinct).astype(np.int64)
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    before, after = domain.before(original_counts), domain.after(released_counts)
    differences = np.abs(before - after)
    elements: Integers = np.unique(domain.element)
    order = elements[np.argsort(-differences[elements], kind="stable")]
    elsewhere = max(records - float(after[elements].sum()), 0.0)
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(pair.columns[0].labels[int(np.flatnonzero(domain.element == element)[0])]),
            six_digits(before[element]),
            six_digits(after[element]),
            six_digits(differences[element]),
        )
        for element in order[:200]
    ]
    total = len(order)
    terms = [rounded(float(differences[element])) for element in order]
    if elsewhere > 1e-9:
        share = six_digits(elsewhere)
        rows.insert(0, (text("distribution_distance.working.elsewhere"), "0", share, share))
        terms.insert(0, rounded(elsewhere))
        total += 1
    return step_of(
        "distribution_distance.working.column",
        lines(rf"d &= \frac{{{abbreviated(terms, len(terms))}}}{{2 \times {whole(records)}}}", rf"&{approx(distance)}"),
        table=tabulated(text("distribution_distance.working.column_columns"), rows, total),
        number=distance,
        column=short_label(name),
        values=domain.coverage.size,
    )


def derive(result: DistributionDistance, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The worst quasi-identifier's values before and after, then the mean over all."""
    names = aggregates.roles.quasi_identifiers
    distances = {name: result.columns[name].total_variation for name in names}
    worst = max(distances, key=lambda name: distances[name])
    rows: list[tuple[Cell, ...]] = [(short_label(name), six_digits(distance)) for name, distance in distances.items()]
    terms = abbreviated((rounded(distance) for distance in distances.values()), len(rows))
    return (
        _column_step(aggregates, worst, distances[worst]),
        step_of(
            "distribution_distance.working.mean",
            lines(rf"\bar d &= \frac{{{terms}}}{{{len(rows)}}}", rf"&{approx(result.value)}"),
            rows=rows,
            number=result.value,
            columns=len(rows),
        ),
    )


WORKING = whole_table(derive)

"""The ranking of quasi-identifiers, step by step: columns alone, several at once, all together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import join_names, six_digits
from metrics.texts import text
from metrics.working.latex import abbreviated, equals, lines, whole
from metrics.working.steps import Step, StepTable, short_label, step_of, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.privacy.quasi_identifier_ranking.measure import QuasiIdentifierRanking, Subset


def _table(subsets: Sequence[Subset]) -> StepTable:
    rows = (
        (
            join_names([short_label(name) for name in subset.columns]),
            f"{subset.combinations:,}",
            six_digits(subset.distinction),
            six_digits(subset.separation),
        )
        for subset in subsets
    )
    return tabulated(text("quasi_identifier_ranking.working.columns_columns"), rows, len(subsets))


def derive(result: QuasiIdentifierRanking, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """Each column, the subsets that tell the most, and all columns."""
    classes = aggregates.classes
    records = classes.kept
    steps = [
        step_of(
            "quasi_identifier_ranking.working.alone",
            table=_table([subset for subset in result.ranking if len(subset.columns) == 1]),
        )
    ]
    larger_subsets = [subset for subset in result.ranking if len(subset.columns) > 1]
    if larger_subsets:
        steps.append(
            step_of(
                "quasi_identifier_ranking.working.several",
                table=_table(larger_subsets),
                subsets=len(larger_subsets),
                columns=max(len(subset.columns) for subset in larger_subsets),
            )
        )
    n_pairs = records * (records - 1)
    sizes, counts = (values.tolist() for values in np.unique(classes.sizes, return_counts=True))
    n_apart = sum(count * size * (records - size) for size, count in zip(sizes, counts, strict=True))
    if n_pairs:
        terms = [
            rf"{whole(count)} \times {whole(size)} \times {whole(records - size)}"
            for size, count in zip(sizes, counts, strict=True)
        ]
        separation = Fraction(n_apart, n_pairs)
        steps.append(
            step_of(
                "quasi_identifier_ranking.working.pairs",
                lines(
                    rf"&\sum_E |E| (N - |E|) = {abbreviated(terms, len(terms))} = {whole(n_apart)}",
                    rf"&\frac{{{whole(n_apart)}}}{{{whole(records)} \times {whole(records - 1)}}} {equals(separation)}",
                ),
                number=float(separation),
            )
        )
    distinction = Fraction(classes.count, records)
    steps.append(
        step_of(
            "quasi_identifier_ranking.working.distinction",
            rf"\frac{{{whole(classes.count)}}}{{{whole(records)}}} {equals(distinction)}",
            number=float(distinction),
            classes=classes.count,
            records=records,
        )
    )
    return tuple(steps)


WORKING = whole_table(derive)

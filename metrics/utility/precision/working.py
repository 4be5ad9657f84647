"""Precision, step by step: the level of each value of a column, their mean height, all columns."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.texts import text
from metrics.utility.cells.released_cells import wholly_lost
from metrics.utility.precision.levels import hierarchies_of, levels_of
from metrics.working.latex import abbreviated, approx, equals, fraction, lines, rounded, whole
from metrics.working.steps import Attribute, Cell, Derivation, Step, Subject, Unit, short_label, step_of, tabulated

if TYPE_CHECKING:
    from metrics.utility.precision.measure import Precision

LOST: Final = text("working.lost")


def _column_steps(aggregates: Aggregates, name: str) -> tuple[Step, Step, Fraction]:
    distribution, n_lost = aggregates.distribution(name), wholly_lost(aggregates)
    hierarchy, column = hierarchies_of(aggregates)[name], aggregates.anonymized[name]
    counts, levels = distribution.totals, levels_of(column, hierarchy)
    height, records = max(hierarchy.height, 1), distribution.kept + n_lost
    used_codes = np.flatnonzero(counts)
    order = used_codes[np.lexsort((column.rank[used_codes], -counts[used_codes], -levels[used_codes]))]
    rows: list[tuple[Cell, ...]] = [(LOST, height, height, n_lost)] if n_lost else []
    rows += [(short_label(column.labels[code]), int(levels[code]), height, int(counts[code])) for code in order]
    values_step = step_of("precision.working.values", rows=rows, column=short_label(name), height=height)
    records_at_level = {int(level): int(counts[levels == level].sum()) for level in np.unique(levels)}
    records_at_level[height] = records_at_level.get(height, 0) + n_lost
    by_level = {level: count for level, count in sorted(records_at_level.items()) if count}
    mean = Fraction(sum(level * count for level, count in by_level.items()), height * records)
    terms = (rf"{whole(count)} \times {whole(level)}" for level, count in by_level.items())
    step = step_of(
        "precision.working.column",
        lines(
            rf"\bar h &= \frac{{{abbreviated(terms, len(by_level))}}}{{{whole(records)} \times {whole(height)}}}",
            rf"&= {fraction(mean)}",
            *([] if mean.denominator == 1 else [rf"&{equals(mean)}"]),
        ),
        number=float(mean),
        records=records,
    )
    return values_step, step, mean


def derive(result: Precision, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """Levels of one column's values, its mean height, the mean over all columns."""
    values_step, mean, height = _column_steps(aggregates, subject.column)
    heights = {**result.heights, subject.column: float(height)}
    value = 1 - sum(heights.values()) / len(heights)
    total = abbreviated(map(rounded, heights.values()), len(heights))
    rows = ((short_label(name), six_digits(share), six_digits(1 - share)) for name, share in heights.items())
    last = Step(
        text("working.all_columns_title"),
        text("precision.working.score"),
        lines(rf"1 - \frac{{{total}}}{{{whole(len(heights))}}} &{approx(value)}"),
        tabulated(text("precision.working.score_columns"), rows, len(heights)),
        value,
    )
    return (values_step, mean, last)


def _decisive(result: Precision, aggregates: Aggregates, parameters: Parameters) -> Subject:
    """The column whose values stand highest."""
    return Subject(0, max(result.heights, key=lambda name: result.heights[name]))


WORKING = Derivation(Unit.TABLE, Attribute.QUASI_IDENTIFIER, derive, _decisive)

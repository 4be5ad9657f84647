"""Precision, step by step: the level of each value of a column, their mean height, all columns."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import numpy as np

from metrics.explanations.workings.latex import abbreviated, approx, equals, fraction, lines, rounded, whole
from metrics.explanations.workings.steps import (
    Attribute,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    finished,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.cells import wholly_lost
from metrics.utility.precision import Precision, hierarchies_of, levels_of

LOST: Final = text("working.lost")


def _column_steps(card: Scorecard, name: str) -> tuple[Step, Step, Fraction]:
    held, lost = card.aggregates.distribution(name), wholly_lost(card.aggregates)
    hierarchy, column = hierarchies_of(card.aggregates)[name], card.aggregates.anonymized[name]
    counts, levels = held.totals, levels_of(column, hierarchy)
    height, records = max(hierarchy.height, 1), held.kept + lost
    used = np.flatnonzero(counts)
    order = used[np.lexsort((column.rank[used], -counts[used], -levels[used]))]
    rows: list[tuple[Cell, ...]] = [(LOST, height, height, lost)] if lost else []
    rows += [(short_label(column.labels[code]), int(levels[code]), height, int(counts[code])) for code in order]
    each = Step(
        text("precision.working.values_title"),
        text("precision.working.values", column=short_label(name), height=height),
        table=tabulated(text("precision.working.values_columns"), rows, len(rows)),
    )
    at_level = {int(level): int(counts[levels == level].sum()) for level in np.unique(levels)}
    at_level[height] = at_level.get(height, 0) + lost
    climbed = {level: number for level, number in sorted(at_level.items()) if number}
    mean = Fraction(sum(level * number for level, number in climbed.items()), height * records)
    terms = (rf"{whole(number)} \times {whole(level)}" for level, number in climbed.items())
    step = Step(
        text("precision.working.column_title"),
        text("precision.working.column", records=records),
        lines(
            rf"\bar h &= \frac{{{abbreviated(terms, len(climbed))}}}{{{whole(records)} \times {whole(height)}}}",
            rf"&= {fraction(mean)}",
            *([] if mean.denominator == 1 else [rf"&{equals(mean)}"]),
        ),
        number=float(mean),
    )
    return each, step, mean


def derive(card: Scorecard, subject: Subject) -> Working:
    """Levels of one column's values, its mean height, the mean over all columns. Raises Unavailable."""
    result = _result(card)
    each, mean, height = _column_steps(card, subject.column)
    heights = {**result.heights, subject.column: float(height)}
    value = 1 - sum(heights.values()) / len(heights)
    total = abbreviated(map(rounded, heights.values()), len(heights))
    rows = ((short_label(name), f"{level:.6g}", f"{1 - level:.6g}") for name, level in heights.items())
    last = Step(
        text("working.all_columns_title"),
        text("precision.working.score"),
        lines(rf"1 - \frac{{{total}}}{{{whole(len(heights))}}} &{approx(value)}"),
        tabulated(text("precision.working.score_columns"), rows, len(heights)),
        value,
    )
    return Working("precision", subject.column, (each, mean, last))


def _result(card: Scorecard) -> Precision:
    finished(card, "precision")
    result = card["precision"].result
    assert isinstance(result, Precision)
    return result


def _decisive(card: Scorecard) -> Subject:
    """The column whose values stand highest."""
    heights = _result(card).heights
    return Subject(0, max(heights, key=lambda name: heights[name]))


PRECISION = Derivation(Unit.TABLE, Attribute.QUASI_IDENTIFIER, derive, _decisive)

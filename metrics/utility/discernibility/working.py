"""Discernibility, step by step: the squared class sizes, those of the original, the score."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.texts import text
from metrics.working.latex import abbreviated, lines, whole
from metrics.working.normalized import score_step
from metrics.working.steps import Step, tabulated, whole_table


def _sum_step(title: str, symbol: str, classes: EquivalenceClasses, deleted: int) -> tuple[Step, int]:
    sizes, counts = (values.tolist() for values in np.unique(classes.sizes, return_counts=True))
    n_lost = classes.suppressed + deleted
    records = classes.kept + n_lost
    total = sum(count * size**2 for size, count in zip(sizes, counts, strict=True)) + n_lost * records
    largest_first = list(zip(sizes, counts, strict=True))[::-1]
    terms = [rf"{whole(n_lost)} \times {whole(records)}"] if n_lost else []
    terms += [rf"{whole(count)} \times {whole(size)}^2" for size, count in largest_first]
    step = Step(
        title,
        text("discernibility.working.sum_with_lost", lost=n_lost, records=records)
        if n_lost
        else text("discernibility.working.sum"),
        lines(rf"{symbol} &= {abbreviated(terms, len(terms))}", rf"&= {whole(total)}"),
        tabulated(text("working.sizes_columns"), largest_first, len(sizes)),
        total,
    )
    return step, total


def derive(result: Any, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The sum of squares, the original's, the score."""
    step, now = _sum_step(
        text("discernibility.working.sum_title"), "D", aggregates.classes, aggregates.comparison.deleted
    )
    original, before = _sum_step(text("working.before_title"), "D_0", aggregates.comparison.original_classes, 0)
    worst = (aggregates.classes.rows + aggregates.comparison.deleted) ** 2
    score = score_step("D", Fraction(now), Fraction(before), worst)
    return (step, original, score)


WORKING = whole_table(derive)

"""Average class size, step by step: records over classes, the same of the original, the score."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.texts import text
from metrics.working.latex import equals, fraction, lines, whole
from metrics.working.normalized import score_step
from metrics.working.steps import Step, whole_table


def _mean_step(title: str, symbol: str, classes: EquivalenceClasses) -> tuple[Step, Fraction]:
    mean = Fraction(classes.kept, classes.count)
    reduced = [] if mean.denominator in (1, classes.count) else [rf"&= {fraction(mean)}"]
    step = Step(
        title,
        text("average_class_size.working.mean", records=classes.kept, classes=classes.count),
        lines(rf"{symbol} &= \frac{{{whole(classes.kept)}}}{{{whole(classes.count)}}}", *reduced, rf"&{equals(mean)}"),
        number=float(mean),
    )
    return step, mean


def derive(result: Any, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The mean size, the original's, the score."""
    step, now = _mean_step(text("average_class_size.working.mean_title"), "C", aggregates.classes)
    original, before = _mean_step(text("working.before_title"), "C_0", aggregates.comparison.original_classes)
    score = score_step("C", now, before, aggregates.classes.rows + aggregates.comparison.deleted)
    return (step, original, score)


WORKING = whole_table(derive)

"""Classification accuracy, step by step."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import visible
from metrics.texts import text
from metrics.working.latex import lines, value_of, whole
from metrics.working.steps import Step, short_label, step_of, tabulated, whole_table

if TYPE_CHECKING:
    from metrics.utility.classification_accuracy.measure import ClassificationAccuracy

_ID = "classification_accuracy"


def derive(result: ClassificationAccuracy, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """The baseline, the accuracy before, the accuracy after."""
    return (_baseline_step(result), _folds_step(result), _before_step(result), _after_step(result))


def _baseline_step(result: ClassificationAccuracy) -> Step:
    highest_frequency = max(result.frequencies)
    label = result.labels[result.frequencies.index(highest_frequency)]
    rows = sorted(zip(map(visible, result.labels), result.frequencies, strict=True), key=lambda row: -row[1])
    return step_of(
        "classification_accuracy.working.baseline",
        rf"\text{{baseline}} = {value_of(Fraction(highest_frequency, result.records))}",
        table=tabulated((visible(result.target), text("working.records")), rows, len(rows)),
        number=result.baseline,
        column=short_label(result.target),
        records=result.records,
        available=result.available,
        value=short_label(label),
    )


def _folds_step(result: ClassificationAccuracy) -> Step:
    rows = [(i, fold.records, fold.before, fold.after) for i, fold in enumerate(result.folds, 1)]
    suppressed = result.suppressed
    return Step(
        text("classification_accuracy.working.parts_title"),
        text("classification_accuracy.working.parts_with_suppressed", parts=len(rows), suppressed=suppressed)
        if suppressed
        else text("classification_accuracy.working.parts", parts=len(rows)),
        None,
        tabulated(text("classification_accuracy.working.parts_columns"), rows, len(rows)),
        result.records,
    )


def _before_step(result: ClassificationAccuracy) -> Step:
    n_correct = sum(fold.before for fold in result.folds)
    return step_of(
        "classification_accuracy.working.before",
        rf"\text{{before}} = {value_of(Fraction(n_correct, result.records))}",
        number=result.before,
    )


def _after_step(result: ClassificationAccuracy) -> Step:
    n_correct = sum(fold.after for fold in result.folds)
    low, high = (f"{bound:.1%}" for bound in result.interval)
    terms = "+".join(whole(fold.after) for fold in result.folds)
    return Step(
        text("classification_accuracy.working.after_title"),
        text("classification_accuracy.working.after_no_better", low=low, high=high)
        if result.relative is None
        else text("classification_accuracy.working.after", low=low, high=high, preserved=f"{result.relative:.0%}"),
        lines(
            rf"\text{{after}} &= \frac{{{terms}}}{{{whole(result.records)}}}",
            rf"&= {value_of(Fraction(n_correct, result.records))}",
        ),
        number=result.value,
    )


WORKING = whole_table(derive)

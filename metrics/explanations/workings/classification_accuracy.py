"""Classification accuracy, step by step."""

from __future__ import annotations

from fractions import Fraction

from metrics.errors import Unavailable
from metrics.explanations.workings.latex import lines, whole, worth
from metrics.explanations.workings.steps import (
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
from metrics.utility.classification_accuracy import ClassificationAccuracy
from metrics.wording import pluralize, visible

_ID = "classification_accuracy"


def derive(card: Scorecard, subject: Subject) -> Working:
    """The baseline, the accuracy before, the accuracy after. Raises Unavailable."""
    result = _result(card)
    return Working(
        _ID, "the whole table", (_baseline_step(result), _folds_step(result), _before_step(result), _after_step(result))
    )


def _result(card: Scorecard) -> ClassificationAccuracy:
    finished(card, _ID)
    result = card[_ID].result
    if not isinstance(result, ClassificationAccuracy):
        raise Unavailable("it has no figure")
    return result


def _baseline_step(result: ClassificationAccuracy) -> Step:
    most = max(result.frequencies)
    used = f"{pluralize(result.records, 'record')} of {pluralize(result.available, 'record')}"
    label = result.labels[result.frequencies.index(most)]
    rows = sorted(zip(map(visible, result.labels), result.frequencies, strict=True), key=lambda row: -row[1])
    return Step(
        "Always guess the most frequent value",
        f"{short_label(result.target)} is predicted for {used}. Without any model, the best guess is always "
        f"{short_label(label)}. A useful model must exceed this baseline.",
        rf"\text{{baseline}} = {worth(Fraction(most, result.records))}",
        tabulated((visible(result.target), "records"), rows, len(rows)),
        result.baseline,
    )


def _folds_step(result: ClassificationAccuracy) -> Step:
    rows = [(i, fold.records, fold.before, fold.after) for i, fold in enumerate(result.folds, 1)]
    gone = (
        f"; for {pluralize(result.suppressed, 'suppressed record')} the only feature is *" if result.suppressed else ""
    )
    return Step(
        "Predict each part from the others",
        f"The records are divided at random into {pluralize(len(result.folds), 'part')}, the same for both "
        "tables. Logistic regression is trained on all parts but one and predicts the target of the remaining "
        f"part from its quasi-identifiers, one feature for each value{gone}. No model predicts a record it was "
        "trained on.",
        None,
        tabulated(("part", "records", "right before", "right after"), rows, len(rows)),
        result.records,
    )


def _before_step(result: ClassificationAccuracy) -> Step:
    right = sum(fold.before for fold in result.folds)
    return Step(
        "From the original quasi-identifiers",
        "The share of records predicted correctly before anonymization: the best accuracy to expect.",
        rf"\text{{before}} = {worth(Fraction(right, result.records))}",
        number=result.before,
    )


def _after_step(result: ClassificationAccuracy) -> Step:
    right = sum(fold.after for fold in result.folds)
    low, high = result.interval
    left = (
        "The original does not improve on the baseline, so there is no improvement to preserve."
        if result.relative is None
        else f"{result.relative:.0%} of the original's improvement over the baseline is preserved."
    )
    terms = "+".join(whole(fold.after) for fold in result.folds)
    return Step(
        "From the anonymized quasi-identifiers",
        "The share of records predicted correctly after anonymization, with a 95% confidence interval from "
        f"{low:.1%} to {high:.1%} (Wilson's interval, each record counting as one independent prediction). {left}",
        lines(
            rf"\text{{after}} &= \frac{{{terms}}}{{{whole(result.records)}}}",
            rf"&= {worth(Fraction(right, result.records))}",
        ),
        number=result.value,
    )


def _whole_table(card: Scorecard) -> Subject:
    return Subject(0)


CLASSIFICATION_ACCURACY = Derivation(Unit.TABLE, None, derive, _whole_table)

"""Classification accuracy, step by step."""

from __future__ import annotations

from fractions import Fraction

from metrics.scorecard import Scorecard
from metrics.specification import Unavailable
from metrics.utility.classification_accuracy import ClassificationAccuracy
from metrics.wording import counted, visible
from metrics.working.latex import lines, whole, worth
from metrics.working.steps import Derivation, Step, Subject, Unit, Working, brief, finished, tabulated

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
    used = f"{counted(result.records, 'record')} of {counted(result.available, 'record')}"
    label = result.labels[result.frequencies.index(most)]
    rows = sorted(zip(map(visible, result.labels), result.frequencies, strict=True), key=lambda row: -row[1])
    return Step(
        "Always guess the most frequent value",
        f"{brief(result.target)} is to be predicted for {used}. Who knows nothing about anybody guesses "
        f"{brief(label)} every time. A model has to do better than this baseline to be of use.",
        rf"\text{{baseline}} = {worth(Fraction(most, result.records))}",
        tabulated((visible(result.target), "records"), rows, len(rows)),
        result.baseline,
    )


def _folds_step(result: ClassificationAccuracy) -> Step:
    rows = [(i, fold.records, fold.before, fold.after) for i, fold in enumerate(result.folds, 1)]
    gone = f"; for {counted(result.suppressed, 'suppressed record')} that is * alone" if result.suppressed else ""
    return Step(
        "Predict each part from the others",
        f"The records are dealt into {counted(len(result.folds), 'part')}, the same for both tables. Logistic "
        "regression learns from all parts but one and predicts the target of that one from its quasi-identifiers, each "
        f"value of which is a feature of its own{gone}. So no model is asked about a record it has seen.",
        None,
        tabulated(("part", "records", "right before", "right after"), rows, len(rows)),
        result.records,
    )


def _before_step(result: ClassificationAccuracy) -> Step:
    right = sum(fold.before for fold in result.folds)
    return Step(
        "From the original quasi-identifiers",
        "The share of records predicted rightly before anonymization: what can be had at best.",
        rf"\text{{before}} = {worth(Fraction(right, result.records))}",
        number=result.before,
    )


def _after_step(result: ClassificationAccuracy) -> Step:
    right = sum(fold.after for fold in result.folds)
    low, high = result.interval
    left = (
        "The original adds nothing to the baseline, so there is no share of it to be left."
        if result.relative is None
        else f"Of what the original adds to the baseline, {result.relative:.0%} is left."
    )
    terms = "+".join(whole(fold.after) for fold in result.folds)
    return Step(
        "From the anonymized quasi-identifiers",
        f"The share of records predicted rightly after anonymization, with 95% confidence between {low:.1%} and "
        f"{high:.1%} (Wilson's interval, each record counting as one independent prediction). {left}",
        lines(
            rf"\text{{after}} &= \frac{{{terms}}}{{{whole(result.records)}}}",
            rf"&= {worth(Fraction(right, result.records))}",
        ),
        number=result.value,
    )


def _whole_table(card: Scorecard) -> Subject:
    return Subject(0)


CLASSIFICATION_ACCURACY = Derivation(Unit.TABLE, None, derive, _whole_table)

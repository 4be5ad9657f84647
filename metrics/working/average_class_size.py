"""Average class size, step by step: records over classes, the same of the original, the score."""

from __future__ import annotations

from fractions import Fraction

from metrics.classes import EquivalenceClasses
from metrics.scorecard import Scorecard
from metrics.wording import counted
from metrics.working.latex import comes_to, fraction, lines, whole
from metrics.working.normalized import score_step
from metrics.working.steps import Derivation, Step, Subject, Unit, Working, finished


def _mean_step(title: str, symbol: str, classes: EquivalenceClasses) -> tuple[Step, Fraction]:
    mean = Fraction(classes.kept, classes.count)
    reduced = [] if mean.denominator in (1, classes.count) else [rf"&= {fraction(mean)}"]
    step = Step(
        title,
        f"{counted(classes.kept, 'record')} in {counted(classes.count, 'class', 'classes')}; suppressed records are in "
        "none.",
        lines(
            rf"{symbol} &= \frac{{{whole(classes.kept)}}}{{{whole(classes.count)}}}", *reduced, rf"&{comes_to(mean)}"
        ),
        number=float(mean),
    )
    return step, mean


def derive(card: Scorecard, subject: Subject) -> Working:
    """The mean size, the original's, the score. Raises Unavailable."""
    finished(card, "average_class_size")
    evidence = card.evidence
    step, now = _mean_step("The mean size of a class", "C", evidence.classes)
    original, before = _mean_step("The same before anonymization", "C_0", evidence.original_classes)
    score = score_step("C", now, before, evidence.classes.rows + evidence.deleted)
    return Working("average_class_size", "the whole table", (step, original, score))


def _decisive(card: Scorecard) -> Subject:
    finished(card, "average_class_size")
    return Subject(0)


AVERAGE_CLASS_SIZE = Derivation(Unit.TABLE, None, derive, _decisive)

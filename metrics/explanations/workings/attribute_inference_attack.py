"""The attribute inference attack, step by step: one person, the candidates' values, the guess, then all targets."""

from __future__ import annotations

import numpy as np

from metrics.attacks.attribute_inference import guesser
from metrics.attacks.guesses import label_numbers
from metrics.attacks.inferred_attributes import AttributeInference
from metrics.explanations.workings.attack_targets import Target, first_target, no_target, target_of
from metrics.explanations.workings.latex import COMMA, abbreviated, about, lines, rounded, whole
from metrics.explanations.workings.steps import (
    Attribute,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.wording import join_names, pluralize


def derive(card: Scorecard, subject: Subject) -> Working:
    """The known values, the candidates and their values, the guess, the mean over all. Raises Unavailable."""
    name, target = target_of(card, "attribute_inference_attack", subject.index)
    result = card["attribute_inference_attack"].result
    assert isinstance(result, AttributeInference)
    steps = [no_target(name)] if target is None else [target.known_step(), target.candidates_step(result.known)[0]]
    if subject.column not in result.inferred:
        known = short_label(subject.column)
        table = tabulated(("sensitive attribute", "guessed"), [(known, "no")], 1)
        steps.append(Step("Nothing to guess", f"The attacker already knows {known}.", table=table))
    else:
        if target is not None:
            steps += _guess(card, target, subject.column)
        rate = result.inferred[subject.column].rate
        steps.append(
            Step(
                "All targets",
                f"The success rate is the mean over {pluralize(rate.attempts, 'target')}.",
                rf"\frac{{{rounded(rate.successes)}}}{{{whole(rate.attempts)}}} {about(rate.value)}",
                number=rate.value,
            )
        )
    rates = [one.rate.value for one in result.inferred.values()]
    steps.append(
        Step(
            "The attribute that is guessed best",
            f"{short_label(result.worst)} is guessed best and determines the result.",
            lines(
                rf"&\max({abbreviated(map(rounded, rates), len(rates), COMMA)})",
                rf"&{about(result.value)}",
            ),
            number=result.value,
        )
    )
    return Working("attribute_inference_attack", name, tuple(steps))


def _guess(card: Scorecard, target: Target, column: str) -> list[Step]:
    """What the candidates say of one attribute."""
    sets, batch, _ = target.candidates(target.of.known)
    of = guesser(target.of, sets.released, column)
    counts, truth = of.counts(batch), target.of.truth(column)
    own, number = of.values_of(truth), label_numbers(truth)[truth.codes]
    right, certain, misled = of.success(batch, counts, own, number)
    order = np.argsort(-counts.count, kind="stable").tolist()
    rows = [(short_label(of.label(int(counts.value[at]))), int(counts.count[at])) for at in order]
    tied = [short_label(of.label(int(value))) for value in of.guesses(counts)]
    among = " of the whole table, as no candidate has one" if {label for label, _ in rows} == {SUPPRESSED} else ""
    guess = (
        f"The guess is the median of the candidates' numbers, {of.medians(batch, counts)[0]:g}."
        if of.by_median
        else "No value is released, so there is nothing to guess."
        if not tied
        else f"The guess is the most frequent value{among}, {tied[0]}."
        if len(tied) == 1
        else f"The guess is drawn from the {len(tied)} most frequent values{among}, {join_names(tied[:4], 'or')}"
        f"{' or others' if len(tied) > 4 else ''}."
    )
    sure = " All candidates have this value, so the guess is certain." if certain[0] else ""
    sure = " All candidates have the same other value, so the attacker is certain and wrong." if misled[0] else sure
    return [
        Step(
            "The candidates' values",
            f"The values of {short_label(column)} among the candidates.",
            table=tabulated((short_label(column), "records"), rows, len(rows)),
        ),
        Step(
            "The guess for this person",
            f"{guess} The person's own value is {short_label(truth.labels[truth.codes[0]])}.{sure}",
            f"p {about(float(right[0]))}",
            number=float(right[0]),
        ),
    ]


def _first(card: Scorecard) -> Subject:
    result = card["attribute_inference_attack"].result
    assert isinstance(result, AttributeInference)
    return Subject(first_target(card).index, result.worst)


ATTRIBUTE_INFERENCE_ATTACK = Derivation(Unit.RECORD, Attribute.SENSITIVE, derive, _first)

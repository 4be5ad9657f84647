"""The attribute inference attack, step by step: one person, values of possible records, the guess, then all targets."""

from __future__ import annotations

import numpy as np

from metrics.aggregates import Aggregates
from metrics.attacks.guessing.guesses import guesser_of, label_numbers
from metrics.attacks.guessing.inferred_attributes import AttributeInference
from metrics.attacks.target_in_working import Target, first_target, no_target, target_of
from metrics.config.parameters import Parameters
from metrics.formatting import format_number, join_names
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from metrics.working.latex import COMMA, abbreviated, approx, lines, rounded, whole
from metrics.working.steps import Attribute, Derivation, Step, Subject, Unit, short_label, step_of, tabulated


def derive(
    result: AttributeInference, aggregates: Aggregates, parameters: Parameters, subject: Subject
) -> tuple[Step, ...]:
    """The known values, the possible records and their values, the guess, the mean over all."""
    name, target = target_of(aggregates, parameters, subject.index)
    steps = (
        [no_target(name)] if target is None else [target.known_step(), target.possible_records_step(result.known)[0]]
    )
    if subject.column not in result.inferred:
        column = short_label(subject.column)
        table = tabulated(text("attribute_inference_attack.working.known_columns"), [(column, format_number(False))], 1)
        sentence = text("attribute_inference_attack.working.known", column=column)
        steps.append(Step(text("attribute_inference_attack.working.known_title"), sentence, table=table))
    else:
        if target is not None:
            steps += _guess(aggregates, target, subject.column)
        rate = result.inferred[subject.column].rate
        steps.append(
            step_of(
                "attack.working.targets",
                rf"\frac{{{rounded(rate.successes)}}}{{{whole(rate.attempts)}}} {approx(rate.value)}",
                number=rate.value,
                targets=rate.attempts,
            )
        )
    rates = [guesses.rate.value for guesses in result.inferred.values()]
    steps.append(
        step_of(
            "attribute_inference_attack.working.worst",
            lines(rf"&\max({abbreviated(map(rounded, rates), len(rates), COMMA)})", rf"&{approx(result.value)}"),
            number=result.value,
            column=short_label(result.worst),
        )
    )
    return tuple(steps)


def _guess(aggregates: Aggregates, target: Target, column: str) -> list[Step]:
    """What the possible records say of one attribute."""
    sets, batch, _ = target.possible_records(target.scenario.known)
    attribute_guesser = guesser_of(target.scenario, sets.released, column)
    counts, truth = attribute_guesser.counts(batch), target.scenario.truth(column)
    own_value, own_number = attribute_guesser.values_of(truth), label_numbers(truth)[truth.codes]
    success, certain, misled = attribute_guesser.success(batch, counts, own_value, own_number)
    order = np.argsort(-counts.count, kind="stable").tolist()
    rows = [
        (short_label(attribute_guesser.label(int(counts.value[index]))), int(counts.count[index])) for index in order
    ]
    tied = [short_label(attribute_guesser.label(int(value))) for value in attribute_guesser.guesses(counts)]
    only_suppressed = {label for label, _ in rows} == {SUPPRESSED}
    guess = (
        text("attribute_inference_attack.working.median", median=float(attribute_guesser.medians(batch, counts)[0]))
        if attribute_guesser.within is not None
        else _guessed(tied, only_suppressed)
    )
    sentences = [
        guess,
        text("attribute_inference_attack.working.own", value=short_label(truth.labels[truth.codes[0]])),
        *([text("attribute_inference_attack.working.misled")] if misled[0] else []),
        *([text("attribute_inference_attack.working.certain")] if certain[0] and not misled[0] else []),
    ]
    return [
        step_of(
            "attribute_inference_attack.working.values",
            table=tabulated((short_label(column), text("working.records")), rows, len(rows)),
            column=short_label(column),
        ),
        Step(
            text("attribute_inference_attack.working.guess_title"),
            " ".join(sentences),
            f"p {approx(float(success[0]))}",
            number=float(success[0]),
        ),
    ]


def _guessed(tied: list[str], only_suppressed: bool) -> str:
    """What is guessed of the most frequent values; those of the whole table where no possible record has one."""
    if not tied:
        return text("attribute_inference_attack.working.no_value")
    if len(tied) == 1:
        return (
            text("attribute_inference_attack.working.most_frequent_of_all", value=tied[0])
            if only_suppressed
            else text("attribute_inference_attack.working.most_frequent", value=tied[0])
        )
    others = [text("attribute_inference_attack.working.others")] if len(tied) > 4 else []
    values = join_names([*tied[:4], *others], "or")
    return (
        text("attribute_inference_attack.working.drawn_of_all", number=len(tied), values=values)
        if only_suppressed
        else text("attribute_inference_attack.working.drawn", number=len(tied), values=values)
    )


def _first(result: AttributeInference, aggregates: Aggregates, parameters: Parameters) -> Subject:
    return Subject(first_target(result, aggregates, parameters).index, result.worst)


WORKING = Derivation(Unit.RECORD, Attribute.SENSITIVE, derive, _first)

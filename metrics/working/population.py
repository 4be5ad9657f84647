"""δ-presence and k-map, step by step: a class beside the people of the population whom it fits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.privacy.population import population_classes
from metrics.scorecard import Scorecard
from metrics.table import Floats, Integers
from metrics.wording import counted
from metrics.working.latex import COMMA, abbreviated, comes_to, lines, whole, worth
from metrics.working.steps import (
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    class_name,
    class_size,
    finished,
    tabulated,
)


def _fitting_step(card: Scorecard, index: int, people: int) -> Step:
    fit = "fits" if people == 1 else "fit"
    return Step(
        "Who fits the class",
        f"The class {class_name(card, index)} has {class_size(card, index)}. Of the population table's "
        f"{counted(population_classes(card.evidence).rows, 'record')} {people:,} {fit} its labels.",
        rf"F_E = {whole(people)}",
        number=people,
    )


def _presence(card: Scorecard, subject: Subject) -> Working:
    finished(card, "delta_presence")
    population, sizes, index = population_classes(card.evidence), card.evidence.classes.sizes, subject.index
    people, own = int(population.sizes[index]), int(sizes[index])
    deltas = sizes / population.sizes
    place = int(deltas.argmax())
    largest = Fraction(int(sizes[place]), int(population.sizes[place]))
    outside = (
        f"{counted(population.outside, 'record')} of the population fit no class: δ is 0 there. "
        if population.outside
        else ""
    )
    return Working(
        "delta_presence",
        class_name(card, index),
        (
            _fitting_step(card, index, people),
            Step(
                "How many of them are in the table",
                "If nothing else is known, each of them is in the table with the same probability.",
                rf"\delta_E = \frac{{|E|}}{{F_E}} = \frac{{{whole(own)}}}{{{whole(people)}}} "
                rf"{comes_to(Fraction(own, people))}",
                number=own / people,
            ),
            Step(
                "The largest decides",
                f"{outside}The largest δ of {counted(len(sizes), 'class', 'classes')} is the table's figure.",
                rf"\delta = \max_E \delta_E = {worth(largest)}",
                _ranked(card, deltas, population.sizes),
                float(largest),
            ),
        ),
    )


def _ranked(card: Scorecard, deltas: Floats, people: Integers) -> StepTable:
    order = np.argsort(-deltas, kind="stable").tolist()
    sizes = card.evidence.classes.sizes
    rows = ((class_name(card, i), int(sizes[i]), int(people[i]), float(deltas[i])) for i in order)
    return tabulated(("class", "records", "in the population", "δ"), rows, len(order))


def _map(card: Scorecard, subject: Subject) -> Working:
    finished(card, "k_map")
    population, index = population_classes(card.evidence), subject.index
    sizes, counts = np.unique(population.sizes, return_counts=True)
    k = int(sizes[0])
    return Working(
        "k_map",
        class_name(card, index),
        (
            _fitting_step(card, index, int(population.sizes[index])),
            Step(
                "The fewest decide",
                f"Over all {counted(card.evidence.classes.count, 'class', 'classes')} the fewest people that fit one "
                "are k.",
                lines(
                    r"k &= \min_E F_E",
                    rf"&= \min({abbreviated(map(whole, sizes.tolist()), len(sizes), COMMA)})",
                    rf"&= {whole(k)}",
                ),
                tabulated(
                    ("people that fit", "classes"), zip(sizes.tolist(), counts.tolist(), strict=True), len(sizes)
                ),
                k,
            ),
        ),
    )


def _largest_presence(card: Scorecard) -> Subject:
    return Subject(int((card.evidence.classes.sizes / population_classes(card.evidence).sizes).argmax()))


def _fewest_people(card: Scorecard) -> Subject:
    return Subject(int(population_classes(card.evidence).sizes.argmin()))


DELTA_PRESENCE = Derivation(Unit.CLASS, None, _presence, _largest_presence)
K_MAP = Derivation(Unit.CLASS, None, _map, _fewest_people)

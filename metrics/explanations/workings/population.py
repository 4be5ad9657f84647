"""δ-presence and k-map, step by step: a class beside the people of the population whom it fits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.explanations.workings.latex import COMMA, abbreviated, comes_to, lines, whole, worth
from metrics.explanations.workings.steps import (
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
from metrics.privacy.population import population_classes
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Floats, Integers
from metrics.wording import pluralize


def _fitting_step(card: Scorecard, index: int, people: int) -> Step:
    fit = "fits" if people == 1 else "fit"
    return Step(
        "Who fits the class",
        f"The class {class_name(card, index)} has {pluralize(class_size(card, index), 'record')}. "
        f"{people:,} of the population table's "
        f"{pluralize(population_classes(card.aggregates).rows, 'record')} {fit} its labels.",
        rf"F_E = {whole(people)}",
        number=people,
    )


def _presence(card: Scorecard, subject: Subject) -> Working:
    finished(card, "delta_presence")
    population, sizes, index = population_classes(card.aggregates), card.aggregates.classes.sizes, subject.index
    people, own = int(population.sizes[index]), int(sizes[index])
    deltas = sizes / population.sizes
    place = int(deltas.argmax())
    largest = Fraction(int(sizes[place]), int(population.sizes[place]))
    outside = (
        f"{pluralize(population.outside, 'record')} of the population "
        f"{'matches' if population.outside == 1 else 'match'} no class and "
        f"{'has' if population.outside == 1 else 'have'} δ = 0. "
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
                "Without further knowledge, each of them is in the table with the same probability.",
                rf"\delta_E = \frac{{|E|}}{{F_E}} = \frac{{{whole(own)}}}{{{whole(people)}}} "
                rf"{comes_to(Fraction(own, people))}",
                number=own / people,
            ),
            Step(
                "The largest decides",
                f"{outside}The result is the largest δ of {pluralize(len(sizes), 'class', 'classes')}.",
                rf"\delta = \max_E \delta_E = {worth(largest)}",
                _table_by_delta(card, deltas, population.sizes),
                float(largest),
            ),
        ),
    )


def _table_by_delta(card: Scorecard, deltas: Floats, people: Integers) -> StepTable:
    order = np.argsort(-deltas, kind="stable").tolist()
    sizes = card.aggregates.classes.sizes
    rows = ((class_name(card, i), int(sizes[i]), int(people[i]), float(deltas[i])) for i in order)
    return tabulated(("class", "records", "in the population", "δ"), rows, len(order))


def _map(card: Scorecard, subject: Subject) -> Working:
    finished(card, "k_map")
    population, index = population_classes(card.aggregates), subject.index
    sizes, counts = np.unique(population.sizes, return_counts=True)
    k = int(sizes[0])
    return Working(
        "k_map",
        class_name(card, index),
        (
            _fitting_step(card, index, int(population.sizes[index])),
            Step(
                "The fewest decide",
                "k is the smallest number of matching people over "
                f"{pluralize(card.aggregates.classes.count, 'class', 'classes')}.",
                lines(
                    r"k &= \min_E F_E",
                    rf"&= \min({abbreviated(map(whole, sizes.tolist()), len(sizes), COMMA)})",
                    rf"&= {whole(k)}",
                ),
                tabulated(
                    ("matching people", "classes"), zip(sizes.tolist(), counts.tolist(), strict=True), len(sizes)
                ),
                k,
            ),
        ),
    )


def _largest_presence(card: Scorecard) -> Subject:
    return Subject(int((card.aggregates.classes.sizes / population_classes(card.aggregates).sizes).argmax()))


def _fewest_people(card: Scorecard) -> Subject:
    return Subject(int(population_classes(card.aggregates).sizes.argmin()))


DELTA_PRESENCE = Derivation(Unit.CLASS, None, _presence, _largest_presence)
K_MAP = Derivation(Unit.CLASS, None, _map, _fewest_people)

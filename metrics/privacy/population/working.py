"""δ-presence and k-map, step by step: a class beside the people of the population whom it fits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.privacy.population.population_classes import population_classes
from metrics.tables.table import Floats, Integers
from metrics.texts import text
from metrics.working.latex import COMMA, abbreviated, equals, lines, value_of, whole
from metrics.working.steps import Derivation, Step, StepTable, Subject, Unit, class_name, class_size, step_of, tabulated


def _fitting_step(aggregates: Aggregates, index: int, people: int) -> Step:
    name, size, rows = class_name(aggregates, index), class_size(aggregates, index), population_classes(aggregates).rows
    return step_of(
        "population.working.fitting",
        rf"F_E = {whole(people)}",
        number=people,
        name=name,
        size=size,
        people=people,
        population=rows,
    )


def _presence(result: Any, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    population, sizes, index = population_classes(aggregates), aggregates.classes.sizes, subject.index
    people, size = int(population.sizes[index]), int(sizes[index])
    deltas = sizes / population.sizes
    worst_class = int(deltas.argmax())
    largest = Fraction(int(sizes[worst_class]), int(population.sizes[worst_class]))
    return (
        _fitting_step(aggregates, index, people),
        step_of(
            "delta_presence.working.present",
            rf"\delta_E = \frac{{|E|}}{{F_E}} = \frac{{{whole(size)}}}{{{whole(people)}}} "
            rf"{equals(Fraction(size, people))}",
            number=size / people,
        ),
        Step(
            text("delta_presence.working.largest_title"),
            text("delta_presence.working.largest_of_some", outside=population.outside, classes=len(sizes))
            if population.outside
            else text("delta_presence.working.largest", classes=len(sizes)),
            rf"\delta = \max_E \delta_E = {value_of(largest)}",
            _table_by_delta(aggregates, deltas, population.sizes),
            float(largest),
        ),
    )


def _table_by_delta(aggregates: Aggregates, deltas: Floats, people: Integers) -> StepTable:
    order = np.argsort(-deltas, kind="stable").tolist()
    sizes = aggregates.classes.sizes
    rows = ((class_name(aggregates, i), int(sizes[i]), int(people[i]), float(deltas[i])) for i in order)
    return tabulated(text("delta_presence.working.classes_columns"), rows, len(order))


def _map(result: Any, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    population, index = population_classes(aggregates), subject.index
    sizes, counts = np.unique(population.sizes, return_counts=True)
    k, table = int(sizes[0]), zip(sizes.tolist(), counts.tolist(), strict=True)
    return (
        _fitting_step(aggregates, index, int(population.sizes[index])),
        step_of(
            "k_map.working.fewest",
            lines(
                r"k &= \min_E F_E",
                rf"&= \min({abbreviated(map(whole, sizes.tolist()), len(sizes), COMMA)})",
                rf"&= {whole(k)}",
            ),
            table=tabulated(text("k_map.working.fewest_columns"), table, len(sizes)),
            number=k,
            classes=aggregates.classes.count,
        ),
    )


def _largest_presence(result: Any, aggregates: Aggregates, parameters: Parameters) -> Subject:
    return Subject(int((aggregates.classes.sizes / population_classes(aggregates).sizes).argmax()))


def _fewest_people(result: Any, aggregates: Aggregates, parameters: Parameters) -> Subject:
    return Subject(int(population_classes(aggregates).sizes.argmin()))


DELTA_PRESENCE = Derivation(Unit.CLASS, None, _presence, _largest_presence)
K_MAP = Derivation(Unit.CLASS, None, _map, _fewest_people)

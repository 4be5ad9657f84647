"""k-anonymity, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.privacy.classes.compatible_records import compatible_records
from metrics.tables.table import Integers
from metrics.texts import text
from metrics.working.latex import COMMA, abbreviated, lines, whole
from metrics.working.steps import Derivation, Step, StepTable, Subject, Unit, class_name, class_size, step_of, tabulated


def derive(result: Any, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """Size of the class, then the smallest size of all."""
    classes, index = aggregates.classes, subject.index
    size, name = int(classes.sizes[index]), class_name(aggregates, index)
    first = Step(
        text("k_anonymity.working.class_title"),
        text("k_anonymity.working.unique", name=name) if size == 1 else text("k_anonymity.working.class", name=name),
        rf"|E| = {whole(size)}",
        number=size,
    )
    compatible = compatible_records(aggregates, parameters.classes)
    other_steps = (
        [_smallest_step(aggregates, index)] if compatible is None else _with_wildcards(aggregates, index, compatible)
    )
    return (first, *other_steps)


def _smallest_step(aggregates: Aggregates, index: int) -> Step:
    """The smallest size of all classes."""
    sizes, counts = np.unique(aggregates.classes.sizes, return_counts=True)
    k, smallest = int(sizes[0]), int(counts[0])
    classes = aggregates.classes.count
    return Step(
        text("working.smallest_class_title"),
        text("k_anonymity.working.smallest", size=class_size(aggregates, index), classes=classes, smallest=smallest),
        lines(
            r"k &= \min_E |E|",
            rf"&= \min({abbreviated(map(whole, map(int, sizes)), len(sizes), COMMA)})",
            rf"&= {whole(k)}",
        ),
        _sizes(sizes.tolist(), counts.tolist()),
        k,
    )


def _with_wildcards(aggregates: Aggregates, index: int, compatible: Integers) -> list[Step]:
    """The compatible records of one class, then the fewest of all."""
    numbers, counts = np.unique(compatible, return_counts=True)
    k, n_compatible = int(numbers[0]), int(compatible[index])
    table = zip(numbers.tolist(), counts.tolist(), strict=True)
    return [
        step_of(
            "k_anonymity.working.compatible", f"n = {whole(n_compatible)}", number=n_compatible, records=n_compatible
        ),
        Step(
            text("working.smallest_number_title"),
            text("k_anonymity.working.fewest", classes=len(compatible)),
            lines(rf"k &= \min({abbreviated(map(whole, map(int, numbers)), len(numbers), COMMA)})", rf"&= {whole(k)}"),
            tabulated(text("k_anonymity.working.compatible_columns"), table, len(numbers)),
            k,
        ),
    ]


def _sizes(sizes: list[int], counts: list[int]) -> StepTable:
    return tabulated(text("working.sizes_columns"), zip(sizes, counts, strict=True), len(sizes))


def decisive_class(result: Any, aggregates: Aggregates, parameters: Parameters) -> Subject:
    """The first of the smallest classes; with wildcards the first of those with the fewest compatible records."""
    sizes = aggregates.classes.sizes
    if len(sizes):
        compatible = compatible_records(aggregates, parameters.classes)
        sizes = sizes if compatible is None else compatible
    return Subject(int(sizes.argmin()) if len(sizes) else 0)


WORKING = Derivation(Unit.CLASS, None, derive, decisive_class)

"""k-anonymity, step by step."""

from __future__ import annotations

import numpy as np

from metrics.explanations.workings.latex import COMMA, abbreviated, lines, whole
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
from metrics.privacy.compatible import compatible_records
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers
from metrics.wording import pluralize


def derive(card: Scorecard, subject: Subject) -> Working:
    """Size of the class, then the smallest size of all. Raises Unavailable."""
    finished(card, "k_anonymity")
    classes, index = card.aggregates.classes, subject.index
    size = int(classes.sizes[index])
    first = Step(
        "Form the equivalence classes",
        "Records with the same values of all quasi-identifiers form an equivalence class. This one is: "
        f"{class_name(card, index)}. "
        + ("Its only record is unique." if size == 1 else "Its records are indistinguishable."),
        rf"|E| = {whole(size)}",
        number=size,
    )
    compatible = compatible_records(card.aggregates, card.parameters.classes)
    further = [_smallest_step(card, index)] if compatible is None else _with_wildcards(card, index, compatible)
    return Working("k_anonymity", class_name(card, index), (first, *further))


def _smallest_step(card: Scorecard, index: int) -> Step:
    """The smallest size of all classes."""
    sizes, counts = np.unique(card.aggregates.classes.sizes, return_counts=True)
    k, smallest = int(sizes[0]), int(counts[0])
    held = "has k records" if smallest == 1 else "hold k records"
    classes = pluralize(card.aggregates.classes.count, "class", "classes")
    return Step(
        "The smallest class decides",
        f"This class has {pluralize(class_size(card, index), 'record')}. k is the smallest size of all {classes}; "
        f"{pluralize(smallest, 'class', 'classes')} {held}.",
        lines(
            r"k &= \min_E |E|",
            rf"&= \min({abbreviated(map(whole, map(int, sizes)), len(sizes), COMMA)})",
            rf"&= {whole(k)}",
        ),
        _sizes(sizes.tolist(), counts.tolist()),
        k,
    )


def _with_wildcards(card: Scorecard, index: int, compatible: Integers) -> list[Step]:
    """The compatible records of one class, then the fewest of all."""
    numbers, counts = np.unique(compatible, return_counts=True)
    k, number = int(numbers[0]), int(compatible[index])
    table = zip(numbers.tolist(), counts.tolist(), strict=True)
    return [
        Step(
            "Count the compatible records",
            "Two records are compatible if in every quasi-identifier they are equal or either cell can be any value. "
            f"{pluralize(number, 'record is', 'records are')} compatible with those of this class, its own included.",
            f"n = {whole(number)}",
            number=number,
        ),
        Step(
            "The smallest number decides",
            f"k is the smallest number of compatible records of all {pluralize(len(compatible), 'class', 'classes')}.",
            lines(
                rf"k &= \min({abbreviated(map(whole, map(int, numbers)), len(numbers), COMMA)})",
                rf"&= {whole(k)}",
            ),
            tabulated(("compatible records", "classes"), table, len(numbers)),
            k,
        ),
    ]


def _sizes(sizes: list[int], counts: list[int]) -> StepTable:
    return tabulated(("records in a class", "classes"), zip(sizes, counts, strict=True), len(sizes))


def smallest_class(card: Scorecard) -> Subject:
    """The first of the smallest classes; with wildcards the first of those with the fewest compatible records."""
    sizes = card.aggregates.classes.sizes
    if len(sizes):
        compatible = compatible_records(card.aggregates, card.parameters.classes)
        sizes = sizes if compatible is None else compatible
    return Subject(int(sizes.argmin()) if len(sizes) else 0)


K_ANONYMITY = Derivation(Unit.CLASS, None, derive, smallest_class)

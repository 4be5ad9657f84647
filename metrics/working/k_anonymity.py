"""k-anonymity, step by step."""

from __future__ import annotations

import numpy as np

from metrics.scorecard import Scorecard
from metrics.wording import counted
from metrics.working.latex import COMMA, abbreviated, lines, whole
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


def derive(card: Scorecard, subject: Subject) -> Working:
    """Size of the class, then the smallest size of all. Raises Unavailable."""
    finished(card, "k_anonymity")
    classes, index = card.evidence.classes, subject.index
    size = int(classes.sizes[index])
    sizes, counts = np.unique(classes.sizes, return_counts=True)
    k = int(sizes[0])
    smallest = int(counts[0])
    held = "holds k records" if smallest == 1 else "hold k records"
    return Working(
        "k_anonymity",
        class_name(card, index),
        (
            Step(
                "Group the records",
                "Records that agree in every quasi-identifier form an equivalence class. This one is: "
                f"{class_name(card, index)}. "
                + ("Its one record can be singled out." if size == 1 else "Its records cannot be told apart."),
                rf"|E| = {whole(size)}",
                number=size,
            ),
            Step(
                "The smallest class decides",
                f"This class holds {class_size(card, index)}. The smallest size of all "
                f"{counted(classes.count, 'class', 'classes')} is k; {counted(smallest, 'class', 'classes')} {held}.",
                lines(
                    r"k &= \min_E |E|",
                    rf"&= \min({abbreviated(map(whole, map(int, sizes)), len(sizes), COMMA)})",
                    rf"&= {whole(k)}",
                ),
                _sizes(sizes.tolist(), counts.tolist()),
                k,
            ),
        ),
    )


def _sizes(sizes: list[int], counts: list[int]) -> StepTable:
    return tabulated(("records in a class", "classes"), zip(sizes, counts, strict=True), len(sizes))


def smallest_class(card: Scorecard) -> Subject:
    """The first of the smallest classes."""
    sizes = card.evidence.classes.sizes
    return Subject(int(sizes.argmin()) if len(sizes) else 0)


K_ANONYMITY = Derivation(Unit.CLASS, None, derive, smallest_class)

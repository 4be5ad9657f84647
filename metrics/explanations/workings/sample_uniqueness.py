"""Sample uniqueness, step by step: the classes by size, the records that are alone, their share."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.explanations.workings.latex import comes_to, lines, whole
from metrics.explanations.workings.steps import Derivation, Step, Subject, Unit, Working, finished, tabulated
from metrics.scoring.scorecard import Scorecard


def sizes_step(card: Scorecard) -> Step:
    """How many classes have each size; ends in the classes of one."""
    sizes, counts = np.unique(card.aggregates.classes.sizes, return_counts=True)
    alone = int(counts[0]) if sizes[0] == 1 else 0
    return Step(
        "Count the classes by size",
        "The record of a class of one is unique in its quasi-identifiers in this table.",
        rf"c_1 = {whole(alone)}",
        tabulated(("records in a class", "classes"), zip(sizes.tolist(), counts.tolist(), strict=True), len(sizes)),
        alone,
    )


def derive(card: Scorecard, subject: Subject) -> Working:
    """Classes of one, over all records in classes. Raises Unavailable."""
    finished(card, "sample_uniqueness")
    first, kept = sizes_step(card), card.aggregates.classes.kept
    share = Fraction(int(first.number or 0), kept)
    last = Step(
        "As a share of the records",
        f"Each class of one is one of the {kept:,} records in classes; suppressed records belong to no class.",
        lines(
            rf"\frac{{c_1}}{{N}} &= \frac{{{whole(int(first.number or 0))}}}{{{whole(kept)}}}", rf"&{comes_to(share)}"
        ),
        number=float(share),
    )
    return Working("sample_uniqueness", "the whole table", (first, last))


def _decisive(card: Scorecard) -> Subject:
    finished(card, "sample_uniqueness")
    return Subject(0)


SAMPLE_UNIQUENESS = Derivation(Unit.TABLE, None, derive, _decisive)

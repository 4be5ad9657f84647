"""Sample uniqueness, step by step: the classes by size, the records that are alone, their share."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.explanations.workings.latex import equals, lines, whole
from metrics.explanations.workings.steps import (
    WHOLE_TABLE,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text


def sizes_step(card: Scorecard) -> Step:
    """How many classes have each size; ends in the classes of one."""
    sizes, counts = np.unique(card.aggregates.classes.sizes, return_counts=True)
    n_unique = int(counts[0]) if sizes[0] == 1 else 0
    return Step(
        text("sample_uniqueness.working.sizes_title"),
        text("sample_uniqueness.working.sizes"),
        rf"c_1 = {whole(n_unique)}",
        tabulated(text("working.sizes_columns"), zip(sizes.tolist(), counts.tolist(), strict=True), len(sizes)),
        n_unique,
    )


def derive(card: Scorecard, subject: Subject) -> Working:
    """Classes of one, over all records in classes."""
    first, n_records = sizes_step(card), card.aggregates.classes.kept
    share = Fraction(int(first.number or 0), n_records)
    last = Step(
        text("sample_uniqueness.working.share_title"),
        text("sample_uniqueness.working.share", records=n_records),
        lines(
            rf"\frac{{c_1}}{{N}} &= \frac{{{whole(int(first.number or 0))}}}{{{whole(n_records)}}}",
            rf"&{equals(share)}",
        ),
        number=float(share),
    )
    return Working("sample_uniqueness", WHOLE_TABLE, (first, last))


SAMPLE_UNIQUENESS = Derivation(Unit.TABLE, None, derive)

"""The classes that violate: how many for a report, and which for its confidential appendix."""

from __future__ import annotations

import numpy as np

from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers
from metrics.texts import text


def violations(card: Scorecard) -> str:
    """How many classes violate, and how many for each reason, in a sentence that names none of them.

    Where no metric judges violations, as without a sensitive attribute, classes of one record are counted.
    """
    found = card.classes.violations
    if found is not None:
        return found.violation_summary()
    single = card.aggregates.class_sizes.of_size(1)
    return text("classes.violations", classes=single, records=single) if single else text("classes.no_violations")


def most_serious_first(card: Scorecard) -> Integers:
    """The positions of the violating classes, the most serious first."""
    found = card.classes.violations
    return np.flatnonzero(card.aggregates.classes.sizes == 1) if found is None else found.most_serious_first()


def violation_reasons(card: Scorecard, chosen: Integers) -> list[str]:
    """Why each of these classes violates."""
    found = card.classes.violations
    return ["k = 1"] * len(chosen) if found is None else found.reason_texts(chosen).to_pylist()

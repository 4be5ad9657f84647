"""The cells of classes, counted by value, column by column."""

from __future__ import annotations

import numpy as np

from metrics.classes import EquivalenceClasses
from metrics.evidence import Evidence
from metrics.specification import Unavailable
from metrics.table import Integers


def records_by_value(classes: EquivalenceClasses) -> dict[str, Integers]:
    """For each quasi-identifier, the records of classes that hold each value, by code; suppressed records are in none.

    Whole numbers below 2**53 are exact as doubles.
    """
    return {
        column.name: np.bincount(codes, weights=classes.sizes, minlength=column.distinct).astype(np.int64)
        for column, codes in zip(classes.columns, classes.codes, strict=True)
    }


def wholly_lost(evidence: Evidence) -> int:
    """Records of which no quasi-identifier is left: suppressed and deleted ones. Raises Unavailable without records."""
    if not evidence.anonymized.rows:
        raise Unavailable("the table has no records")
    return evidence.classes.suppressed + evidence.deleted

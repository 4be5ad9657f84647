"""The cells of quasi-identifiers, counted by value, column by column."""

from __future__ import annotations

from metrics.classes import Distribution
from metrics.evidence import Evidence
from metrics.specification import Unavailable


def cells_in_classes(evidence: Evidence) -> dict[str, Distribution]:
    """For each quasi-identifier, the records of classes that hold each value; suppressed records are in none."""
    return {name: evidence.distribution(name) for name in evidence.roles.quasi_identifiers}


def wholly_lost(evidence: Evidence) -> int:
    """Records of which no quasi-identifier is left: suppressed and deleted ones. Raises Unavailable without records."""
    if not evidence.anonymized.rows:
        raise Unavailable("the table has no records")
    return evidence.class_sizes.suppressed + evidence.deleted

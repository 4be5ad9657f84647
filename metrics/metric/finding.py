"""What is said of a table: one sentence each, with what it is about and how serious it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Severity(IntEnum):
    """How serious a finding is, the most serious first."""

    RISK = 1
    """What the table discloses, or what hides it."""
    SETTLE = 2
    """What must be decided or done before the table is released."""
    NOTE = 3
    """What else a reader must know."""
    STRENGTH = 4
    """A weakness that the table does not have."""


class FindingKind(IntEnum):
    """What a finding is about; of equal severity, an earlier kind is more serious."""

    IDENTIFIERS = 1
    NO_CLASSES = 2
    IDENTITY_DISCLOSURE = 3
    ATTRIBUTE_DISCLOSURE = 4
    DISTRIBUTION_DISCLOSURE = 5
    PROFITABLE_ATTACK = 6
    GUESSES = 7
    UNDERSTATED_ATTACKS = 8
    MISFIT_LABELS = 9
    COLUMNS_TO_SETTLE = 10
    ORDER = 11
    DECIDING_DISTANCE = 12
    SINGLE_KNOWN_VALUES = 13
    SUPPRESSED_GROUP = 14
    FALSE_INTERVALS = 15
    JOINT_SCORE = 16
    LIMITS = 17
    INFORMATION_LOSS = 18
    LOST_RECORDS = 19
    SUPPRESSED_CELLS = 20
    UNEVEN_SUPPRESSION = 21
    RECORDS_LEFT_OUT = 22
    PERTURBED = 23
    LABELS = 24
    ASSUMPTIONS = 25
    UNMEASURED = 26


@dataclass(frozen=True)
class Finding:
    """One sentence about a table; it may name columns, whose names are not escaped."""

    kind: FindingKind
    severity: Severity
    sentence: str

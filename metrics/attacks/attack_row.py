"""One row of the table of attacks: what an attacker achieves, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AttackRow:
    """One attacker; the figures are shares, None where there is none."""

    attacker: str
    answered: float | None
    """Share of people for whom the attacker has an answer."""
    success: float
    """Share of these for whom it is right; for attacks that give no answer, of the records or people in the table."""
    guessing: float | None = None
    """Share of these for whom guessing is right."""
    holdout: float | None = None
    """Success on people who are not in the table."""
    secondary: bool = False
    """Whether other rows come first where there is little room."""

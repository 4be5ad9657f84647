"""The risk of survey records: the risk that remains if each represents as many people as its weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from metrics.tables.table import Floats, Integers

_TERMS = 60
_LARGE = 30


@dataclass(frozen=True)
class IndividualTotals:
    """Totals of the risks of all records."""

    records: int = 0
    highest: Annotated[float, max] = 0.0
    expected: float = 0.0
    """Records that are expected to be re-identified."""


@dataclass(frozen=True, eq=False)
class IndividualRisk:
    """The risk of every class's records, and what that means for all records."""

    per_class: Floats
    """Risk of each record of a class."""
    totals: IndividualTotals
    """Totals of all classes; the array may hold only some of them."""

    @property
    def highest(self) -> float:
        """The highest risk."""
        return self.totals.highest

    @property
    def mean(self) -> float:
        """The mean risk over records, not classes."""
        return self.totals.expected / self.totals.records

    @property
    def expected(self) -> float:
        """Records that are expected to be re-identified."""
        return self.totals.expected


def individual_risk(sizes: Integers, weights: Floats, people: Integers | None = None) -> IndividualRisk:
    """Expected 1/F of each class's F people in the population: above 0 to 1, lower is better.

    `people` f are the records with which each of a class's records could be confused, and `weights` the sum of their
    weights; there is at least one class. By default they are the records of the class itself, its `sizes`. F given
    f is taken as negative binomial with p = f / weights: risk = p^f/f · ₂F₁(f, f; f+1; 1−p), and 1/f for p = 1. A sum
    of weights below f counts as f. In sdcMicro, `indivRisk` by default gives the same for f = 1 and 2 and the
    approximation p / (f − (1 − p)) from 3 on; `measure_risk` does so too, but with p − 0.0001 in place of p.
    Source: R. Benedetti, L. Franconi, "Statistical and technological solutions for controlled data dissemination",
    1998; M. Templ, A. Kowarik, B. Meindl, "Statistical disclosure control for micro-data using the R package
    sdcMicro", 2015, doi 10.18637/jss.v067.i04.
    """
    people = sizes if people is None else people
    per_class = expected_inverse(people, np.minimum(people / weights, 1.0))
    expected = float((sizes * per_class).sum())
    return IndividualRisk(per_class, IndividualTotals(int(sizes.sum()), float(per_class.max()), expected))


def expected_inverse(f: Integers, p: Floats) -> Floats:
    """E[1/F] of a negative binomial F of at least f, at success probability p in (0, 1].

    It is p · I_f with I_f = ∫ u^(f−1) / (p + (1−p) u) du over 0 to 1: for few records and small p by the recurrence
    I_(f+1) = (1/f − p I_f) / (1−p), which is stable there; else by the series of ₂F₁(1, 1; f+1; 1−p) = f I_f, whose
    terms fall below rounding at once. The function itself overflows for many records and small p.
    """
    result = np.empty(len(p))
    small = (f < _LARGE) & (p <= 0.5)
    result[small] = p[small] * _by_recurrence(f[small], p[small])
    large, q = f[~small], 1 - p[~small]
    series = np.ones(len(q))
    for n in range(_TERMS, 0, -1):
        series = 1 + series * q * n / (large + n)
    result[~small] = p[~small] / large * series
    return result


def _by_recurrence(f: Integers, p: Floats) -> Floats:
    integral = -np.log(p) / (1 - p)
    result = integral.copy()
    for k in range(1, int(f.max(initial=1))):
        integral = (1 / k - p * integral) / (1 - p)
        result = np.where(f == k + 1, integral, result)
    return result

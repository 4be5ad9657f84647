"""δ-presence, k-map and the risks of re-identification, record by record."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from tests.oracle.classes import SUPPRESSED, Cell, Key, Record, equivalence_classes
from tests.oracle.hierarchy import Rows

_INTERVAL = re.compile(r"(\d+)-(\d+)")


def covers(label: Cell, value: Cell, hierarchy: Rows | None) -> bool:
    """Whether a label of the sample stands for a value of the population; masks are prefixes here."""
    if label in (value, SUPPRESSED):
        return True
    if label is None or value is None:
        return False
    if hierarchy is not None:
        # The value's own row where it is a leaf, else the lowest level on which it stands.
        for level in range(len(hierarchy[0])):
            for row in hierarchy:
                if row[level] == value:
                    return label in row[level:]
    if interval := _INTERVAL.fullmatch(label):
        low, high = (value, value) if value.isdigit() else of.groups() if (of := _INTERVAL.fullmatch(value)) else "10"
        return int(interval[1]) <= int(low) <= int(high) <= int(interval[2])
    return label.endswith(SUPPRESSED) and value.startswith(label.rstrip(SUPPRESSED))


@dataclass(frozen=True)
class Presence:
    """Population records per class, and those that fit none."""

    sizes: dict[Key, int]
    own: dict[Key, int]
    outside: int

    @property
    def delta(self) -> dict[Key, Fraction]:
        return {key: Fraction(self.own[key], size) for key, size in self.sizes.items()}


def presence(
    sample: Sequence[Record],
    population: Sequence[Record],
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows],
) -> Presence:
    """Each class beside each person."""
    own = {key: len(members) for key, members in equivalence_classes(sample, quasi_identifiers)}
    sizes = dict.fromkeys(own, 0)
    outside = 0
    for person in population:
        fits = [
            key
            for key in own
            if all(
                covers(label, person[name], hierarchies.get(name))
                for name, label in zip(quasi_identifiers, key, strict=True)
            )
        ]
        for key in fits:
            sizes[key] += 1
        outside += not fits
    return Presence(sizes, own, outside)


@dataclass(frozen=True)
class Risk:
    highest: Fraction
    average: Fraction
    lowest: Fraction
    records_at_risk: Fraction


def risk(people: Mapping[Key, int], own: Mapping[Key, int], threshold: float) -> Risk:
    """The risk 1/people of every record, listed."""
    each = [Fraction(1, people[key]) for key, records in own.items() for _ in range(records)]
    above = [of for of in each if of > Fraction(str(threshold))]
    return Risk(max(each), sum(each, Fraction(0)) / len(each), min(each), Fraction(len(above), len(each)))


def expected_inverse(f: int, p: float) -> float:
    """E[1/F] for F = f, f + 1, … with probability C(F−1, f−1) p^f (1−p)^(F−f), by its closed form in many digits.

    ∫ u^(f−1) / (p + q u) du = Σ_k (−p)^(f−1−k) q^(−f+k) / k … − ln p (−p)^(f−1) q^(−f), by long division.
    """
    with localcontext() as context:
        context.prec = 60 + 20 * f
        exact = Decimal(p)
        q = 1 - exact
        if not q:
            return 1 / f
        integral = -exact.ln() * (-exact) ** (f - 1) / q**f
        for k in range(1, f):
            integral += (-exact) ** (f - 1 - k) / (q ** (f - k) * k)
        return float(exact * integral)

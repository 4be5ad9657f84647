"""Measures of perturbed and synthetic tables, number by number and person by person."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tests.oracle.classes import Cell, Record
from tests.oracle.numerals import plain_number


def pairs(before: Sequence[Cell], after: Sequence[Cell]) -> list[tuple[Fraction, Fraction]]:
    """The numbers of the records that hold one in both columns."""
    both = zip(map(plain_number, before), map(plain_number, after), strict=True)
    return [(old, new) for old, new in both if old is not None and new is not None]


def variance(cells: Sequence[Cell]) -> Fraction:
    """Of a sample: divided by one less than the number of numbers; 0 for one."""
    numbers = [one for one in map(plain_number, cells) if one is not None]
    if len(numbers) < 2:
        return Fraction(0)
    mean = sum(numbers) / Fraction(len(numbers))
    return sum(((one - mean) ** 2 for one in numbers), Fraction(0)) / (len(numbers) - 1)


def within_interval(before: Sequence[Cell], after: Sequence[Cell]) -> tuple[int, int]:
    """Numbers within 5% of the original column's standard deviation, and all numbers; squared, to remain exact."""
    found = pairs(before, after)
    limit = Fraction(1, 400) * variance(before)
    return sum((new - old) ** 2 <= limit for old, new in found), len(found)


def standardized_differences(before: Sequence[Cell], after: Sequence[Cell]) -> list[float]:
    """|x - x'| / (sqrt(2) s) of each number; the column must have a spread."""
    scale = math.sqrt(2 * variance(before))
    return [float(abs(new - old)) / scale for old, new in pairs(before, after)]


def correlation(first: Sequence[Cell], second: Sequence[Cell]) -> float:
    """The covariance over the records that hold both numbers, on the scale of each column's own deviation."""
    found = pairs(first, second)
    if len(found) < 2:
        return 0.0
    means = [sum(one) / Fraction(len(found)) for one in zip(*found, strict=True)]
    shared = sum(((x - means[0]) * (y - means[1]) for x, y in found), Fraction(0)) / (len(found) - 1)
    return float(shared) / math.sqrt(variance(first) * variance(second))


def eigenvalues_of_three(columns: Sequence[Sequence[Cell]]) -> list[float]:
    """Of the correlation matrix of three columns, by Cardano's formula: the roots of its characteristic polynomial.

    With a diagonal of 1 it is (1 - x)^3 - (a² + b² + c²)(1 - x) + 2abc.
    """
    a, b, c = (correlation(columns[i], columns[j]) for i, j in ((0, 1), (0, 2), (1, 2)))
    scale = math.sqrt((a * a + b * b + c * c) / 3)
    if not scale:
        return [1.0, 1.0, 1.0]
    angle = math.acos(max(-1.0, min(1.0, a * b * c / scale**3))) / 3
    return sorted((1 + 2 * scale * math.cos(angle + 2 * math.pi * k / 3) for k in range(3)), reverse=True)


def relative_differences(before: Sequence[float], after: Sequence[float]) -> float:
    """The sum of |x - y| / x."""
    return math.fsum(abs(old - new) / old for old, new in zip(before, after, strict=True))


def same(value: Cell) -> Cell | Fraction:
    """What is the same in all spellings of a value."""
    found = plain_number(value)
    return value if found is None else found


def keyed(records: Sequence[Record], known: Sequence[str], sensitive: str) -> list[tuple[tuple[object, ...], object]]:
    """The known values and the sensitive one of each record."""
    return [(tuple(same(record[name]) for name in known), same(record[sensitive])) for record in records]


def attribution(
    released: Sequence[Record], people: Sequence[Record], known: Sequence[str], sensitive: str
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Correct attribution probability, DiSCO, people with a single value, people found: looked up one by one."""
    correct = disclosed = certain = found = Fraction(0)
    release = keyed(released, known, sensitive)
    for key, truth in keyed(people, known, sensitive):
        values = [value for other, value in release if other == key]
        if not values:
            continue
        found += 1
        correct += Fraction(values.count(truth), len(values))
        certain += len(set(values)) == 1
        disclosed += set(values) == {truth}
    n = len(people)
    return correct / n, disclosed / n, certain / n, found / n


def blind_attribution(people: Sequence[Record], sensitive: str) -> Fraction:
    """The sum of squared shares of the values."""
    counts = Counter(same(record[sensitive]) for record in people)
    return sum((Fraction(count, len(people)) ** 2 for count in counts.values()), Fraction(0))


def saturated_pmse(original: Sequence[Record], released: Sequence[Record]) -> Fraction:
    """The propensity score of a model with a term for every combination is the share of released records in it."""
    before, after = (Counter(tuple(record.values()) for record in side) for side in (original, released))
    n = len(original) + len(released)
    share = Fraction(len(released), n)
    total = Fraction(0)
    for key in before.keys() | after.keys():
        records = before[key] + after[key]
        total += records * (Fraction(after[key], records) - share) ** 2
    return total / n


def distance_between(one: Record, other: Record, reach: dict[str, Fraction | None]) -> Fraction:
    """Gower's: by column the gap over the range between numbers, at most 1, else 0 or 1; `reach` None for words."""
    total = Fraction(0)
    for name, whole in reach.items():
        if whole is None:
            total += same(one[name]) != same(other[name])
            continue
        first, second = plain_number(one[name]), plain_number(other[name])
        if first is None or second is None:
            total += (first is None) != (second is None)
        else:
            total += min(abs(first - second) / (whole or 1), Fraction(1))
    return total / len(reach)


def closest_distances(
    targets: Sequence[Record], pool: Sequence[Record], reach: dict[str, Fraction | None], *, other: bool = False
) -> list[Fraction]:
    """The distance of each target to the closest record of the pool, or to the closest other one of the same table."""
    return sorted(
        min(distance_between(one, two, reach) for at, two in enumerate(pool) if not other or at != place)
        for place, one in enumerate(targets)
    )

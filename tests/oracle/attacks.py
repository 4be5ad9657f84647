"""Attacks person by person and record by record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from statistics import median

from tests.oracle.classes import Cell, Record
from tests.oracle.hierarchy import Rows
from tests.oracle.population import covers

Trees = Mapping[str, Rows]


def number(cell: Cell) -> int | None:
    return int(cell) if cell is not None and cell.isdigit() and (cell == "0" or cell[0] != "0") else None


def ends(label: Cell) -> tuple[int, int] | None:
    if label is None:
        return None
    if (alone := number(label)) is not None:
        return alone, alone
    low, dash, high = label.partition("-")
    return (int(low), int(high)) if dash and low.isdigit() and high.isdigit() else None


def stands_for(
    label: Cell, value: Cell, name: str, trees: Trees, original: Sequence[Record], released: Sequence[Record]
) -> bool:
    """Whether a label covers a value, or, where its text covers none of the original's, the value became it."""
    values = {record[name] for record in original}
    if label in values:
        return label == value
    if covers(label, value, trees.get(name)):
        return True
    known = {cell for row in trees.get(name, []) for cell in row}
    silent = label is not None and ends(label) is None and label not in known
    if not silent or any(covers(label, other, trees.get(name)) for other in values):
        return False
    return any((before[name], after[name]) == (value, label) for before, after in zip(original, released, strict=True))


def distance(label: Cell, value: Cell, covered: bool, values: Sequence[Cell]) -> Fraction:
    """Gower's: the gap over the range between numbers and intervals, else 0 or 1."""
    known, between = number(value), ends(label)
    if known is None or between is None:
        return Fraction(0 if covered else 1)
    gap = max(between[0] - known, known - between[1], 0)
    numbers = [one for one in map(number, values) if one is not None]
    reach = max(numbers) - min(numbers)
    return Fraction(gap, reach) if reach else Fraction(int(gap > 0))


def possible_records(
    person: Record,
    released: Sequence[Record],
    original: Sequence[Record],
    known: Sequence[str],
    trees: Trees,
    matched: Sequence[Record] | None = None,
) -> tuple[set[int], bool]:
    """Positions of the released records that could be the person's, and whether they cover it.

    `matched` are those in the order of the original, where `released` are not all of them.
    """
    matched = released if matched is None else matched
    covering = {
        at
        for at, record in enumerate(released)
        if all(stands_for(record[name], person[name], name, trees, original, matched) for name in known)
    }
    if covering:
        return covering, True
    total = [
        sum(
            distance(
                record[name],
                person[name],
                stands_for(record[name], person[name], name, trees, original, matched),
                [one[name] for one in original],
            )
            for name in known
        )
        for record in released
    ]
    return {at for at, of in enumerate(total) if of == min(total)}, False


def most_specific(
    possible_records: set[int],
    released: Sequence[Record],
    original: Sequence[Record],
    known: Sequence[str],
    trees: Trees,
    matched: Sequence[Record],
) -> set[int]:
    """The possible records whose labels cover the fewest combinations of original values; one that covers none, 1."""
    breadths = {
        at: prod(
            max(
                sum(
                    stands_for(released[at][name], value, name, trees, original, matched)
                    for value in {record[name] for record in original}
                ),
                1,
            )
            for name in known
        )
        for at in possible_records
    }
    return {at for at, breadth in breadths.items() if breadth == min(breadths.values())}


@dataclass(frozen=True)
class Linkage:
    rate: Fraction
    unique_right: Fraction
    unique_wrong: Fraction
    no_possible_record: Fraction


def link(original: Sequence[Record], released: Sequence[Record], known: Sequence[str], trees: Trees) -> Linkage:
    """Records stand in the same order in both tables."""
    n = len(original)
    found = [possible_records(person, released, original, known, trees) for person in original]
    return Linkage(
        sum((Fraction(1, len(of)) for at, (of, _) in enumerate(found) if at in of), Fraction(0)) / n,
        Fraction(sum(of == {at} for at, (of, _) in enumerate(found)), n),
        Fraction(sum(len(of) == 1 and at not in of for at, (of, _) in enumerate(found)), n),
        Fraction(sum(not covered for _, covered in found), n),
    )


def link_people(
    original: Sequence[Record], released: Sequence[Record], known: Sequence[str], trees: Trees, person: str
) -> tuple[Fraction, Fraction]:
    """The mean over people of 1/|C|, and the share with nobody else in C; records stand in the same order."""
    groups: dict[Cell, list[int]] = {}
    for at, record in enumerate(released):
        if record[person] not in (None, "", "*"):
            groups.setdefault(record[person], []).append(at)
    rate = alone = Fraction(0)
    people = {record[person] for record in original} - {None, "", "*"}
    for one in people:
        places = [at for at, record in enumerate(original) if record[person] == one]
        places = [at for at in places if any(at in group for group in groups.values())]
        sets = Counter(frozenset(possible_records(original[at], released, original, known, trees)[0]) for at in places)
        found = [
            who
            for who, group in groups.items()
            if len(group) == len(places) and all(len(of & set(group)) >= needed for of, needed in sets.items())
        ]
        if places and released[places[0]][person] in found:
            rate += Fraction(1, len(found))
            alone += len(found) == 1
    return rate / len(people), alone / len(people)


def guess(values: Sequence[Cell], every: Sequence[Cell], truth: Cell, by_median: bool, slack: Fraction) -> Fraction:
    """How far the guess from these values is right; from every released one where these say nothing."""
    values = informative(values, by_median) or informative(every, by_median)
    if by_median:
        middles = [Fraction(sum(between), 2) for between in map(ends, values) if between is not None]
        own = number(truth)
        return Fraction(int(bool(middles) and own is not None and abs(median(middles) - own) <= slack))
    counted = Counter(values)
    most = [value for value, times in counted.items() if times == max(counted.values())]
    return Fraction(int(truth in most), len(most)) if most else Fraction(0)


def informative(values: Sequence[Cell], by_median: bool) -> list[Cell]:
    """The values that can be guessed: the numbers and intervals, or what is not suppressed."""
    return [value for value in values if (ends(value) is not None if by_median else value != "*")]


@dataclass(frozen=True)
class Inference:
    rate: Fraction
    baseline: Fraction
    certain: Fraction
    misled: Fraction
    certain_baseline: Fraction
    """Success of guessing for those whose possible records agree, right or not; 0 without any."""


def infer(
    people: Sequence[Record],
    released: Sequence[Record],
    original: Sequence[Record],
    known: Sequence[str],
    trees: Trees,
    column: str,
    tolerance: Fraction | None = None,
) -> Inference:
    """Of an attribute; by the median where there is a tolerance."""
    numbers = [one for one in (number(record[column]) for record in original) if one is not None]
    slack = Fraction(0) if tolerance is None else tolerance * (max(numbers) - min(numbers))
    every = [record[column] for record in released]
    rate = blind = blind_of_certain = Fraction(0)
    certain = misled = 0
    for person in people:
        values = [every[at] for at in possible_records(person, released, original, known, trees)[0]]
        right = guess(values, every, person[column], tolerance is not None, slack)
        rate += right
        near = tolerance is not None and bool(right)
        is_misled = len(set(values)) == 1 and not {person[column], "*"} & set(values) and not near
        is_certain = set(values) == {person[column]}
        blindly = guess(every, every, person[column], tolerance is not None, slack)
        misled += is_misled
        blind += blindly
        certain += is_certain
        blind_of_certain += blindly if is_misled or is_certain else 0
    return Inference(
        rate / len(people),
        blind / len(people),
        Fraction(certain, len(people)),
        Fraction(misled, len(people)),
        blind_of_certain / max(certain + misled, 1),
    )


def linked(
    people: Sequence[Record], released: Sequence[Record], original: Sequence[Record], known: Sequence[str], trees: Trees
) -> Fraction:
    """Mean of |C_A ∩ C_B| / (|C_A| |C_B|)."""
    total = Fraction(0)
    for person in people:
        first, second = (
            possible_records(person, released, original, half, trees)[0] for half in (known[::2], known[1::2])
        )
        total += Fraction(len(first & second), len(first) * len(second))
    return total / len(people)


def covered(
    people: Sequence[Record], released: Sequence[Record], original: Sequence[Record], known: Sequence[str], trees: Trees
) -> Fraction:
    """The share of people whom a released record covers."""
    return Fraction(
        sum(possible_records(person, released, original, known, trees)[1] for person in people), len(people)
    )


def matching(
    predicate: Mapping[str, Cell],
    table: Sequence[Record],
    trees: Trees,
    original: Sequence[Record] = (),
    released: Sequence[Record] = (),
) -> int:
    """Records that match a predicate, whose labels the records of original and release explain."""
    return sum(
        all(stands_for(label, record[name], name, trees, original, released) for name, label in predicate.items())
        for record in table
    )


def predicates(
    released: Sequence[Record],
    usable: Sequence[str],
    classes: Sequence[Sequence[str]],
    trees: Trees,
    original: Sequence[Record],
) -> list[dict[str, Cell]]:
    """Every predicate in up to three columns, or in one of `classes`, that matches one released record."""
    sets = [columns for size in (1, 2, 3) for columns in combinations(usable, size)]
    made = [
        dict(labels)
        for columns in [*sets, *classes]
        for labels in {tuple((name, record[name]) for name in columns) for record in released}
    ]
    return [one for one in made if matching(one, released, trees, original, released) == 1]


def jointly_disclosed(
    original: Sequence[Record],
    releases: Sequence[Sequence[Record]],
    known: Sequence[str],
    trees: Trees,
    column: str,
) -> tuple[Fraction, list[Fraction], Fraction]:
    """The share whose value the releases together disclose, each alone, and those that no release does alone.

    A release that excludes the true value of more than 1% of the people whose value it shows is not combined.
    """
    n = len(original)
    held = [
        [
            {released[at][column] for at in possible_records(person, released, original, known, trees)[0]}
            for person in original
        ]
        for released in releases
    ]
    truthful = []
    for released, sets in zip(releases, held, strict=True):
        shown = [at for at in range(n) if released[at][column] not in ("*", None)]
        if 100 * sum(original[at][column] not in sets[at] for at in shown) <= len(shown):
            truthful.append(sets)
    each = [{at for at in range(n) if sets[at] == {original[at][column]}} for sets in held]
    common = {
        at
        for at in range(n)
        if truthful and set.intersection(*(sets[at] for sets in truthful)) == {original[at][column]}
    }
    together = max(len(found) for found in (common, *each))
    return Fraction(together, n), [Fraction(len(one), n) for one in each], Fraction(len(common - set().union(*each)), n)

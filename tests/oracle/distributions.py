"""How distributions, numbers and associations changed: record by record, value by value."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tests.oracle.classes import SUPPRESSED, Cell, Record
from tests.oracle.hierarchy import Rows, covered_leaves, with_root
from tests.oracle.numerals import integer_interval


class Domain:
    """The values that a column may hold, and those that each anonymized value covers."""

    def __init__(self, before: Sequence[Cell], after: Sequence[Cell], hierarchy: Rows | None) -> None:
        self._rows = with_root(hierarchy) if hierarchy else None
        seen = (set(before) | set(after)) - {SUPPRESSED}
        intervals = {cell: integer_interval(cell) for cell in seen}
        self._whole = self._rows is None and bool(seen) and None not in intervals.values() and SUPPRESSED not in before
        if self._rows is not None:
            self.values: list[object] = [row[0] for row in self._rows]
        elif self._whole:
            ends = [end for interval in intervals.values() if interval for end in interval]
            self.values = list(range(min(ends), max(ends) + 1))
        else:
            if not set(after) <= {*before, SUPPRESSED}:
                raise ValueError("what a value covers is unknown without a hierarchy")
            self.values = list(dict.fromkeys(before))

    def value_of(self, cell: Cell) -> object:
        """The domain value that an original cell holds."""
        if self._rows is not None:
            if (cell or "") not in self.values:
                raise ValueError("an original value is no leaf of its hierarchy")
            return cell or ""
        return int(str(cell)) if self._whole else cell

    def covered(self, cell: Cell) -> set[object]:
        """The domain values that an anonymized cell covers."""
        if self._rows is not None:
            return set(covered_leaves(cell or "", self._rows))
        if cell == SUPPRESSED and SUPPRESSED not in self.values:
            return set(self.values)
        if self._whole:
            interval = integer_interval(cell)
            assert interval is not None
            return set(range(interval[0], interval[1] + 1))
        return {cell}


def _domains(
    original: Sequence[Record], anonymized: Sequence[Record], columns: Sequence[str], hierarchies: Mapping[str, Rows]
) -> dict[str, Domain]:
    if len(original) != len(anonymized) or not original:
        raise ValueError("the two tables are matched by position and need the same, positive length")
    return {
        name: Domain([row[name] for row in original], [row[name] for row in anonymized], hierarchies.get(name))
        for name in columns
    }


def kl_divergence(
    original: Sequence[Record], anonymized: Sequence[Record], columns: Sequence[str], hierarchies: Mapping[str, Rows]
) -> float:
    """Sum of p ln(p / expected p) over the original's combinations, in nats; infinite where one is not expected.

    A record that is suppressed in all columns may hold any combination of the domains.
    """
    domains = _domains(original, anonymized, columns, hierarchies)
    whole = math.prod(len(domain.values) for domain in domains.values())
    held = Counter(tuple(domains[name].value_of(row[name]) for name in columns) for row in original)
    spread = []
    for row in anonymized:
        covers = [domains[name].covered(row[name]) for name in columns]
        suppressed = all(row[name] == SUPPRESSED for name in columns)
        spread.append((None if suppressed else covers, whole if suppressed else math.prod(map(len, covers))))
    total = []
    for combination, count in held.items():
        expected = Fraction(0)
        for covers_or_all, number in spread:
            if covers_or_all is None or all(
                value in cover for value, cover in zip(combination, covers_or_all, strict=True)
            ):
                expected += Fraction(1, number)
        if not expected:
            return math.inf
        total.append(count / len(original) * math.log(Fraction(count) / expected))
    return math.fsum(total)


def total_variation(before: Sequence[Cell], after: Sequence[Cell], hierarchy: Rows | None) -> Fraction:
    """Half the differences of shares over all values of the domain, generalized cells spread evenly."""
    difference = _differences(before, after, hierarchy)
    return sum((abs(of) for of in difference.values()), Fraction(0)) / 2


def ordered_distance(before: Sequence[Cell], after: Sequence[Cell], hierarchy: Rows | None) -> Fraction:
    """The way that shares move over the domain's values in the order of their numbers, over the longest way."""
    difference = _differences(before, after, hierarchy)
    ordered = sorted(difference, key=lambda value: Fraction(str(value)))
    moved = list(itertools.accumulate(difference[value] for value in ordered))
    return sum(map(abs, moved), Fraction(0)) / (len(ordered) - 1) if len(ordered) > 1 else Fraction(0)


def _differences(before: Sequence[Cell], after: Sequence[Cell], hierarchy: Rows | None) -> dict[object, Fraction]:
    domain = Domain(before, after, hierarchy)
    shares = dict.fromkeys(domain.values, Fraction(0))
    for cell in before:
        shares[domain.value_of(cell)] += Fraction(1, len(before))
    for cell in after:
        covers = domain.covered(cell)
        for value in covers:
            shares[value] -= Fraction(1, len(before) * len(covers))
    return shares


def cramers_v(pairs: Sequence[tuple[Cell, Cell]]) -> float:
    """Square root of chi-square over its largest value; 0 where a column holds one value."""
    rows, columns = (sorted(Counter(map(str, side)).items()) for side in zip(*pairs, strict=True))
    seen = Counter((str(first), str(second)) for first, second in pairs)
    if min(len(rows), len(columns)) < 2:
        return 0.0
    chi = Fraction(0)
    for (first, of_row), (second, of_column) in itertools.product(rows, columns):
        expected = Fraction(of_row * of_column, len(pairs))
        chi += (seen[first, second] - expected) ** 2 / expected
    return math.sqrt(chi / (len(pairs) * (min(len(rows), len(columns)) - 1)))


def correlation(pairs: Sequence[tuple[Fraction, Fraction]]) -> float:
    """Pearson's correlation; 0 where a column holds one number."""
    xs, ys = zip(*pairs, strict=True)
    mean_x, mean_y = sum(xs, Fraction(0)) / len(xs), sum(ys, Fraction(0)) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys)
    together = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    return float(together) / math.sqrt(spread) if spread else 0.0


def correlation_ratio(pairs: Sequence[tuple[Fraction, Cell]]) -> float:
    """Square root of the spread between groups over all spread; 0 where there is none."""
    numbers = [number for number, _ in pairs]
    mean = sum(numbers, Fraction(0)) / len(numbers)
    spread = sum((number - mean) ** 2 for number in numbers)
    between = Fraction(0)
    for group in {group for _, group in pairs}:
        members = [number for number, its in pairs if its == group]
        between += len(members) * (sum(members, Fraction(0)) / len(members) - mean) ** 2
    return math.sqrt(between / spread) if spread else 0.0


def variance_preserved(pairs: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """(SSE, SST) of numbers and what they became."""
    mean = sum((x for x, _ in pairs), Fraction(0)) / len(pairs)
    return sum(((x - y) ** 2 for x, y in pairs), Fraction(0)), sum(((x - mean) ** 2 for x, _ in pairs), Fraction(0))

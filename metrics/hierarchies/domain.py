"""How many values of a column's domain a generalized value covers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import compress

import numpy as np

from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.masks import masked_labels
from metrics.interruption import watched
from metrics.tables.table import SUPPRESSED, Column, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import text

_BOUND = r"[+-]?\d+(?:[.,]\d+)?"
_BETWEEN = re.compile(
    rf"(?P<open>[\[\](]?)\s*(?P<low>{_BOUND})\s*(?:-|–|—|~|\.\.|,|;|to|bis)\s*(?P<high>{_BOUND})\s*(?P<close>[\[\])]?)"
)
_ONE_SIDED = re.compile(rf"(?P<sign><=|>=|<|>|≤|≥)\s*(?P<bound>{_BOUND})")

_CODE = re.compile(r"[+-]?0\d", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def is_code(label: str) -> bool:
    """Whether a label begins with a zero that no number has: 00123."""
    return _CODE.match(label) is not None


@dataclass(frozen=True)
class Interval:
    """Numbers from `low` to `high`; an end that is excluded says so."""

    low: float
    high: float
    low_included: bool = True
    high_included: bool = True

    def integers(self, smallest: int, largest: int) -> int:
        """How many whole numbers of smallest..largest it contains."""
        low = np.ceil(self.low) if self.low_included else np.floor(self.low) + 1
        high = np.floor(self.high) if self.high_included else np.ceil(self.high) - 1
        return max(int(min(high, largest) - max(low, smallest)) + 1, 0)

    def first(self, smallest: int) -> int:
        """The first whole number that it contains and that is not below smallest."""
        low = np.ceil(self.low) if self.low_included else np.floor(self.low) + 1
        return int(max(low, smallest))

    def contains(self, number: float) -> bool:
        """Whether it contains a number."""
        above = number >= self.low if self.low_included else number > self.low
        below = number <= self.high if self.high_included else number < self.high
        return above and below


def parse_interval(text: str, decimal: str = ".") -> Interval | None:
    """The interval that a label represents.

    Parameters
    ----------
    text : str
        A label such as `1970 - 1979`, `[30-40)`, `[20,30[`, `(0, 5]`, `<=40` or `>40`.
    decimal : str
        Decimal mark, "." or ",".

    Returns
    -------
    Interval or None
        None where the label is no interval. Without brackets both ends are included; `)` and `[` at the end, `(`
        and `]` at the front exclude theirs.
    """
    text = text.strip()
    if match := _ONE_SIDED.fullmatch(text):
        bound = parse_number(match["bound"], decimal)
        if bound is None:
            return None
        included = match["sign"] in ("<=", ">=", "≤", "≥")
        if match["sign"][0] in "<≤":
            return Interval(-np.inf, bound, False, included)
        return Interval(bound, np.inf, included, False)
    match = _BETWEEN.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    low, high = parse_number(match["low"], decimal), parse_number(match["high"], decimal)
    if low is None or high is None or low > high:
        return None
    return Interval(low, high, match["open"] in ("", "["), match["close"] in ("", "]"))


def joined_intervals(first: str, last: str, decimal: str = ".") -> str | None:
    """The interval from the beginning of one to the end of another, written as they are; None for other labels.

    `[20-30)` and `[50-60)` give `[20-60)`.
    """
    if parse_interval(first, decimal) is None or parse_interval(last, decimal) is None:
        return None
    first_match, last_match = _BETWEEN.fullmatch(first.strip()), _BETWEEN.fullmatch(last.strip())
    if first_match is None or last_match is None:
        return None
    return f"{first_match.string[: first_match.start('high')]}{last_match.string[last_match.start('high') :]}"


def outside_intervals(hierarchy: Hierarchy) -> dict[str, str]:
    """Leaves that are numbers, each with the lowest label above it that is an interval without it.

    Such rows are mistakes, as a 5 in `0-4`: measures follow the hierarchy, readers believe the label.
    """
    outside = {}
    for leaf, *labels in hierarchy.rows:
        number = parse_number(leaf)
        if number is not None:
            intervals = ((label, parse_interval(label)) for label in labels)
            wrong_label = next(
                (label for label, interval in intervals if interval is not None and not interval.contains(number)), None
            )
            if wrong_label is not None:
                outside[leaf] = wrong_label
    return outside


def range_of_number(hierarchy: Hierarchy, level: int, leaf: int) -> str:
    """The range of values that a number on a level stands for, such as "41 to 45" for 43.

    Parameters
    ----------
    hierarchy : Hierarchy
        Of numbers; there is no range of other values.
    level : int
        That of the number.
    leaf : int
        The row of a leaf below it.

    Returns
    -------
    str
        From the smallest to the largest value; "" where the label is no number, or stands for one value only.
    """
    nodes = hierarchy.nodes(level)
    leaves = [row[0] for row in compress(hierarchy.rows, nodes == nodes[leaf])]
    numbers = {label: parse_number(label) for label in (hierarchy.rows[leaf][level], *leaves)}
    if len(leaves) == 1 or None in numbers.values():
        return ""
    ordered = sorted(leaves, key=lambda label: numbers[label] or 0.0)
    return f"{ordered[0]} to {ordered[-1]}"


@dataclass(frozen=True, eq=False)
class Coverage:
    """`covered` holds, per distinct anonymized value, how many of the domain's `size` values it covers."""

    covered: Floats
    size: int
    rule: str
    """Which rule gave the domain: "hierarchy", "integers" or "original values"."""
    smallest: int = 0
    """The smallest whole number of the domain, where the rule is "integers"."""
    first: Integers | None = None
    """Per distinct anonymized value the first whole number it covers, less `smallest`, where the rule is "integers"."""


def coverage(anonymized: Column, hierarchy: Hierarchy | None, pair: Combinations | None) -> Coverage:
    """How much of the domain each anonymized value covers.

    Parameters
    ----------
    anonymized : Column
        The released column.
    hierarchy : Hierarchy or None
        Its hierarchy; then the domain is the hierarchy's leaves.
    pair : Combinations or None
        The original column with the anonymized one. Without a hierarchy the domain is the whole numbers from the
        smallest to the largest, where all original values are whole numbers and all anonymized ones whole numbers
        or intervals of them; else the distinct original values.

    Returns
    -------
    Coverage
        The share of the domain that each anonymized value covers.

    Raises
    ------
    Unavailable
        If the hierarchy misses a value, or without it and without an original.
    """
    if hierarchy is not None:
        return _of_hierarchy(anonymized, hierarchy)
    if pair is None:
        raise Unavailable(text("unavailable.unknown_domain", column=anonymized.name))
    original = pair.columns[0]
    return _of_integers(original, anonymized) or _of_values(anonymized, pair)


def _of_hierarchy(anonymized: Column, hierarchy: Hierarchy) -> Coverage:
    covered = [hierarchy.coverage.get(label or "") for label in anonymized.labels]
    n_missing = covered.count(None)
    if n_missing:
        raise Unavailable(text("unavailable.incomplete_hierarchy_anonymized", column=anonymized.name, values=n_missing))
    return Coverage(np.array(covered, dtype=np.float64), len(hierarchy.rows), "hierarchy")


def _whole(text: str | None, decimal: str) -> int | None:
    """The whole number of a label; none for a code with leading zeros, nor where doubles skip whole numbers."""
    number = None if text is None or is_code(text) else parse_number(text, decimal)
    return int(number) if number is not None and _is_whole(number) else None


def _is_whole(number: float) -> bool:
    return abs(number) <= 2**53 and number == int(number)


def _of_integers(original: Column, anonymized: Column) -> Coverage | None:
    """Coverage of whole numbers; None where a value of either column is neither one nor an interval of them."""
    numbers = [number for label in original.labels if (number := _whole(label, original.decimal)) is not None]
    intervals = _integer_intervals(anonymized)
    if intervals is None or not numbers or len(numbers) < len(original.labels):
        return None
    bounds = [*numbers, *(end for interval in intervals if interval is not None for end in _integer_ends(interval))]
    smallest, largest = min(bounds), max(bounds)
    size = largest - smallest + 1
    covered = [size if interval is None else interval.integers(smallest, largest) for interval in intervals]
    offsets = [0 if interval is None else interval.first(smallest) - smallest for interval in intervals]
    return Coverage(
        np.maximum(np.array(covered, dtype=np.float64), 1),
        size,
        "integers",
        smallest,
        np.minimum(np.array(offsets, dtype=np.int64), size - 1),
    )


def _integer_intervals(column: Column) -> list[Interval | None] | None:
    """The interval of each label, None for `*`; None altogether where a label is not an interval of whole numbers."""
    intervals = [
        None if label in (None, SUPPRESSED) else _integer_interval(label, column.decimal) for label in column.labels
    ]
    has_other_labels = any(
        interval is None and label != SUPPRESSED for interval, label in zip(intervals, column.labels, strict=True)
    )
    return None if has_other_labels else intervals


def _integer_interval(label: str, decimal: str) -> Interval | None:
    number = _whole(label, decimal)
    interval = parse_interval(label, decimal) if number is None else Interval(number, number)
    if interval is None or not all(_is_whole(end) for end in (interval.low, interval.high) if np.isfinite(end)):
        return None
    return interval


def _integer_ends(interval: Interval) -> list[int]:
    """The first and the last whole number of an interval, as far as it has ends."""
    ends = [end for end in (interval.low, interval.high) if np.isfinite(end)]
    if not interval.low_included:
        ends = [end + 1 if end == interval.low else end for end in ends]
    if not interval.high_included:
        ends = [end - 1 if end == interval.high else end for end in ends]
    return [int(end) for end in ends]


def _of_values(anonymized: Column, pair: Combinations) -> Coverage:
    """By the pair's values: `anonymized` may have others, of records that are not compared."""
    original, compared = pair.columns
    originals_of_label: dict[str | None, set[int]] = {}
    for before, after in watched(zip(*pair.codes, strict=True)):
        originals_of_label.setdefault(compared.labels[after], set()).add(int(before))
    covered = [
        _values_covered(label, original, len(originals_of_label.get(label, ()))) for label in watched(anonymized.labels)
    ]
    return Coverage(np.array(covered, dtype=np.float64), original.distinct, "original values")


def _values_covered(label: str | None, original: Column, n_originals: int) -> int:
    """Original values that a label covers: by its form where it has one, else those it replaced."""
    if label in original.code_of:
        return 1
    if label == SUPPRESSED:
        return original.distinct
    interval = parse_interval(label, original.decimal) if label is not None else None
    if interval is not None and original.numbers is not None:
        return max(sum(interval.contains(number) for number in original.numbers), n_originals, 1)
    if label is not None and SUPPRESSED in label:
        return max(len(masked_labels([label], original.labels)[label]), n_originals, 1)
    return max(n_originals, 1)


def number_of_label(label: str | None, decimal: str) -> Decimal | int | None:
    """The exact number that a label denotes; doubles would make long whole numbers equal. 007 is a code."""
    if label is None or is_code(label) or parse_number(label, decimal) is None:
        return None
    return int(label) if _WHOLE.fullmatch(label) else Decimal(label.replace(",", "."))

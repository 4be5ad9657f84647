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
from metrics.hierarchies.intervals import Interval, is_code, parse_interval
from metrics.hierarchies.labels import covered_by_form, cut_to_beginnings, intervals_of
from metrics.interruption import watched
from metrics.tables.table import SUPPRESSED, Column, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import text

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def outside_intervals(hierarchy: Hierarchy) -> dict[str, str]:
    """Leaves that are numbers, each with the lowest label above it that is an interval without it.

    Such rows are mistakes, as a 5 in `0-4`: measures follow the hierarchy, readers believe the label.
    """
    outside = {}
    for leaf, *labels in hierarchy.rows:
        number = parse_number(leaf, hierarchy.decimal)
        if number is not None:
            intervals = ((label, parse_interval(label, hierarchy.decimal)) for label in labels)
            wrong_label = next(
                (label for label, interval in intervals if interval is not None and not interval.holds(number)), None
            )
            if wrong_label is not None:
                outside[leaf] = wrong_label
    return outside


def range_of_number(hierarchy: Hierarchy, level: int, leaf: int) -> str:
    """The range of values that a number on a level stands for, such as "41 to 45" for 43.

    From the smallest to the largest value; "" where the label is no number, or stands for one value only. `hierarchy`:
    of numbers; there is no range of other values.
    """
    nodes = hierarchy.nodes(level)
    leaves = [row[0] for row in compress(hierarchy.rows, nodes == nodes[leaf])]
    labels = (hierarchy.rows[leaf][level], *leaves)
    numbers = {label: parse_number(label, hierarchy.decimal) for label in labels}
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

    The share of the domain that each anonymized value covers. `hierarchy`: its hierarchy; then the domain is the
    hierarchy's leaves. `pair`: the original column with the anonymized one. Without a hierarchy the domain is the whole
    numbers from the smallest to the largest, where all original values are whole numbers and all anonymized ones whole
    numbers or intervals of them, and no beginnings of the original ones; else the distinct original values. Raises
    Unavailable if the hierarchy misses a value, or without it and without an original.
    """
    if hierarchy is not None:
        return _of_hierarchy(anonymized, hierarchy)
    if pair is None:
        raise Unavailable(text("unavailable.unknown_domain", column=anonymized.name))
    integers = None if cut_to_beginnings(pair) else integer_coverage(pair.columns[0], anonymized)
    return integers or _of_values(anonymized, pair)


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


def integer_coverage(original: Column, anonymized: Column) -> Coverage | None:
    """Coverage of whole numbers; None where a value of either column is neither one nor an interval of them."""
    numbers = [number for label in original.labels if (number := _whole(label, original.decimal)) is not None]
    intervals = _integer_intervals(anonymized, original)
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


def _integer_intervals(column: Column, original: Column) -> list[Interval | None] | None:
    """The interval of each label, None for `*`; None altogether where a label is not an interval of whole numbers."""
    intervals: list[Interval | None] = []
    for label, interval in zip(column.labels, intervals_of(column, original), strict=True):
        number = _whole(label, column.decimal)
        whole = interval if number is None else Interval(number, number)
        if label != SUPPRESSED and (whole is None or not _has_whole_ends(whole)):
            return None
        intervals.append(None if label == SUPPRESSED else whole)
    return intervals


def _has_whole_ends(interval: Interval) -> bool:
    return all(_is_whole(end) for end in (interval.low, interval.high) if np.isfinite(end))


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
    by_form = covered_by_form(anonymized, original, original)
    covered = []
    for label in watched(anonymized.labels):
        if label in original.code_of:
            covered.append(1)
        elif label == SUPPRESSED:
            covered.append(original.distinct)
        else:
            # By its form where it has one, else those it replaced.
            covered.append(max(len(by_form.get(label or "", ())), len(originals_of_label.get(label, ())), 1))
    return Coverage(np.array(covered, dtype=np.float64), original.distinct, "original values")


def number_of_label(label: str | None, decimal: str) -> Decimal | int | None:
    """The exact number that a label denotes; doubles would make long whole numbers equal. 007 is a code."""
    if label is None or is_code(label) or parse_number(label, decimal) is None:
        return None
    return int(label) if _WHOLE.fullmatch(label) else Decimal(label.replace(",", "."))

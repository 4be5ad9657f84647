"""What a label tells a recipient: it stands for each value of its domain that it covers, with equal probability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from metrics.errors import Unavailable
from metrics.hierarchies.covering import consecutive_places, covering
from metrics.hierarchies.domain import integer_coverage
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.intervals import Interval
from metrics.hierarchies.labels import Evidence, cut_to_beginnings, intervals_of
from metrics.hierarchies.numerals import is_numeric
from metrics.interruption import watched
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Flags, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import text

_MAX_INTEGERS: Final = 2**20
"""Of a larger domain of whole numbers only those that occur in the original are its values."""
_NO_VALUE: Final = (None, "", SUPPRESSED)


@dataclass(frozen=True, eq=False)
class Domain:
    """The values that a column can hold: a codebook, which a recipient knows."""

    column: Column
    """The values, without records; none of them missing or `*`."""
    hierarchy: Hierarchy | None
    size: int
    """The first so many values are the codebook's; what else the original holds follows them."""

    @cached_property
    def is_numeric(self) -> bool:
        """Whether all values are numbers; codes such as 00123 are not."""
        return is_numeric(self.column)

    @property
    def numbers(self) -> Floats | None:
        """The number of each value; None where one has none."""
        return self.column.numbers if self.is_numeric else None


@dataclass(frozen=True, eq=False)
class Shares:
    """Which values of the domain each distinct label of a column covers; unknown labels cover none here."""

    column: Column
    """The column of the labels."""
    domain: Domain
    label: Integers
    """Code of the label, for each pair of a label and a value that it covers; ascending."""
    value: Integers
    """Position of the value in the domain, for each pair."""
    unknown: Flags
    """By label, whether it is `*`, missing, or covers a whole domain of several values."""

    @cached_property
    def sizes(self) -> Integers:
        """By label the number of values that it covers; 0 of an unknown one, and of one outside the domain."""
        return np.bincount(self.label, minlength=len(self.unknown))

    @property
    def outside(self) -> Flags:
        """By label, whether it is known and covers nothing of the domain, as a number after noise may."""
        flags: Flags = ~self.unknown & (self.sizes == 0)
        return flags

    def within(self, values: Flags) -> Integers:
        """By label the number of chosen values that it covers; `values` flags them by their position in the domain."""
        return np.bincount(self.label[values[self.value]], minlength=len(self.unknown))

    def of_groups(self, group: Integers, groups: int) -> Floats:
        """By label and group of values the probability that the label stands for one of the group: |C ∩ g| / |C|.

        `group` is that of each value of the domain, -1 for none. Labels that cover nothing have zeros.
        """
        of_pair = group[self.value]
        pairs = np.bincount((self.label * groups + of_pair)[of_pair >= 0], minlength=len(self.unknown) * groups)
        return pairs.reshape(-1, groups) / np.maximum(self.sizes, 1)[:, np.newaxis]


def domain_of(
    original: Column | None, released: Column, hierarchy: Hierarchy | None, evidence: Callable[[], Evidence] = Evidence
) -> Domain:
    """The domain of a column: its hierarchy's leaves; else whole numbers, where both tables hold them; else the values.

    What the original holds beside its hierarchy's labels follows the leaves. Raises Unavailable without both.
    """
    decimal = released.decimal if original is None else original.decimal
    if hierarchy is None:
        if original is None:
            raise Unavailable(text("unavailable.unknown_domain", column=released.name))
        values = _values_without_hierarchy(original, released, evidence)
        return Domain(_column(released.name, values, decimal), None, len(values))
    leaves = [leaf for leaf in hierarchy.labels(0) if leaf not in _NO_VALUE]
    domain = Domain(_column(released.name, leaves, decimal), hierarchy, len(leaves))
    if original is None:
        return domain
    outside = shares_of(original, domain).outside
    more = [label for label, is_outside in zip(original.labels, outside, strict=True) if is_outside and label]
    return Domain(_column(released.name, [*leaves, *more], decimal), hierarchy, len(leaves)) if more else domain


def _values_without_hierarchy(original: Column, released: Column, evidence: Callable[[], Evidence]) -> list[str]:
    whole = integer_coverage(original, released)
    if whole is not None and whole.size <= _MAX_INTEGERS:
        pair = evidence().pair if whole.size > original.distinct else None
        if pair is None or not cut_to_beginnings(pair):
            return [str(whole.smallest + offset) for offset in range(whole.size)]
    ordered = (original.labels[code] for code in original.order)
    return [label for label in ordered if label and label not in _NO_VALUE]


def _column(name: str, values: list[str], decimal: str) -> Column:
    return Column(name, np.empty(0, dtype=np.int32), text_array(values), decimal)


def shares_of(labels: Column, domain: Domain, evidence: Callable[[], Evidence] = Evidence) -> Shares:
    """Which values of the domain each label covers.

    The leaves under it in the hierarchy, on the lower of two levels; else the value that equals it, however its number
    is written; else what its form says, or the original values that it replaced (`evidence`, asked for if needed).
    """
    under = {} if domain.hierarchy is None else _leaves_by_label(domain, domain.hierarchy, labels)
    covered: dict[int, Integers] = {}
    others: list[int] = []
    for code, label in enumerate(watched(labels.labels)):
        if label is None or label in _NO_VALUE:
            continue
        if label in under:
            covered[code] = under[label]
        elif label in domain.column.code_of:
            covered[code] = np.array([domain.column.code_of[label]])
        else:
            others.append(code)
    if others:
        covered |= _covered_by_form(labels, others, domain, evidence)
    unknown = np.array([label in _NO_VALUE for label in labels.labels], dtype=bool)
    if domain.size > 1:
        for code, values in covered.items():
            unknown[code] = np.count_nonzero(values < domain.size) == domain.size
    known = sorted(code for code in covered if not unknown[code])
    sizes = np.array([len(covered[code]) for code in known], dtype=np.int64)
    values = np.concatenate([np.empty(0, dtype=np.int64), *(covered[code] for code in known)])
    return Shares(labels, domain, np.repeat(np.array(known, dtype=np.int64), sizes), values, unknown)


def numbers_of(labels: Column, shares: Shares) -> Floats:
    """The number that each label stands for where it writes none itself; NaN where it stands for none.

    The mean of the leaves that it covers, else the middle of its interval: of whole numbers that of the first and the
    last, of an open one its bound; else the mean of the values that it covers.
    """
    domain = shares.domain
    values = np.array([parse_number(label, domain.column.decimal) for label in domain.column.labels], dtype=np.float64)
    sums = np.bincount(shares.label, weights=values[shares.value], minlength=len(shares.unknown))
    with np.errstate(invalid="ignore", divide="ignore"):
        numbers = np.where(shares.unknown, np.nan, sums / shares.sizes)
    known = () if domain.hierarchy is None else domain.hierarchy.level_of
    whole = bool((values == np.floor(values)).all())
    for code, interval in enumerate(intervals_of(labels)):
        if interval is not None and labels.labels[code] not in known and not shares.unknown[code]:
            numbers[code] = _middle(interval, whole)
    return numbers


def _middle(interval: Interval, whole: bool) -> float:
    low, high = interval.low, interval.high
    if not np.isfinite(low) or not np.isfinite(high):
        return low if np.isfinite(low) else high
    if whole:
        low = np.ceil(low) if interval.low_included else np.floor(low) + 1
        high = np.floor(high) if interval.high_included else np.ceil(high) - 1
    return float(low / 2 + high / 2)


def _leaves_by_label(domain: Domain, hierarchy: Hierarchy, labels: Column) -> dict[str, Integers]:
    """The values under each of the labels that the hierarchy knows, on the lowest level that holds it."""
    places = np.array([domain.column.code_of.get(leaf, -1) for leaf in hierarchy.labels(0)], dtype=np.int64)
    found: dict[str, Integers] = {}
    for level in {hierarchy.level_of[label] for label in labels.labels if label in hierarchy.level_of}:
        nodes = hierarchy.nodes(level)
        order = np.argsort(nodes, kind="stable")
        parts = np.split(places[order], np.cumsum(np.bincount(nodes))[:-1])
        for label, part in zip(hierarchy.labels(level), parts, strict=True):
            if hierarchy.level_of[label] == level:
                found[label] = part[part >= 0]
    return found


def _covered_by_form(
    labels: Column, codes: list[int], domain: Domain, evidence: Callable[[], Evidence]
) -> dict[int, Integers]:
    """Values that each of these labels covers, which neither the hierarchy nor the domain knows as they are written."""
    some = _column(labels.name, [labels.labels[code] or "" for code in codes], labels.decimal)
    found = covering(some, domain.column, None, evidence())
    counts = found.counts[found.group]
    label = found.labels[consecutive_places(found.starts[found.group], counts)]
    value = np.repeat(np.arange(domain.column.distinct), counts)
    ends = np.cumsum(np.bincount(label, minlength=len(codes)))[:-1]
    return dict(zip(codes, np.split(value[np.argsort(label, kind="stable")], ends), strict=True))

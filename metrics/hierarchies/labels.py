"""What the labels of a released column represent beside the original: the one reader of losses, attacks and pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.counting.counts import Combinations
from metrics.hierarchies.intervals import Interval, is_code, parse_interval
from metrics.hierarchies.masks import masked_labels
from metrics.hierarchies.sets import set_members
from metrics.interruption import watched
from metrics.tables.dictionary_codes import flags_of, text_array
from metrics.tables.table import SUPPRESSED, Column, Flags, Floats, Integers
from metrics.tables.values import parse_number

_DIGIT = re.compile(r"\d")
_MIN_REPEATED: Final = 20
"""Where noise changes values, two records with the same one seldom agree, and as many pairs as these never do."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of the values that became the labels of a released column."""

    original: Column | None = None
    """Of the original table: its values are no labels of others."""
    pair: Combinations | None = None
    """Which original values became which labels, where records are matched."""


def intervals_of(
    released: Column, original: Column | None = None, pair: Combinations | None = None
) -> list[Interval | None]:
    """The interval that each distinct label represents; None where it is none, or a value of the original.

    A number is none. Numbers between two intervals belong to the lower one: 29.5 to 20-29, beside 30-39. A number at
    which one interval ends and another begins, as 20 of 10-20 and 20-30, belongs to the one in which all matched
    records (`pair`) have such numbers; else to both.
    """
    values = {} if original is None else original.code_of
    marks = dict.fromkeys((released.decimal, released.decimal if original is None else original.decimal))
    intervals = [
        None if label is None or label in values else _interval(label, marks) for label in watched(released.labels)
    ]
    beginnings = {interval.low for interval in intervals if interval is not None}
    intervals = [
        replace(interval, until=-inf) if interval is not None and interval.high in beginnings else interval
        for interval in intervals
    ]
    return intervals if pair is None else _on_one_side(dict(zip(released.labels, intervals, strict=True)), pair)


def _on_one_side(intervals: Mapping[str | None, Interval | None], pair: Combinations) -> list[Interval | None]:
    """Exclude the ends that touch another interval and that no matched record has, if all have the other ends."""
    closed = [each for each in intervals.values() if each and each.low < each.high and each.low_included]
    touching = {each.low for each in closed} & {each.high for each in closed if each.high_included}
    if not touching:
        return list(intervals.values())
    original, anonymized = pair.columns
    begins = set()
    for before, after in watched(zip(*pair.codes, strict=True)):
        number, interval = parse_number(original.labels[before], original.decimal), None
        if number in touching:
            interval = intervals.get(anonymized.labels[after])
        if interval is not None and number in (interval.low, interval.high):
            begins.add(number == interval.low)
    if len(begins) != 1:
        return list(intervals.values())
    end, excluded = ("high", "high_included") if begins.pop() else ("low", "low_included")
    return [
        replace(interval, **{excluded: False}) if interval and getattr(interval, end) in touching else interval
        for interval in intervals.values()
    ]


def _interval(label: str, marks: Collection[str]) -> Interval | None:
    """By the first decimal mark by which it is one: labels alone do not always show that of their table."""
    return next((interval for mark in marks if (interval := parse_interval(label, mark)) is not None), None)


def covered_by_form(
    released: Column, values: Column, original: Column | None = None, pair: Combinations | None = None
) -> dict[str, Sequence[int]]:
    """By released label that is an interval, a mask or a set, the positions of the values that it covers by its form.

    A label that the original holds is that value and nothing else. An interval covers numbers and the intervals within
    it, and codes such as 00123 only if its ends have as many digits.
    """
    numbers = _Numbers(values)
    positions_by_label: dict[str, Sequence[int]] = {}
    masks = []
    for label, interval in watched(zip(released.labels, intervals_of(released, original, pair), strict=True)):
        if label is None or label == SUPPRESSED or (original is not None and label in original.code_of):
            continue
        if interval is not None:
            positions_by_label[label] = numbers.within(interval)
        elif SUPPRESSED in label:
            masks.append(label)
        elif members := set_members(label):
            positions_by_label[label] = [values.code_of[member] for member in members if member in values.code_of]
    return {**positions_by_label, **masked_labels(masks, values.labels)}


class _Numbers:
    """The values of a column that an interval can cover: intervals, and by their digits codes and numbers."""

    def __init__(self, values: Column) -> None:
        found: dict[int, list[tuple[float, int]]] = {}
        for position, label in enumerate(watched(values.labels)):
            number = parse_number(label, values.decimal)
            if label is not None and number is not None:
                found.setdefault(len(label.lstrip("+-")) if is_code(label) else 0, []).append((number, position))
        self._of_digits: dict[int, tuple[Floats, Integers]] = {}
        for digits, pairs in found.items():
            pairs.sort()
            numbers, positions = zip(*pairs, strict=True)
            self._of_digits[digits] = np.array(numbers, dtype=np.float64), np.array(positions, dtype=np.int64)
        self._intervals = [
            (position, interval) for position, interval in enumerate(intervals_of(values)) if interval is not None
        ]

    def within(self, interval: Interval) -> list[int]:
        """The positions of what lies in an interval."""
        within = [position for position, value in self._intervals if interval.includes(value)]
        for digits in {0, interval.digits} & self._of_digits.keys():
            numbers, positions = self._of_digits[digits]
            start = np.searchsorted(numbers, interval.low, side="left" if interval.low_included else "right")
            stop = np.searchsorted(numbers, interval.high, side="right" if interval.high_included else "left")
            stop = max(stop, np.searchsorted(numbers, interval.until, side="left"))
            within += positions[start:stop].tolist()
        return within


def covered_by_evidence(released: Column, evidence: Evidence) -> dict[str, set[str | None]]:
    """By label the original values that became it where its form does not tell: `young`, or `20-29` for `unknown`.

    A value of the original and whatever is written as all original values are, as dates, is a value itself: what became
    it was perturbed. A number is one beside numbers, unless the column was cut to beginnings such as 130 of 13010, and
    may be the year of dates. An interval tells of numbers and intervals whether they belong to it, a mask or set that
    covers an original value of everything.
    """
    if evidence.pair is None:
        return {}
    original, anonymized = evidence.pair.columns
    same_form, cut = in_same_form(original, anonymized), cut_to_beginnings(evidence.pair)
    by_form = covered_by_form(anonymized, original, original)
    intervals = dict(zip(released.labels, intervals_of(released, evidence.original or original), strict=True))
    is_told = [
        not label or interval is not None or parse_number(label, original.decimal) is not None
        for label, interval in zip(original.labels, intervals_of(original), strict=True)
    ]
    derived: dict[str, set[str | None]] = {}
    for before, after in watched(zip(*evidence.pair.codes, strict=True)):
        label, value = anonymized.labels[after], original.labels[before]
        if not label or label == SUPPRESSED or value == SUPPRESSED or label in original.code_of or same_form[after]:
            continue
        if intervals.get(label) is not None:
            told = is_told[before]
        elif parse_number(label, anonymized.decimal) is not None:
            told = is_told[before] and not cut
        else:
            told = bool(len(by_form.get(label, ())))
        if not told:
            derived.setdefault(label, set()).add(value)
    return derived


def recoded_labels(pair: Combinations | None) -> dict[str | None, str | None]:
    """By original value the label that it became, where a column was recoded to other values; else empty.

    Then all records with a value have one label, and at least 20 share their value with another record and have a label
    of which neither equality nor form tells that it covers the value, as 13000 for 13456. Perturbed values soon differ.
    """
    if pair is None:
        return {}
    original, anonymized = pair.columns
    label_of: dict[int, tuple[int, int]] = {}
    for before, after, records in watched(zip(*pair.codes, pair.counts, strict=True)):
        if SUPPRESSED in (original.labels[before], anonymized.labels[after]):
            continue
        if label_of.setdefault(int(before), (int(after), int(records) - 1))[0] != after:
            return {}
    repeated = 0
    by_form = covered_by_form(anonymized, original, original) if label_of else {}
    covered = {label: set(places) for label, places in by_form.items()}
    for before, (after, repetitions) in watched(label_of.items()):
        label, value = anonymized.labels[after], original.labels[before]
        number = parse_number(value, original.decimal)
        is_equal = label == value or (number is not None and number == parse_number(label, anonymized.decimal))
        if not is_equal and before not in covered.get(label or "", ()):
            repeated += repetitions
    if repeated < _MIN_REPEATED:
        return {}
    return {original.labels[before]: anonymized.labels[after] for before, (after, _) in label_of.items()}


def cut_to_beginnings(pair: Combinations) -> bool:
    """Whether every changed value is the beginning of its original, such as the first three digits of a ZIP code."""
    original, anonymized = pair.columns
    changed = [
        (value, label)
        for before, after in watched(zip(*pair.codes, strict=True))
        if (label := anonymized.labels[after]) != (value := original.labels[before]) and label != SUPPRESSED
    ]
    return bool(changed) and all(value and label and value.startswith(label) for value, label in changed)


def in_same_form(original: Column, released: Column) -> Flags:
    """Per distinct released value whether it is written like every original one, digits apart, as dates are.

    Where a column has less than half as many such values as the original, they may name groups, as the first day of a
    month does, and none counts.
    """
    empty = pc.is_in(original.values, value_set=text_array([None, "", SUPPRESSED]))
    original_forms = pc.unique(_forms(original).filter(pc.invert(empty)))
    if len(original_forms) != 1 or not _DIGIT.search(original_forms[0].as_py()):
        return np.zeros(released.distinct, dtype=bool)
    flags = flags_of(pc.is_in(_forms(released), value_set=original_forms))
    return flags if 2 * flags.sum() >= original.distinct else np.zeros(released.distinct, dtype=bool)


def _forms(column: Column) -> pa.Array:
    return pc.replace_substring_regex(column.values, r"\d", "0")

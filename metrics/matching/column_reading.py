"""Interprets the values of a column for utility metrics: which are equal, empty, or perturbed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from metrics.counting.counts import Combinations
from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import covered_by_form, cut_to_beginnings, in_same_form, intervals_of
from metrics.hierarchies.numerals import is_numeric
from metrics.interruption import watched
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Flags
from metrics.tables.values import parse_number

Labels = Sequence[str | None]

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class ColumnReading:
    """The interpreted labels of the distinct values of a column, in the order of their codes."""

    original: Labels | None
    anonymized: Labels


def read_column(original: Column | None, anonymized: Column, hierarchy: Hierarchy | None) -> ColumnReading:
    """The labels of equal values made equal, and None for every value that is empty.

    Blank and missing cells are empty. A label that writes the same number as a value of the hierarchy or of the
    original is that value (34.0 and 34.00 are 34), whatever else the column holds; codes such as 00123 are not numbers,
    and a label of the hierarchy stays unchanged. In a column of numbers the original's own labels of one number are one
    value; beside text they may be codes (250 and 250.0) and stay apart. In a column of numbers an anonymized text
    without a digit, such as NA, is empty, unless the column became several words and no numbers, such as young and old,
    which are groups. A column holds numbers if all original values do, apart from missing and suppressed ones; without
    an original if all leaves of the hierarchy do.
    """
    numeric = _numeric(original, hierarchy)
    hierarchy_labels = set() if hierarchy is None else set(hierarchy.level_of)
    empty_labels = _words_for_empty(anonymized, hierarchy_labels) if numeric else set()
    vocabulary = _vocabulary(original, anonymized, hierarchy, numeric=numeric)
    return ColumnReading(
        None if original is None else [vocabulary.read(label, original.decimal) for label in watched(original.labels)],
        [
            None if label in empty_labels else vocabulary.read(label, anonymized.decimal)
            for label in watched(anonymized.labels)
        ],
    )


@dataclass(frozen=True)
class _Vocabulary:
    """The labels that stay unchanged, and the label that represents each number."""

    fixed: Collection[str]
    spelling: Mapping[Decimal | int, str]

    def read(self, label: str | None, decimal: str) -> str | None:
        number = None if label in self.fixed else number_of_label(label, decimal)
        if number is None:
            return label or None
        common_label = self.spelling.get(number)
        return common_label if number_of_label(common_label, decimal) == number else label


def _vocabulary(
    original: Column | None, anonymized: Column, hierarchy: Hierarchy | None, *, numeric: bool
) -> _Vocabulary:
    """Labels of the hierarchy come first, then those of the original, then those of the anonymized column."""
    levels = {} if hierarchy is None else hierarchy.level_of
    fixed, spelling = set(levels), _spellings(levels, anonymized.decimal)
    if original is not None:
        if not numeric:
            other_labels = (
                label for label in original.labels if number_of_label(label, original.decimal) not in spelling
            )
            fixed.update(label for label in other_labels if label)
        spelling = _spellings(_shortest_first(original), original.decimal) | spelling
    if numeric:
        spelling = _spellings(_shortest_first(anonymized), anonymized.decimal) | spelling
    return _Vocabulary(fixed, spelling)


def _spellings(labels: Iterable[str | None], decimal: str) -> dict[Decimal | int, str]:
    """The first of the labels that write each number."""
    spelling: dict[Decimal | int, str] = {}
    for label in watched(labels):
        number = number_of_label(label, decimal)
        if label is not None and number is not None:
            spelling.setdefault(number, label)
    return spelling


def _shortest_first(column: Column) -> list[str]:
    return sorted((label for label in column.labels if label), key=lambda label: (len(label), label))


def _words_for_empty(anonymized: Column, hierarchy_labels: Collection[str]) -> set[str]:
    """The labels of a column of numbers that represent an empty cell."""
    words = {label for label in anonymized.labels if label and _is_a_word(label) and label not in hierarchy_labels}
    if len(words) > 1 and not any(label and _DIGIT.search(label) for label in anonymized.labels):
        return set()
    return words


def _numeric(original: Column | None, hierarchy: Hierarchy | None) -> bool:
    if original is not None:
        return is_numeric(original)
    if hierarchy is None:
        return False
    leaves = text_array([leaf for leaf in hierarchy.leaf_index if leaf])
    return is_numeric(Column(hierarchy.name, np.empty(0, dtype=np.int32), leaves))


def _is_a_word(label: str | None) -> bool:
    return label is not None and SUPPRESSED not in label and _DIGIT.search(label) is None


def emptied(pair: Combinations) -> Flags:
    """Pairs whose anonymized cell is empty although the original cell is not.

    A cell that was missing already has lost nothing.
    """
    (original, anonymized), (before, after) = pair.columns, pair.codes
    flags: Flags = (after == anonymized.code_of.get(None, -1)) & (before != original.code_of.get(None, -1))
    return flags


def perturbed_pairs(pair: Combinations, hierarchy: Hierarchy | None) -> Flags:
    """Pairs of read values whose anonymized value is not an ancestor of the original: 35 for 39.

    With a hierarchy an ancestor stands in the original value's row, on any level. Without one a value is perturbed that
    is another original value, another number, another value in the form of all original ones (a date), or an interval
    or mask that does not hold the original; a label of another form is taken for a group. A missing value has no
    number, so that no interval holds it. Values that the hierarchy misses are left to the measures that need them.
    """
    original, anonymized = pair.columns
    rows = None if hierarchy is None else {row[0]: set(row) for row in hierarchy.rows}
    labels = anonymized.labels
    levels = {} if hierarchy is None else hierarchy.level_of
    forms = None if rows is not None else _Forms(pair)
    flags = np.zeros(len(pair.counts), dtype=bool)
    for index, (before, after) in enumerate(watched(zip(*pair.codes, strict=True))):
        value, label = original.labels[before] or "", labels[after] or ""
        if label in (value, SUPPRESSED):
            continue
        if rows is not None:
            flags[index] = value in rows and label in levels and label not in rows[value]
        elif forms is not None:
            flags[index] = forms.exclude(int(before), int(after))
    return flags


class _Forms:
    """Coverage of the labels of a column without a hierarchy, by their form."""

    def __init__(self, pair: Combinations) -> None:
        original, anonymized = pair.columns
        self._original, self._labels = original, anonymized.labels
        self._cut = cut_to_beginnings(pair)
        self._same_form = in_same_form(original, anonymized)
        self._numeric = is_numeric(original)
        self._intervals = intervals_of(anonymized, original)
        self._covered = {
            label: set(positions) for label, positions in covered_by_form(anonymized, original, original).items()
        }
        self._written = [parse_number(label, anonymized.decimal) for label in watched(anonymized.labels)]

    def exclude(self, before: int, after: int) -> bool:
        """Whether an anonymized label cannot represent an original value other than itself."""
        label, value = self._labels[after], self._original.labels[before]
        covered = self._covered.get(label or "", set())
        if before in covered:
            return False
        if label in self._original.code_of or self._same_form[after]:
            return True
        if self._numeric and self._written[after] is not None:
            return not self._cut
        if self._intervals[after] is not None:
            return not value or parse_number(value, self._original.decimal) is not None
        return bool(covered)

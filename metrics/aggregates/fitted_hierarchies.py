"""The hierarchies by which a table is read: those given, or what both tables show where a label has another meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from metrics.aggregates.comparison import Comparison
from metrics.aggregates.memo import Memo
from metrics.counting.counts import Combinations
from metrics.errors import InputError
from metrics.hierarchies.builders import from_pair
from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import covered_by_form, in_same_form, intervals_of
from metrics.matching.column_reading import perturbed_pairs
from metrics.tables.table import SUPPRESSED

MAX_MISFITTING: Final = 0.01
"""Share of a column's records whose label may mean something else than in the hierarchy."""
_MIN_RECORDS: Final = 30
"""Of fewer such records, nothing tells another meaning from perturbed values."""


@dataclass(frozen=True)
class Misfit:
    """Labels of groups that stand for values which the hierarchy places elsewhere."""

    labels: tuple[str, ...]
    """The most frequent first."""
    shown: Hierarchy | None
    """The hierarchy that both tables show; None where its labels overlap or are few, as of perturbed groups."""


class FittedHierarchies(Mapping[str, Hierarchy]):
    """Hierarchies by column; each is compared with the tables when it is first asked for."""

    def __init__(self, given: Mapping[str, Hierarchy], comparison: Comparison, columns: Collection[str]) -> None:
        """`columns` are those whose labels can be of groups: the quasi-identifiers."""
        self._given = dict(given)
        self._comparison = comparison
        self._columns = columns
        self._memo = Memo()

    def __getitem__(self, column: str) -> Hierarchy:
        given, misfit = self._given[column], self._misfit(column)
        return given if misfit is None or misfit.shown is None else misfit.shown

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    @property
    def misfits(self) -> Mapping[str, Misfit]:
        """By column, where the hierarchy does not fit the labels of matched records."""
        return {name: misfit for name in self._given if (misfit := self._misfit(name)) is not None}

    def _misfit(self, column: str) -> Misfit | None:
        if column not in self._columns or self._comparison.unmatched is not None:
            return None
        return self._memo(column, lambda: misfit_of(self._comparison.pair(column), self._given[column]))


def misfit_of(pair: Combinations, hierarchy: Hierarchy) -> Misfit | None:
    """The labels of a column that stand for other values than in its hierarchy; None for at most 1% of its records.

    A label that is a value itself says what it means: it is no such label. Nor is an interval, a mask or a set, unless
    by its form it covers the values that it stands for.
    """
    original, anonymized = pair.columns
    flags = perturbed_pairs(pair, hierarchy)
    if not flags.any():
        return None
    by_form, intervals = covered_by_form(anonymized, original, original, pair), intervals_of(anonymized, original, pair)
    same_form = in_same_form(original, anonymized)
    records: dict[str, int] = {}
    for before, after, count in zip(
        *(codes[flags].tolist() for codes in pair.codes), pair.counts[flags].tolist(), strict=True
    ):
        label = anonymized.labels[after]
        is_value = label in original.code_of or label in hierarchy.leaf_index or same_form[after]
        covered = by_form.get(label or "", ())
        is_false = before not in covered and (intervals[after] is not None or len(covered) > 0)
        if label and not is_value and not is_false and number_of_label(label, anonymized.decimal) is None:
            records[label] = records.get(label, 0) + count
    released = pair.codes[1] != anonymized.code_of.get(SUPPRESSED, -1)
    misfitting = sum(records.values())
    if misfitting <= MAX_MISFITTING * int(pair.counts[released].sum()):
        return None
    shown = _shown(pair) if misfitting >= _MIN_RECORDS else None
    return Misfit(tuple(sorted(records, key=lambda label: (-records[label], label))), shown)


def _shown(pair: Combinations) -> Hierarchy | None:
    """The hierarchy that a pair of columns shows; None where two labels overlap, or stand for the same values.

    Where values were perturbed, every group soon holds every value.
    """
    original, anonymized = pair.columns
    values: dict[str | None, set[int]] = {}
    for before, after in zip(*pair.codes, strict=True):
        label = anonymized.labels[after]
        if label != SUPPRESSED and label not in original.code_of:
            values.setdefault(label, set()).add(int(before))
    if len(set(map(frozenset, values.values()))) < len(values):
        return None
    try:
        return from_pair(pair)
    except InputError:
        return None

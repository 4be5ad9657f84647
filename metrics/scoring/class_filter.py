"""Which classes of a class table meet some conditions, and in what order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from metrics.formatting import join_names
from metrics.privacy.alpha_k_anonymity import SHARE_OF_VALUE
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Flags, Floats, Integers

QUASI_IDENTIFIERS = "quasi-identifiers"
SIZE = "size"
FARTHEST = "largest t"
WORST = "worst first"


class Violation(StrEnum):
    """Kind of classes to show, by what they violate; the texts are those of the dashboard."""

    LIMIT = "fails a limit"
    NOTHING = "all"
    K = "smaller than k"
    T = "exceeds t"
    P_29 = "fails P_29"


@dataclass(frozen=True)
class ClassFilter:
    """Conditions that all must hold; those left out hold for every class."""

    values: Mapping[str, frozenset[str | None]] = field(default_factory=dict)
    """By quasi-identifier: the values wanted; none means any."""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By measure (see `measures`): smallest and largest figure wanted, both included."""
    violation: Violation = Violation.NOTHING
    k_limit: int = 1
    t_limit: float = 1.0
    l_limit: int = 1

    @property
    def limits_text(self) -> str:
        """The limits on k, l and t that can fail: "k ≥ 5, l ≥ 2 or t ≤ 0.5"; empty without any."""
        k, l, t = self.k_limit, self.l_limit, self.t_limit  # noqa: E741 - the criterion's own letter
        limits = ((f"k ≥ {k:,}", k > 1), (f"l ≥ {l:,}", l > 1), (f"t ≤ {t:g}", t < 1))
        return join_names([limit for limit, is_set in limits if is_set] or [""], "or")


def measures(table: ClassTable) -> dict[str, Floats]:
    """Every figure of a class by name: `size`, `largest t`, and per sensitive attribute `S.distinct` and so on."""
    figures: dict[str, Floats] = {SIZE: table.classes.sizes.astype(np.float64)}
    if table.t:
        figures[FARTHEST] = farthest(table)
    return {**figures, **table.figures()}


def farthest(table: ClassTable) -> Floats:
    """Each class's largest distance t over the sensitive attributes; 0 where no distance is available."""
    largest: Floats = np.zeros(len(table))
    for distances in table.t.values():
        largest = np.maximum(largest, distances)
    return largest


def matching_classes(table: ClassTable, class_filter: ClassFilter) -> Integers:
    """Find the classes that meet every condition.

    Parameters
    ----------
    table : ClassTable
        The classes.
    class_filter : ClassFilter
        The conditions.

    Returns
    -------
    array of int
        Positions in the table's order.
    """
    matches = _violating(table, class_filter)
    for column, codes in zip(table.classes.columns, table.classes.codes, strict=True):
        values = class_filter.values.get(column.name)
        if values:
            is_selected = np.array([label in values for label in column.labels], dtype=bool)
            matches = matches & is_selected[codes]
    figures = measures(table)
    for name, (low, high) in class_filter.ranges.items():
        if name in figures:
            matches = matches & (figures[name] >= low) & (figures[name] <= high)
    return np.flatnonzero(matches)


def failing_by_limit(table: ClassTable, class_filter: ClassFilter) -> dict[str, Flags]:
    """Which classes fail the limits on k, l and t, by the letter."""
    failing = {"k": table.classes.sizes < class_filter.k_limit}
    if table.distinct:
        failing["l"] = np.minimum.reduce(list(table.distinct.values())) < class_filter.l_limit
    return {**failing, "t": farthest(table) > class_filter.t_limit}


def limits_failed(table: ClassTable, class_filter: ClassFilter) -> Integers:
    """How many of the limits on k, l and t each class fails."""
    n_failed: Integers = np.sum(list(failing_by_limit(table, class_filter).values()), axis=0)
    return n_failed


def worst_first(table: ClassTable, index: Integers, class_filter: ClassFilter) -> Integers:
    """Order classes by how much they expose people.

    Parameters
    ----------
    table : ClassTable
        The classes.
    index : array of int
        Positions of the classes to be ordered.
    class_filter : ClassFilter
        Holds the limits on k, l and t.

    Returns
    -------
    array of int
        Positions: those that fail most limits first, of these the ones with the largest share of one value, then
        the smallest.
    """
    n_failed = limits_failed(table, class_filter)[index]
    return index[np.lexsort((-farthest(table)[index], table.classes.sizes[index], -_shares(table)[index], -n_failed))]


def _shares(table: ClassTable) -> Floats:
    """The largest share of a class's records with one value of a sensitive attribute; 0 without an attribute."""
    largest: Floats = np.maximum.reduce([*table.measures.get(SHARE_OF_VALUE, {}).values(), np.zeros(len(table))])
    return largest


def _violating(table: ClassTable, class_filter: ClassFilter) -> Flags:
    if class_filter.violation is Violation.LIMIT:
        return limits_failed(table, class_filter) > 0
    if class_filter.violation is Violation.K:
        return table.classes.sizes < class_filter.k_limit
    if class_filter.violation is Violation.T:
        return farthest(table) > class_filter.t_limit
    if class_filter.violation is Violation.P_29:
        return table.violating
    return np.ones(len(table), dtype=bool)


def largest_first(table: ClassTable, by: str) -> bool:
    """Whether the worst classes by a measure are those with the largest figure: its distances from the whole table."""
    return by == FARTHEST or by in {f"{name}.t" for name in table.t}


def ordered_classes(table: ClassTable, index: Integers, by: str, descending: bool = False) -> Integers:
    """Classes by one measure, ties in the order of their quasi-identifiers; any other name keeps that order."""
    figures = measures(table).get(by)
    if figures is None:
        return index[::-1] if descending else index
    values = figures[index]
    return index[np.argsort(-values if descending else values, kind="stable")]

"""Which classes of a class table meet some conditions, and in what order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from metrics.formatting import visible
from metrics.metric import Direction
from metrics.privacy.alpha_k_anonymity.measure import SHARE_OF_VALUE
from metrics.privacy.k_anonymity.measure import K_ANONYMITY
from metrics.scoring.catalog import BY_ID, RISK
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Flags, Floats, Integers

QUASI_IDENTIFIERS = "quasi-identifiers"
SIZE = "size"
FARTHEST = "largest t"
LARGEST_SHARE = "largest share"
"""Largest share of a class's records with one value of a sensitive attribute."""
WORST = "worst first"


class Violation(StrEnum):
    """Kind of classes to show, by what they violate; the texts are those of the dashboard."""

    LIMIT = "fails a limit"
    NOTHING = "all"
    P_29 = "fails P_29"


@dataclass(frozen=True)
class ClassFilter:
    """Conditions that all must hold; those left out hold for every class."""

    values: Mapping[str, frozenset[str | None]] = field(default_factory=dict)
    """By quasi-identifier: the values wanted; none means any."""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By measure (see `measures`): smallest and largest figure wanted, both included."""
    violation: Violation = Violation.NOTHING
    limits: Mapping[str, float] = field(default_factory=dict)
    """By metric id: the worst figure that a class may have, for metrics whose limits apply to single classes."""
    reasons: Collection[str] = ()
    """Those of the limits of which a class that fails a limit fails one; none means any of all."""


def measures(table: ClassTable) -> dict[str, Floats]:
    """Every figure of a class by name: `size`, the largest share and t, and per attribute `S.distinct` and so on."""
    figures: dict[str, Floats] = {SIZE: table.classes.sizes.astype(np.float64)}
    if table.measures.get(SHARE_OF_VALUE):
        figures[LARGEST_SHARE] = _largest(table, SHARE_OF_VALUE)
    if table.t:
        figures[FARTHEST] = farthest(table)
    return {**figures, **table.figures()}


def measure_title(name: str) -> str:
    """A measure of the table of classes as its reader names it: "normalized entropy of diagnosis"."""
    column, dot, measure = name.rpartition(".")
    return f"{measure.replace('_', ' ')} of {visible(column)}" if dot else visible(name)


def _largest(table: ClassTable, measure: str) -> Floats:
    """Each class's largest figure over the sensitive attributes; 0 where no figure is available."""
    largest: Floats = np.maximum.reduce([*table.measures.get(measure, {}).values(), np.zeros(len(table))])
    return largest


def farthest(table: ClassTable) -> Floats:
    """Each class's largest distance t over the sensitive attributes; 0 where no distance is available."""
    return _largest(table, "t")


def matching_classes(table: ClassTable, class_filter: ClassFilter) -> Integers:
    """Find the classes that meet every condition.

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


def failing_by_limit(table: ClassTable, limits: Mapping[str, float]) -> dict[str, Flags]:
    """Which classes fail each limit, by metric id; a class fails if it does so for any attribute.

    Limits that do not apply to single classes, or on metrics that are not measured, are left out.
    """
    failing: dict[str, Flags] = {}
    for metric_id, limit in limits.items():
        flags = [_misses(metric_id, figures, limit) for figures in table.limited.get(metric_id, {}).values()]
        if flags:
            failing[metric_id] = np.logical_or.reduce(flags)
    return failing


def named_failures(table: ClassTable, limits: Mapping[str, float]) -> dict[str, Flags]:
    """As `failing_by_limit`, without the highest risk where the limit on k says the same: the risk is one over k."""
    failing = failing_by_limit(table, limits)
    if RISK in failing and K_ANONYMITY.id in failing and (failing[RISK] == failing[K_ANONYMITY.id]).all():
        del failing[RISK]
    return failing


def named_limits(table: ClassTable, limits: Mapping[str, float]) -> dict[str, float]:
    """The limits without that on the highest risk where that on k says the same."""
    named = named_failures(table, limits)
    return {name: limit for name, limit in limits.items() if name != RISK or name in named}


def missed_limits(table: ClassTable, index: int, limits: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The figures of one class that are worse than a limit, by metric id and attribute ("" for none)."""
    return {
        (metric_id, attribute): float(figures[index])
        for metric_id, limit in limits.items()
        for attribute, figures in table.limited.get(metric_id, {}).items()
        if _misses(metric_id, figures[index], limit)
    }


def _misses(metric_id: str, figures: Floats, limit: float) -> Flags:
    """Which figures of a metric are worse than a limit."""
    return figures > limit if BY_ID[metric_id].direction is Direction.LOWER else figures < limit


def limits_failed(table: ClassTable, limits: Mapping[str, float]) -> Integers:
    """How many of the limits each class fails; those on k and on the highest risk, which is 1/k, are one."""
    failing = failing_by_limit(table, limits)
    if K_ANONYMITY.id in failing and RISK in failing:
        failing[K_ANONYMITY.id] = failing[K_ANONYMITY.id] | failing.pop(RISK)
    n_failed: Integers = np.zeros(len(table), dtype=np.int64)
    for flags in failing.values():
        n_failed += flags
    return n_failed


def worst_first(table: ClassTable, index: Integers, limits: Mapping[str, float]) -> Integers:
    """Order classes by how much they expose people.

    Positions: those that fail most limits first, of these the ones with the largest share of one value, then those with
    the largest distance t, then the smallest.
    """
    n_failed = limits_failed(table, limits)[index]
    shares, sizes = _largest(table, SHARE_OF_VALUE), table.classes.sizes
    return index[np.lexsort((sizes[index], -farthest(table)[index], -shares[index], -n_failed))]


def _violating(table: ClassTable, class_filter: ClassFilter) -> Flags:
    if class_filter.violation is Violation.LIMIT:
        reasons = class_filter.reasons or class_filter.limits
        return limits_failed(table, {name: class_filter.limits[name] for name in reasons}) > 0
    if class_filter.violation is Violation.P_29:
        return table.violating
    return np.ones(len(table), dtype=bool)


def largest_first(table: ClassTable, by: str) -> bool:
    """Whether the worst classes by a measure are those with the largest figure: shares and distances."""
    return by in (LARGEST_SHARE, FARTHEST) or by in {f"{name}.t" for name in table.t}


def ordered_classes(table: ClassTable, index: Integers, by: str, descending: bool = False) -> Integers:
    """Classes by one measure, ties in the order of their quasi-identifiers; any other name keeps that order."""
    figures = measures(table).get(by)
    if figures is None:
        return index[::-1] if descending else index
    values = figures[index]
    return index[np.argsort(-values if descending else values, kind="stable")]

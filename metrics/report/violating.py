"""The classes that fail: how many for a report, and which for its confidential appendix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from metrics.formatting import format_number, visible
from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy
from metrics.scoring.class_filter import ClassFilter, limits_failed, worst_first
from metrics.scoring.class_table import ClassTable
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers
from metrics.texts import text


def violations(card: Scorecard) -> str:
    """How many classes violate, and how many for each reason, in a sentence that names none of them.

    Where no metric judges violations, as without a sensitive attribute, classes of one record are counted.
    """
    class_violations = card.classes.violations
    if class_violations is not None:
        return class_violations.violation_summary()
    single = card.aggregates.class_sizes.of_size(1)
    return text("classes.violations", classes=single, records=single) if single else text("classes.no_violations")


@dataclass(frozen=True)
class FailingClasses:
    """The classes that a confidential appendix lists."""

    summary: str
    """How many there are, in a sentence."""
    order: str
    """Which come first, and what the reasons mean; empty if there is nothing to explain."""
    index: Integers
    """Positions of the classes, the most serious first."""
    reasons: Callable[[Integers], list[str]]
    """Why each of some of them fails."""


def failing_classes(card: Scorecard, policy: Policy | None) -> FailingClasses:
    """The classes that fail the policy's limits on k, l and t; without such a limit, the conditions of P_29."""
    limits = ClassFilter() if policy is None else class_limits(policy)
    if limits.limits_text:
        return _by_limits(card, limits)
    class_violations, sizes = card.classes.violations, card.aggregates.classes.sizes
    if class_violations is None:
        return FailingClasses(violations(card), "", np.flatnonzero(sizes == 1), lambda index: ["k = 1"] * len(index))
    return FailingClasses(
        violations(card),
        text("classes.order_by_conditions"),
        class_violations.most_serious_first(),
        lambda index: class_violations.reason_texts(index).to_pylist(),
    )


def _by_limits(card: Scorecard, limits: ClassFilter) -> FailingClasses:
    table, sizes = card.classes, card.aggregates.classes.sizes
    index = worst_first(table, np.flatnonzero(limits_failed(table, limits)), limits)
    n_classes, limits_text = len(sizes), limits.limits_text
    summary = text("classes.no_failing", classes=n_classes, limits=limits_text)
    if len(index):
        records = int(sizes[index].sum())
        summary = text("classes.failing", failing=len(index), classes=n_classes, records=records, limits=limits_text)

    def reasons(positions: Integers) -> list[str]:
        return ["; ".join(_reasons(table, int(position), limits)) for position in positions]

    return FailingClasses(summary, text("classes.order_by_limits"), index, reasons)


def _reasons(table: ClassTable, position: int, limits: ClassFilter) -> Iterator[str]:
    """Each limit that a class fails, with its own figure."""
    size = int(table.classes.sizes[position])
    if size < limits.k_limit:
        yield f"k = {size}"
    for name, distinct in table.distinct.items():
        if distinct[position] < limits.l_limit:
            yield f"l = {int(distinct[position])} for {visible(name)}"
    for name, distances in table.t.items():
        if distances[position] > limits.t_limit:
            yield f"t = {format_number(float(distances[position]))} for {visible(name)}"

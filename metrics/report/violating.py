"""The classes that fail: how many for a report, and which for its confidential appendix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from metrics.formatting import visible
from metrics.policy.class_limits import class_limits, conditions_text
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Policy
from metrics.scoring.class_filter import limits_failed, missed_limits, named_limits, worst_first
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
    """The classes that fail limits of the policy; where none applies to single classes, the conditions of P_29."""
    limits = {} if policy is None else class_limits(policy)
    if limits:
        return _by_limits(card, limits)
    class_violations, sizes = card.classes.violations, card.aggregates.classes.sizes
    summary = violations(card)
    if policy is not None and policy.limits:
        summary = f"{text('classes.no_class_limit')} {summary}"
    if class_violations is None:
        return FailingClasses(summary, "", np.flatnonzero(sizes == 1), lambda index: ["k = 1"] * len(index))
    return FailingClasses(
        summary,
        text("classes.order_by_conditions"),
        class_violations.most_serious_first(),
        lambda index: class_violations.reason_texts(index).to_pylist(),
    )


def _by_limits(card: Scorecard, limits: Mapping[str, float]) -> FailingClasses:
    table, sizes = card.classes, card.aggregates.classes.sizes
    index = worst_first(table, np.flatnonzero(limits_failed(table, limits)), limits)
    n_classes, conditions = len(sizes), conditions_text(named_limits(table, limits))
    summary = text("classes.no_failing", classes=n_classes, limits=conditions)
    if len(index):
        records = int(sizes[index].sum())
        summary = text("classes.failing", failing=len(index), classes=n_classes, records=records, limits=conditions)

    def reasons(positions: Integers) -> list[str]:
        return ["; ".join(_reasons(table, int(position), limits)) for position in positions]

    return FailingClasses(summary, text("classes.order_by_limits"), index, reasons)


def _reasons(table: ClassTable, position: int, limits: Mapping[str, float]) -> Iterator[str]:
    """Each limit that a class fails, with its own figure."""
    for (metric_id, name), figure in missed_limits(table, position, limits).items():
        limitable, attribute = LIMITABLE_MEASURES[metric_id], f" for {visible(name)}" if name else ""
        yield f"{limitable.short} = {limitable.measure_text(figure)}{attribute}"

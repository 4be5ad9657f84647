"""What a metric is: its declaration (`Metric`) and the form of its result."""

from metrics.metric.description import (
    Basis,
    Clause,
    ClauseKind,
    Control,
    Direction,
    Family,
    FigureSpec,
    Metric,
)
from metrics.metric.limit import ABOVE_ZERO, ClassFigures, Enforcement, Limit
from metrics.metric.results import (
    AttackRow,
    ClassMeasure,
    PerClass,
    Result,
    Violations,
)
from metrics.metric.totals import merged

__all__ = [
    "ABOVE_ZERO",
    "AttackRow",
    "Basis",
    "ClassFigures",
    "ClassMeasure",
    "Clause",
    "ClauseKind",
    "Control",
    "Direction",
    "Enforcement",
    "Family",
    "FigureSpec",
    "Limit",
    "Metric",
    "PerClass",
    "Result",
    "Violations",
    "merged",
]

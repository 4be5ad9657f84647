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
from metrics.metric.results import (
    AttackRow,
    ClassMeasure,
    PerClass,
    Result,
    Violations,
)
from metrics.metric.totals import merged

__all__ = [
    "AttackRow",
    "Basis",
    "ClassMeasure",
    "Clause",
    "ClauseKind",
    "Control",
    "Direction",
    "Family",
    "FigureSpec",
    "Metric",
    "PerClass",
    "Result",
    "Violations",
    "merged",
]

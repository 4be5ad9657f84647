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
    import_member,
)
from metrics.metric.results import (
    AttackRow,
    ByClass,
    ClassMeasure,
    ClassResult,
    PerClass,
    Result,
    Sums,
    Totals,
    Violations,
)

__all__ = [
    "AttackRow",
    "Basis",
    "ByClass",
    "ClassMeasure",
    "ClassResult",
    "Clause",
    "ClauseKind",
    "Control",
    "Direction",
    "Family",
    "FigureSpec",
    "Metric",
    "PerClass",
    "Result",
    "Sums",
    "Totals",
    "Violations",
    "import_member",
]

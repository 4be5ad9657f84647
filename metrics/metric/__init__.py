"""What a metric is: its declaration (`Metric`) and the form of its result."""

from metrics.metric.description import (
    Basis,
    Clause,
    ClauseKind,
    Control,
    Direction,
    Family,
    FigureSpec,
    Gradual,
    Metric,
    import_member,
    run_to_end,
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
    "Gradual",
    "Metric",
    "PerClass",
    "Result",
    "Sums",
    "Totals",
    "Violations",
    "import_member",
    "run_to_end",
]

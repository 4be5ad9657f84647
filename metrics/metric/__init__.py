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
    ByClass,
    ClassMeasure,
    ClassResult,
    JointResult,
    PerClass,
    Result,
    Sums,
    Totals,
    Violations,
)

__all__ = [
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
    "JointResult",
    "Metric",
    "PerClass",
    "Result",
    "Sums",
    "Totals",
    "Violations",
    "import_member",
    "run_to_end",
]

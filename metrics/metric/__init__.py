"""What a metric is: its declaration (`Metric`) and the form of its result."""

from metrics.metric.description import Basis, Control, Family, Metric, MetricChart
from metrics.metric.finding import Finding, FindingKind, Severity
from metrics.metric.limit import ABOVE_ZERO, ClassFigures, Enforcement, Limit
from metrics.metric.measure import Direction, KnownQuantity, Measure
from metrics.metric.results import AttackRow, ClassMeasure, PerClass, Result
from metrics.metric.totals import merged

__all__ = [
    "ABOVE_ZERO",
    "AttackRow",
    "Basis",
    "ClassFigures",
    "ClassMeasure",
    "Control",
    "Direction",
    "Enforcement",
    "Family",
    "Finding",
    "FindingKind",
    "KnownQuantity",
    "Limit",
    "Measure",
    "Metric",
    "MetricChart",
    "PerClass",
    "Result",
    "Severity",
    "merged",
]

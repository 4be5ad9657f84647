"""Generalization hierarchies made from a column's values, checked against it, changed and written."""

from metrics.hierarchies.builders.csv_form import to_csv
from metrics.hierarchies.builders.dates import DateForm, Period, dates, detect
from metrics.hierarchies.builders.editing import regrouped, with_intervals, with_level, without_level
from metrics.hierarchies.builders.from_pair import from_pair, suggest_from_pair
from metrics.hierarchies.builders.groups import groups, ordered_groups, suppression
from metrics.hierarchies.builders.intervals import IntervalForm, bounded, equal_width, quantiles
from metrics.hierarchies.builders.masking import Side, masking
from metrics.hierarchies.builders.suggestion import Kind, Suggestion, suggest
from metrics.hierarchies.builders.uncovered_values import UncoveredValue, values_without_leaf, with_values

__all__ = [
    "DateForm",
    "IntervalForm",
    "Kind",
    "Period",
    "Side",
    "Suggestion",
    "UncoveredValue",
    "bounded",
    "dates",
    "detect",
    "equal_width",
    "from_pair",
    "groups",
    "masking",
    "ordered_groups",
    "quantiles",
    "regrouped",
    "suggest",
    "suggest_from_pair",
    "suppression",
    "to_csv",
    "values_without_leaf",
    "with_intervals",
    "with_level",
    "with_values",
    "without_level",
]

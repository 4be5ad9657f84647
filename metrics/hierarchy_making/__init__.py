"""Generalization hierarchies made from a column's values, checked against it, changed and written."""

from metrics.hierarchy_making.csv_form import to_csv
from metrics.hierarchy_making.dates import DateForm, Period, dates, detect
from metrics.hierarchy_making.editing import regrouped, with_level, without_level
from metrics.hierarchy_making.from_pair import from_pair, suggest_from_pair
from metrics.hierarchy_making.groups import groups, ordered_groups, suppression
from metrics.hierarchy_making.intervals import IntervalForm, bounded, equal_width, quantiles
from metrics.hierarchy_making.masking import Side, masking
from metrics.hierarchy_making.missed import Missed, missed, with_values
from metrics.hierarchy_making.suggestion import Kind, Suggestion, suggest

__all__ = [
    "DateForm",
    "IntervalForm",
    "Kind",
    "Missed",
    "Period",
    "Side",
    "Suggestion",
    "bounded",
    "dates",
    "detect",
    "equal_width",
    "from_pair",
    "groups",
    "masking",
    "missed",
    "ordered_groups",
    "quantiles",
    "regrouped",
    "suggest",
    "suggest_from_pair",
    "suppression",
    "to_csv",
    "with_level",
    "with_values",
    "without_level",
]

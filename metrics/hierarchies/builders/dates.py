"""Hierarchies of dates: day, month, quarter, year, decade."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from metrics.errors import InputError
from metrics.hierarchies.builders.leaves import build_hierarchy, values_of
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Column

_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?"


class DateForm(StrEnum):
    """How dates are written; a time of day may follow those with a day."""

    ISO_DAY = "2024-03-31"
    ISO_MONTH = "2024-03"
    YEAR = "2024"
    DAY_FIRST = "31.3.2024"
    DAY_FIRST_SLASH = "31/3/2024"
    MONTH_FIRST = "3/31/2024"


class Period(StrEnum):
    """Period that a level of dates shows."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"


_SHAPES: dict[DateForm, re.Pattern[str]] = {
    DateForm.ISO_DAY: re.compile(rf"(?P<y>\d{{4}})([-/.])(?P<m>\d{{1,2}})\2(?P<d>\d{{1,2}}){_TIME}", re.ASCII),
    DateForm.ISO_MONTH: re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})", re.ASCII),
    DateForm.YEAR: re.compile(r"(?P<y>\d{4})", re.ASCII),
    DateForm.DAY_FIRST: re.compile(rf"(?P<d>\d{{1,2}})([.-])(?P<m>\d{{1,2}})\2(?P<y>\d{{4}}){_TIME}", re.ASCII),
    DateForm.DAY_FIRST_SLASH: re.compile(rf"(?P<d>\d{{1,2}})/(?P<m>\d{{1,2}})/(?P<y>\d{{4}}){_TIME}", re.ASCII),
    DateForm.MONTH_FIRST: re.compile(rf"(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})/(?P<y>\d{{4}}){_TIME}", re.ASCII),
}
_FINEST = {DateForm.ISO_MONTH: Period.MONTH, DateForm.YEAR: Period.YEAR}
_LABELS: dict[Period, Callable[[datetime.date], str]] = {
    Period.DAY: lambda date: date.isoformat(),
    Period.MONTH: lambda date: f"{date.year:04}-{date.month:02}",
    Period.QUARTER: lambda date: f"{date.year:04}-Q{(date.month + 2) // 3}",
    Period.YEAR: lambda date: f"{date.year:04}",
    Period.DECADE: lambda date: f"{date.year // 10 * 10:04}-{date.year // 10 * 10 + 9:04}",
}


@dataclass(frozen=True)
class Detected:
    """The forms of date that fit most values of a column; two forms are ambiguous.

    Attributes
    ----------
    forms : tuple of DateForm
        The equally good forms; none where no value is a date.
    others : int
        Distinct values that each of them leaves.
    """

    forms: tuple[DateForm, ...]
    others: int

    @property
    def ambiguous(self) -> bool:
        """Whether the order of day and month is ambiguous."""
        return len(self.forms) > 1


def detect(column: Column) -> Detected:
    """The form, or the equally good forms, of the column's dates.

    Parameters
    ----------
    column : Column
        Of a table.

    Returns
    -------
    Detected
        The forms; none where no value is a date.
    """
    values = [value for value in values_of(column) if value]
    fits = {form: sum(date_of(value, form) is not None for value in values) for form in DateForm}
    best = max(fits.values())
    return Detected(tuple(form for form, n_values in fits.items() if n_values == best and best), len(values) - best)


def date_of(text: str, form: DateForm) -> datetime.date | None:
    """The date that a cell represents, the first day of a month or year, or None."""
    match = _SHAPES[form].fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    try:
        return datetime.date(int(parts["y"]), int(parts.get("m") or 1), int(parts.get("d") or 1))
    except ValueError:
        return None


def periods_of(form: DateForm) -> tuple[Period, ...]:
    """The periods that dates of a form can be generalized to, finest first."""
    all_periods = tuple(Period)
    return all_periods[all_periods.index(_FINEST.get(form, Period.DAY)) :]


def dates(
    column: Column, periods: Sequence[Period] | None = None, *, form: DateForm | None = None, keep_others: bool = False
) -> Hierarchy:
    """Levels of growing periods: 2024-03-31, 2024-03, 2024-Q1, 2024, 2020-2029, `*`.

    A level that repeats the values themselves is left out. Missing cells stay apart until the root.

    Parameters
    ----------
    column : Column
        Of a table; its values are dates.
    periods : sequence of Period, optional
        Finest first; by default those that tell fewer values apart than the one before and still more than one.
    form : DateForm, optional
        How dates are written; by default it is detected.
    keep_others : bool
        Whether values that are not dates stay apart until the root, instead of being refused.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.

    Raises
    ------
    InputError
        If no value is a date, the order of day and month is ambiguous (give the form), a value is not a date (without
        `keep_others`), or the values are too coarse for a period.
    """
    date_form = _form(column) if form is None else form
    date_of_value = {value: date for value in values_of(column) if (date := date_of(value, date_form)) is not None}
    if not date_of_value:
        raise InputError("no value is a date in this format", remedy="choose another format", column=column.name)
    ordered_periods = _chosen_periods(column, date_form, list(date_of_value.values()), periods)
    levels = [{value: _LABELS[period](date) for value, date in date_of_value.items()} for period in ordered_periods]
    levels = [labels for labels in levels if any(value != label for value, label in labels.items())]
    labels_of_value = {value: [labels[value] for labels in levels] for value in date_of_value}
    return build_hierarchy(column, labels_of_value, keep_others, "date of this form")


def _form(column: Column) -> DateForm:
    detected = detect(column)
    if not detected.forms:
        raise InputError("no value is a date", remedy="make another kind of hierarchy", column=column.name)
    if detected.ambiguous:
        raise InputError(
            "the order of day and month in its dates is ambiguous", remedy="say which comes first", column=column.name
        )
    return detected.forms[0]


def _chosen_periods(
    column: Column, form: DateForm, days: Sequence[datetime.date], periods: Sequence[Period] | None
) -> list[Period]:
    """The periods of the levels, finest first. Raises InputError if one is finer than the dates."""
    possible = periods_of(form)
    chosen = _useful_periods(days, possible) if periods is None else periods
    if not set(possible).issuperset(chosen):
        raise InputError(
            f"the dates have no period finer than the {possible[0]}", remedy="choose coarser ones", column=column.name
        )
    return [period for period in possible if period in chosen]


def _useful_periods(days: Sequence[datetime.date], possible: Sequence[Period]) -> list[Period]:
    """The periods that join something and do not join everything."""
    useful_periods: list[Period] = []
    n_distinct = len(set(days))
    for period in possible:
        n_labels = len({_LABELS[period](date) for date in days})
        if 1 < n_labels < n_distinct:
            useful_periods.append(period)
            n_distinct = n_labels
    return useful_periods

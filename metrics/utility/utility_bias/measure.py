"""Utility bias: how far a statistic of the anonymized table is from that of the original."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters, Statistic, UtilityBiasParameters
from metrics.errors import Unavailable
from metrics.formatting import format_number, rounded
from metrics.hierarchies.numerals import bounds, is_numeric, unit_of
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import SUPPRESSED, Column, Described, Floats, Integers
from metrics.texts import text
from metrics.utility.association_change.measure import pearson
from metrics.utility.distribution_distance.measure import shared_columns, too_many_values
from metrics.utility.utility_bias import working

T = TypeVar("T")


@dataclass(frozen=True)
class Bias:
    """A statistic before and after; None where it cannot be computed."""

    before: float | None
    after: float | None
    left_out_before: int = 0
    """Original cells that the statistic could not use."""
    left_out_after: int = 0

    @property
    def difference(self) -> float | None:
        """Distance between the two: 0 upwards."""
        if self.before is None or self.after is None:
            return None
        difference = abs(self.after - self.before)
        return difference if math.isfinite(difference) else None

    def within(self, bound: float) -> bool:
        """Whether the difference is known and at most `bound`."""
        return self.difference is not None and self.difference <= bound


def bias(function: Callable[[T], float], original: T, anonymized: T) -> Bias:
    """A statistic of your own, before and after: any function of a table (a `Table`, a pandas frame) to a number.

    What the function raises is passed on.
    """
    return Bias(_finite_or_none(float(function(original))), _finite_or_none(float(function(anonymized))))


def _finite_or_none(number: float) -> float | None:
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class UtilityBias(Result):
    """`value` is the largest difference over the columns."""

    value: float
    statistic: Statistic
    bound: float
    columns: Mapping[str, Bias]

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The difference in each column; None where nothing is left to compute the statistic of."""
        return {name: column.difference for name, column in self.columns.items()}

    @property
    def fulfilled(self) -> bool:
        """Whether every difference is known and within the bound."""
        return all(column.within(self.bound) for column in self.columns.values())

    def details(self) -> dict[str, Any]:
        """Before and after, the bound and whether it is kept, and cells that are not numbers."""
        return {
            "statistic": self.statistic.value,
            "bound": self.bound,
            "fulfilled": self.fulfilled,
            "before": {name: column.before for name, column in self.columns.items()},
            "after": {name: column.after for name, column in self.columns.items()},
            "left_out_before": {name: column.left_out_before for name, column in self.columns.items()},
            "left_out_after": {name: column.left_out_after for name, column in self.columns.items()},
        }

    def summary(self) -> str:
        name = max(self.columns, key=lambda name: -1.0 if (d := self.columns[name].difference) is None else d)
        column, statistic = self.columns[name], self.statistic.value
        if self.value:
            change = _change(statistic, name, column.before, column.after)
        else:
            change = text("utility_bias.unchanged", statistic=statistic, column=name)
        lost = sum(column.difference is None for column in self.columns.values())
        if lost:
            return text("utility_bias.lost", change=change, columns=lost)
        if self.fulfilled:
            return text("utility_bias.within", change=change, bound=self.bound)
        return text("utility_bias.exceeded", change=change, bound=self.bound)


def _change(statistic: str, column: str, before: float | None, after: float | None) -> str:
    """The figures before and after, with as many digits as show that they differ."""
    digits = 3
    if before is not None and after is not None:
        digits = next(n for n in range(3, 18) if n == 17 or rounded(before, n) != rounded(after, n))
    shown, now = format_number(before, digits), format_number(after, digits)
    return text("utility_bias.changed", statistic=statistic, column=column, before=shown, after=now)


def mean(numbers: Floats, counts: Integers) -> float:
    """The mean of numbers, each as often as it is counted."""
    unit = unit_of(numbers)
    return float(np.average(numbers / unit, weights=counts)) * unit


def median(numbers: Floats, counts: Integers) -> float:
    """The median of numbers, each as often as it is counted; the middle between two of them."""
    order = np.argsort(numbers, kind="stable")
    cumulated, total = np.cumsum(counts[order]), int(counts.sum())
    low, high = (numbers[order[np.searchsorted(cumulated, rank + 1)]] for rank in ((total - 1) // 2, total // 2))
    return float(low / 2 + high / 2)


def _of_numbers(
    statistic: Callable[[Floats, Integers], float], numbers: Floats, counts: Integers
) -> tuple[float | None, int]:
    numeric = ~np.isnan(numbers) & (counts > 0)
    left_out = int(counts[~numeric].sum())
    return (statistic(numbers[numeric], counts[numeric]) if numeric.any() else None), left_out


def _of_label(column: Column, counts: Integers, label: str, share: bool) -> float | None:
    """Records that hold the label, or, where it is empty, any value at all."""
    is_counted = [(bool(value) and value != SUPPRESSED) if not label else value == label for value in column.labels]
    records, total = int(counts[np.array(is_counted, dtype=bool)].sum()), int(counts.sum())
    return records / total if share else float(records)


def _of_column(aggregates: Aggregates, name: str, settings: UtilityBiasParameters) -> Bias:
    (original, old), (anonymized, new) = _marginals(aggregates, name)
    if settings.statistic in (Statistic.COUNT, Statistic.SHARE):
        share = settings.statistic is Statistic.SHARE
        return Bias(_of_label(original, old, settings.label, share), _of_label(anonymized, new, settings.label, share))
    statistic = mean if settings.statistic is Statistic.MEAN else median
    before, lost = _of_numbers(statistic, bounds(original, original).middle, old)
    middle = bounds(anonymized, original, aggregates.hierarchies.get(name)).middle
    after, lost_after = _of_numbers(statistic, middle, new)
    return Bias(before, after, lost, lost_after)


def _marginals(aggregates: Aggregates, name: str) -> tuple[tuple[Column, Integers], tuple[Column, Integers]]:
    """The column before and after, each with the records that hold every value."""
    if aggregates.comparison.unmatched is None and not aggregates.comparison.deleted:
        pair = aggregates.comparison.pair(name)
        columns = [(column, codes, pair.counts) for column, codes in zip(pair.columns, pair.codes, strict=True)]
    else:
        combinations = [
            relation.count([name]) for relation in (aggregates.comparison.original_relation, aggregates.relation)
        ]
        columns = [(combination.columns[0], combination.codes[0], combination.counts) for combination in combinations]
    (original, old), (anonymized, new) = (
        (column, np.bincount(codes, weights=counts, minlength=column.distinct).astype(np.int64))
        for column, codes, counts in columns
    )
    return (original, old), (anonymized, new)


def _correlation(aggregates: Aggregates, name: str, other: str) -> Bias:
    statistics: list[float | None] = []
    left_out = []
    originals = {
        column_name: aggregates.comparison.original_relation.count([column_name]).columns[0]
        for column_name in (name, other)
    }
    for relation in (aggregates.comparison.original_relation, aggregates.relation):
        combinations = relation.count([name, other])
        x, y = (
            _middle(aggregates, column, originals[column.name], relation is aggregates.relation)[codes]
            for column, codes in zip(combinations.columns, combinations.codes, strict=True)
        )
        numeric = ~(np.isnan(x) | np.isnan(y))
        statistics.append(pearson(x[numeric], y[numeric], combinations.counts[numeric]) if numeric.any() else None)
        left_out.append(int(combinations.counts[~numeric].sum()))
    return Bias(statistics[0], statistics[1], left_out[0], left_out[1])


def _middle(aggregates: Aggregates, column: Column, original: Column, generalized: bool) -> Floats:
    return bounds(column, original, aggregates.hierarchies.get(column.name) if generalized else None).middle


def utility_bias(columns: Mapping[str, Bias], statistic: Statistic, bound: float) -> UtilityBias:
    r"""Utility bias, :math:`\max_c |f(\hat D_c) - f(D_c)|`: 0 upwards, lower is better.

    The largest difference, and whether it is within the bound. Raises Unavailable if no column has the statistic both
    before and after.
    Source: A. F. Karr et al., "A Framework for Evaluating the Utility of Data Altered to Protect Confidentiality", The
    American Statistician 60(3), 2006, doi 10.1198/000313006X124640.
    """
    differences = [column.difference for column in columns.values() if column.difference is not None]
    if not differences:
        raise Unavailable(text("utility_bias.unavailable.no_statistic", statistic=statistic.value))
    return UtilityBias(max(differences), statistic, bound, columns)


def _columns(aggregates: Aggregates, settings: UtilityBiasParameters) -> list[str]:
    """The columns whose statistic is compared. Raises Unavailable if there is none.

    Columns that are not quasi-identifiers and hold very many values are included only if they are named.
    """
    original = aggregates.original
    if original is None:
        raise Unavailable(text("unavailable.no_original"))
    second = settings.other if settings.statistic is Statistic.CORRELATION else None
    _require_columns([settings.column, second or ""], original, aggregates.anonymized)
    shared = shared_columns(aggregates.roles, original, aggregates.anonymized)
    names = [settings.column] if settings.column else [name for name in shared if not too_many_values(aggregates, name)]
    if settings.statistic in (Statistic.COUNT, Statistic.SHARE):
        return names
    if second is not None:
        _require_numbers(original, second)
    numeric = [name for name in names if name != second and is_numeric(original[name])]
    if not numeric:
        raise _no_numbers(settings.column, every_column=len(names) == len(shared))
    return numeric


def _require_columns(names: Sequence[str], original: Described, anonymized: Described) -> None:
    """Raise Unavailable where a column that is named is not in both tables."""
    for name in names:
        if name and (name not in original or name not in anonymized):
            raise Unavailable(text("utility_bias.unavailable.missing_column", column=name))


def _require_numbers(original: Described, second: str) -> None:
    """Raise Unavailable unless the second column of a correlation is given and holds numbers."""
    if not second:
        raise Unavailable(text("utility_bias.unavailable.no_second_column"))
    if not is_numeric(original[second]):
        raise Unavailable(text("utility_bias.unavailable.not_numeric", column=second))


def _no_numbers(column: str, every_column: bool) -> Unavailable:
    if column:
        return Unavailable(text("utility_bias.unavailable.not_numeric", column=column))
    if every_column:
        return Unavailable(text("utility_bias.unavailable.no_numbers"))
    return Unavailable(text("utility_bias.unavailable.no_numbers_of_few_values"))


def _compute(aggregates: Aggregates, parameters: Parameters) -> UtilityBias:
    settings = parameters.utility_bias
    names = _columns(aggregates, settings)
    if not aggregates.anonymized.rows or aggregates.original is None or not aggregates.original.rows:
        raise Unavailable(text("unavailable.no_records"))
    if settings.statistic is Statistic.CORRELATION:
        columns = {name: _correlation(aggregates, name, settings.other) for name in names}
    else:
        columns = {name: _of_column(aggregates, name, settings) for name in names}
    return utility_bias(columns, settings.statistic, settings.bound)


UTILITY_BIAS = Metric(
    id="utility_bias",
    family=Family.UTILITY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\max_c |f(\hat D_c) - f(D_c)|",
    reference="A. F. Karr et al., A Framework for Evaluating the Utility of Data Altered to Protect Confidentiality, "
    "The American Statistician 60(3), 2006, doi 10.1198/000313006X124640",
    compute=_compute,
    settings=("utility_bias",),
    working=working.WORKING,
)

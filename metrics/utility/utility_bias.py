"""Utility bias: how far a statistic of the anonymized table is from that of the original."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from metrics.evidence import Evidence
from metrics.parameters import Parameters, Statistic, UtilityBiasParameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.table import SUPPRESSED, Column, Floats, Integers
from metrics.utility.association_change import pearson
from metrics.utility.distribution_distance import shared_columns, too_many_values
from metrics.utility.numerals import bounds, is_numeric, unit_of
from metrics.wording import counted

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
        """How far apart they are: 0 upwards."""
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
    return Bias(_known(float(function(original))), _known(float(function(anonymized))))


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class UtilityBias:
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
        """Before and after, the bound and whether it is kept, and cells that are no numbers."""
        return {
            "statistic": self.statistic.value,
            "bound": self.bound,
            "fulfilled": self.fulfilled,
            "before": {name: column.before for name, column in self.columns.items()},
            "after": {name: column.after for name, column in self.columns.items()},
            "left_out_before": {name: column.left_out_before for name, column in self.columns.items()},
            "left_out_after": {name: column.left_out_after for name, column in self.columns.items()},
        }

    def in_words(self) -> str:
        """The finding."""
        name = max(self.columns, key=lambda name: -1.0 if (d := self.columns[name].difference) is None else d)
        column = self.columns[name]
        kept = "within" if self.fulfilled else "not within"
        if not self.value:
            moved = f"The {self.statistic.value} of {name} is what it was"
        else:
            moved = f"The {self.statistic.value} of {name} went from {column.before:,.6g} to {column.after:,.6g}"
        lost = sum(one.difference is None for one in self.columns.values())
        untold = f", and of {counted(lost, 'column')} nothing is left" if lost else ""
        return f"{moved}{untold}: {kept} the bound of {self.bound:g}."


def mean(numbers: Floats, counts: Integers) -> float:
    """The mean of numbers, each as often as it is counted."""
    unit = unit_of(numbers)
    return float(((numbers / unit) * counts).sum() / counts.sum()) * unit


def median(numbers: Floats, counts: Integers) -> float:
    """The median of numbers, each as often as it is counted; between two of them their middle."""
    order = np.argsort(numbers, kind="stable")
    reached, total = np.cumsum(counts[order]), int(counts.sum())
    low, high = (numbers[order[np.searchsorted(reached, rank + 1)]] for rank in ((total - 1) // 2, total // 2))
    return float(low / 2 + high / 2)


def _of_numbers(
    statistic: Callable[[Floats, Integers], float], numbers: Floats, counts: Integers
) -> tuple[float | None, int]:
    told = ~np.isnan(numbers) & (counts > 0)
    left_out = int(counts[~told].sum())
    return (statistic(numbers[told], counts[told]) if told.any() else None), left_out


def _of_label(column: Column, counts: Integers, label: str, share: bool) -> float | None:
    """Records that hold the label, or, where it is empty, any value at all."""
    wanted = [(bool(text) and text != SUPPRESSED) if not label else text == label for text in column.labels]
    records, total = int(counts[np.array(wanted, dtype=bool)].sum()), int(counts.sum())
    return records / total if share else float(records)


def _of_column(evidence: Evidence, name: str, chosen: UtilityBiasParameters) -> Bias:
    (original, old), (anonymized, new) = _marginals(evidence, name)
    if chosen.statistic in (Statistic.COUNT, Statistic.SHARE):
        share = chosen.statistic is Statistic.SHARE
        return Bias(_of_label(original, old, chosen.label, share), _of_label(anonymized, new, chosen.label, share))
    statistic = mean if chosen.statistic is Statistic.MEAN else median
    before, lost = _of_numbers(statistic, bounds(original, original).middle, old)
    middle = bounds(anonymized, original, evidence.hierarchies.get(name)).middle
    after, lost_after = _of_numbers(statistic, middle, new)
    return Bias(before, after, lost, lost_after)


def _marginals(evidence: Evidence, name: str) -> tuple[tuple[Column, Integers], tuple[Column, Integers]]:
    """The column before and after, each with the records that hold every value."""
    if evidence.unmatched is None and not evidence.deleted:
        pair = evidence.pair(name)
        sides = [(column, codes, pair.counts) for column, codes in zip(pair.columns, pair.codes, strict=True)]
    else:
        both = [relation.count([name]) for relation in (evidence.original_relation, evidence.relation)]
        sides = [(of.columns[0], of.codes[0], of.counts) for of in both]
    (original, old), (anonymized, new) = (
        (column, np.bincount(codes, weights=counts, minlength=column.distinct).astype(np.int64))
        for column, codes, counts in sides
    )
    return (original, old), (anonymized, new)


def _correlation(evidence: Evidence, name: str, other: str) -> Bias:
    found: list[float | None] = []
    left_out = []
    originals = {one: evidence.original_relation.count([one]).columns[0] for one in (name, other)}
    for relation in (evidence.original_relation, evidence.relation):
        of = relation.count([name, other])
        x, y = (
            _middle(evidence, column, originals[column.name], relation is evidence.relation)[codes]
            for column, codes in zip(of.columns, of.codes, strict=True)
        )
        told = ~(np.isnan(x) | np.isnan(y))
        found.append(pearson(x[told], y[told], of.counts[told]) if told.any() else None)
        left_out.append(int(of.counts[~told].sum()))
    return Bias(found[0], found[1], left_out[0], left_out[1])


def _middle(evidence: Evidence, column: Column, original: Column, generalized: bool) -> Floats:
    return bounds(column, original, evidence.hierarchies.get(column.name) if generalized else None).middle


def utility_bias(columns: Mapping[str, Bias], statistic: Statistic, bound: float) -> UtilityBias:
    """|f(anonymized) - f(original)|, the largest over the columns: 0 upwards, lower is better.

    Raises Unavailable where no column has the statistic both before and after.
    """
    differences = [one.difference for one in columns.values() if one.difference is not None]
    if not differences:
        raise Unavailable(f"no column has a {statistic.value} both before and after")
    return UtilityBias(max(differences), statistic, bound, columns)


def _columns(evidence: Evidence, chosen: UtilityBiasParameters) -> list[str]:
    """The columns that the statistic is asked of. Raises Unavailable where there is none.

    Of columns that are no quasi-identifier and hold very many values it is asked only where they are named.
    """
    if evidence.original is None:
        raise Unavailable("it needs the original table, which is not given")
    shared = shared_columns(evidence.roles, evidence.original, evidence.anonymized)
    for name in (chosen.column, chosen.other if chosen.statistic is Statistic.CORRELATION else ""):
        if name and (name not in evidence.original or name not in evidence.anonymized):
            raise Unavailable(f'"{name}", of which a statistic is asked, does not stand in both tables')
    names = [chosen.column] if chosen.column else [name for name in shared if not too_many_values(evidence, name)]
    many = not chosen.column and len(names) < len(shared)
    if chosen.statistic in (Statistic.COUNT, Statistic.SHARE):
        return names
    if chosen.statistic is Statistic.CORRELATION:
        if not chosen.other:
            raise Unavailable("utility_bias.other names no second column for the correlation")
        names = [name for name in names if name != chosen.other]
        if not is_numeric(evidence.original[chosen.other]):
            raise Unavailable(f'"{chosen.other}" holds no numbers to correlate')
    numeric = [name for name in names if is_numeric(evidence.original[name])]
    if not numeric:
        untold = "no column of few enough values holds numbers" if many else "no column holds numbers"
        raise Unavailable(f'"{chosen.column}" holds no numbers' if chosen.column else untold)
    return numeric


def _compute(evidence: Evidence, parameters: Parameters) -> UtilityBias:
    chosen = parameters.utility_bias
    names = _columns(evidence, chosen)
    if not evidence.anonymized.rows or evidence.original is None or not evidence.original.rows:
        raise Unavailable("the table has no records")
    if chosen.statistic is Statistic.CORRELATION:
        columns = {name: _correlation(evidence, name, chosen.other) for name in names}
    else:
        columns = {name: _of_column(evidence, name, chosen) for name in names}
    return utility_bias(columns, chosen.statistic, chosen.bound)


UTILITY_BIAS = Metric(
    id="utility_bias",
    title="Utility bias",
    family=Family.UTILITY,
    unit="unit of the statistic",
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    meaning="How far a chosen statistic, such as a mean, of the anonymized table is from that of the original.",
    good="At most the bound that the analysis bears; 0 changes nothing.",
    formula=r"\max_c |f(\hat D_c) - f(D_c)|",
    reference="A. F. Karr et al., A Framework for Evaluating the Utility of Data Altered to Protect Confidentiality, "
    "The American Statistician 60(3), 2006",
    doi="10.1198/000313006X124640",
    compute=_compute,
)

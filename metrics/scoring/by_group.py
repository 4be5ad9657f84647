"""Whom the protection burdens: risk and suppression by the values that a column has in the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import Final

import numpy as np
import pyarrow as pa

from metrics.aggregates import Aggregates, TableAggregates, require_matching
from metrics.config.analyses import Analysis
from metrics.config.parameters import Parameters
from metrics.counting.share_interval import wilson
from metrics.errors import Unavailable
from metrics.estimates.grouping import MAX_GROUPS
from metrics.hierarchies.builders import suggest
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.privacy.classes.compatible_records import compatible_records
from metrics.scoring.scorecard import Score, Scorecard, score_metric
from metrics.tables.table import Column, Flags, Floats, Integers
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

MIN_PEOPLE: Final = 30
"""Fewest people of a group that is compared with the others."""
_MAX_VALUES: Final = 12
"""Values of a column up to which each is a group; of more, levels of its hierarchy are."""
_ERROR: Final = 0.05


class Burden(StrEnum):
    """What protection costs people: their record is left out, or it stays at risk."""

    SUPPRESSED = "suppressed"
    MEAN_RISK = "mean_risk"
    AT_RISK = "at_risk"


@dataclass(frozen=True)
class GroupShare:
    """A share of a group's people, or the mean of their risks, beside that of all others."""

    total: float
    """People counted, or the sum of risks."""
    people: int
    """People examined, at least one."""
    others_total: float
    others: int
    highest: float = 1.0
    """What one person adds at most: the highest risk of all, where risks are summed up."""

    @property
    def share(self) -> float:
        """The share, 0 to 1."""
        return self.total / self.people

    @property
    def share_of_others(self) -> float | None:
        """The share among all others; None where there are none."""
        return self.others_total / self.others if self.others else None

    @property
    def excess(self) -> float:
        """By how much the share is above that of all others; 0 where there are none."""
        return 0.0 if self.share_of_others is None else self.share - self.share_of_others

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the share; too wide rather than too narrow for a mean of risks."""
        low, high = wilson(self.total / self.highest, self.people)
        return low * self.highest, high * self.highest

    @property
    def is_compared(self) -> bool:
        """Whether there are enough people, and others to compare them with."""
        return self.people >= MIN_PEOPLE and self.others > 0

    def stands_out(self, comparisons: int) -> bool:
        """Whether the share is above that of all others beyond chance, at an error of 5% for so many comparisons.

        The error is divided by their number (Bonferroni); then the two intervals must not overlap.
        """
        if not self.is_compared:
            return False
        quantile = NormalDist().inv_cdf(1 - _ERROR / (2 * comparisons))
        low, _ = wilson(self.total / self.highest, self.people, quantile)
        _, high = wilson(self.others_total / self.highest, self.others, quantile)
        return low > high


@dataclass(frozen=True)
class Group:
    """The people of the original with one value of a column, or with one of several."""

    label: str | None
    """None where the value is missing."""
    people: int
    shares: Mapping[Burden, GroupShare]
    """Of all people those suppressed or removed; of the others, where there are any, mean risk and share at risk."""
    highest_risk: float | None
    """None where every record is suppressed or removed."""

    @property
    def is_small(self) -> bool:
        """Whether there are too few people to compare."""
        return self.people < MIN_PEOPLE


@dataclass(frozen=True)
class Groups:
    """Risk and suppression by the values of a column; each person of the original is in one group."""

    column: str
    groups: tuple[Group, ...]
    """In the order of the values."""
    threshold: float
    """The risk above which a record counts as at risk."""

    @property
    def measures(self) -> tuple[Burden, ...]:
        """Those to show: suppression and risk where there are any; the mean risk only where nobody is at risk."""
        found = {name for group in self.groups for name, share in group.shares.items() if share.total}
        return tuple(
            name
            for name in (Burden.SUPPRESSED, Burden.AT_RISK if Burden.AT_RISK in found else Burden.MEAN_RISK)
            if name in found
        )

    def comparisons(self, measure: Burden) -> int:
        """How many groups are compared with all others."""
        return sum(measure in group.shares and group.shares[measure].is_compared for group in self.groups)

    def standing_out(self, measure: Burden, comparisons: int | None = None) -> tuple[Group, ...]:
        """The groups above all others beyond chance, the largest excess first.

        `comparisons` is the number of groups that are compared, by default those of this column.
        """
        number = self.comparisons(measure) if comparisons is None else comparisons
        measured = [group for group in self.groups if measure in group.shares]
        found = [group for group in measured if group.shares[measure].stands_out(number)]
        return tuple(sorted(found, key=lambda group: -group.shares[measure].excess))

    def to_arrow(self) -> pa.Table:
        """One row per group: people, whether they are few, each share with its 95% interval, and the highest risk."""
        rows = []
        for group in self.groups:
            row: dict[str, object] = {"group": group.label, "people": group.people, "small": group.is_small}
            for measure in Burden:
                share = group.shares.get(measure)
                numbers = (None,) * 3 if share is None else (share.share, *share.interval)
                row |= dict(zip((str(measure), f"{measure}.low", f"{measure}.high"), numbers, strict=True))
            rows.append({**row, "highest_risk": group.highest_risk})
        return pa.Table.from_pylist(rows)


def by_group(card: Scorecard, column: str) -> Groups:
    """Whom the protection burdens: risk and suppression by the values that a column has in the original.

    Each of up to 12 values is a group. Of more values, groups are the labels of the lowest level of the column's
    hierarchy with at most 12 of them; without a hierarchy, numbers and dates are grouped in intervals.

    Parameters
    ----------
    card : Scorecard
        The scores of a table beside its original.
    column : str
        A column of the original.

    Returns
    -------
    Groups
        One per value that occurs, missing values included.

    Raises
    ------
    Unavailable
        If records are not matched with the original's in memory, there are none, or they are in more than 100 groups.
    """
    aggregates = card.aggregates
    original = require_matching(aggregates.matched_records).original
    if column not in original:
        raise Unavailable(text("analyses.unavailable.no_column", column=column))
    if not original.rows:
        raise Unavailable(text("unavailable.no_records"))
    labels, group = _grouped(original[column], aggregates.hierarchies.get(column))
    risk, threshold = _risks(aggregates, card.parameters), card.parameters.reidentification_risk.threshold
    kept, everybody = risk > 0, np.ones(len(risk), dtype=bool)
    shares = {
        Burden.SUPPRESSED: _shares(group, ~kept, everybody),
        Burden.MEAN_RISK: _shares(group, risk, kept, float(risk.max())),
        Burden.AT_RISK: _shares(group, risk > threshold, kept) if threshold < 1 else {},
    }
    highest = np.zeros(len(labels))
    np.maximum.at(highest, group, risk)
    groups = (
        Group(label, people, {name: of[number] for name, of in shares.items() if number in of}, float(most) or None)
        for number, (label, people, most) in enumerate(zip(labels, np.bincount(group).tolist(), highest, strict=True))
    )
    return Groups(column, tuple(groups), threshold)


def analyses_by_group(aggregates: Aggregates, column: str, analyses: Mapping[str, Analysis]) -> dict[str | None, Score]:
    """What is kept of the analyses, run on the people of each group of `by_group` alone. Raises Unavailable like it."""
    matching = require_matching(aggregates.matched_records)
    labels, group = _grouped(matching.original[column], aggregates.hierarchies.get(column))
    parameters, found = Parameters(analyses=dict(analyses)), {}
    for number, label in enumerate(labels):
        people = np.flatnonzero(group == number)
        released = matching.anonymized.take(people[people < matching.anonymized.rows])
        of_group = TableAggregates(
            released,
            aggregates.roles,
            matching.original.take(people),
            aggregates.hierarchies,
            perturbed=aggregates.perturbed,
        )
        found[label] = score_metric(ANALYSES, of_group, parameters)
    return found


def _risks(aggregates: Aggregates, parameters: Parameters) -> Floats:
    """The risk of each record of the original that is compared; 0 where it is suppressed or removed."""
    compared, class_of_record = aggregates.matched_records, aggregates.class_of_record()
    if compared.positions is not None:
        class_of_record = class_of_record[compared.positions]
    sizes = aggregates.classes.sizes
    people = compatible_records(aggregates, parameters.classes) if len(sizes) else None
    risks = np.append(1 / (sizes if people is None else people), 0.0)
    return np.append(risks[class_of_record], np.zeros(require_matching(compared).deleted))


def _shares(group: Integers, counted: Floats | Flags, examined: Flags, highest: float = 1.0) -> dict[int, GroupShare]:
    """The share of each group in which somebody was examined; rounding makes no sum negative."""
    totals, people = np.bincount(group, counted), np.bincount(group[examined], minlength=int(group.max()) + 1)
    others, other_people = np.maximum(totals.sum() - totals, 0), people.sum() - people
    figures = zip(totals.tolist(), people.tolist(), others.tolist(), other_people.tolist(), strict=True)
    return {number: GroupShare(*each, highest) for number, each in enumerate(figures) if people[number]}


def _grouped(column: Column, tree: Hierarchy | None) -> tuple[list[str | None], Integers]:
    """The groups in the order of their values, and the group of each record."""
    names = _names(column, tree)
    groups = list(dict.fromkeys(names[code] for code in column.order))
    if len(groups) > MAX_GROUPS:
        raise Unavailable(text("analyses.unavailable.too_many_groups", column=column.name, limit=MAX_GROUPS))
    number = {name: position for position, name in enumerate(groups)}
    return groups, np.array([number[name] for name in names])[column.codes]


def _names(column: Column, tree: Hierarchy | None) -> Sequence[str | None]:
    """The group of each value; one outside the hierarchy is a group of its own."""
    values = [label or None for label in column.labels]
    if len(values) <= _MAX_VALUES:
        return values
    tree = tree or column.memoize(suggest).hierarchy
    leaves = [tree.leaf_index.get(value or "") for value in values]
    for level in range(1, tree.height):
        labels, nodes = tree.labels(level), tree.nodes(level)
        names = [value if leaf is None else labels[nodes[leaf]] for value, leaf in zip(values, leaves, strict=True)]
        if 1 < len({*names}) <= _MAX_VALUES:
            return names
    return values

"""t-closeness: how far the sensitive values of a class lie from those of the whole table.

All three ground distances are computed from the cells that are not zero and in whole numbers until one last division,
so a figure depends neither on the order of records nor on rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import GroundDistance, Parameters
from metrics.counting.classes import Histogram
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.metric import ByClass, ClassMeasure, Clause, ClauseKind, Direction, Family, FigureSpec, Metric, PerClass
from metrics.privacy.classes.worst_class import Judgement, JudgementTotals, judge
from metrics.tables.table import Column, Flags, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import text

_EXACT = 2**62


@dataclass(frozen=True, eq=False)
class TCloseness:
    """`value` is the largest distance of a class from the table; `per_class` holds one distance per class."""

    per_class: Mapping[str, Floats]
    distance: Mapping[str, GroundDistance]
    limit: float
    totals: JudgementTotals
    """Totals of all classes, of which the arrays may hold some; classes farther than the limit fail."""
    judgement: Judgement | None = None
    """The distances of refined classes, where all other sensitive values are taken as known; else None."""
    not_numbers: Mapping[str, int] = field(default_factory=dict)
    """Per attribute whose other values are numbers: the values that are missing or no numbers, which undo the order."""

    @property
    def value(self) -> float:
        """The largest distance."""
        return max(self.totals.worst.values())

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The largest distance of each attribute."""
        return self.totals.worst

    @property
    def worst_attribute(self) -> str:
        """The attribute with the largest distance; the first of equals."""
        return next(name for name, distance in self.totals.worst.items() if distance == self.value)

    @property
    def exceeding(self) -> int:
        """Classes farther than the limit."""
        return self.totals.failing_anywhere

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.totals.classes

    @property
    def fulfilled(self) -> bool:
        """Whether no class exceeds the limit."""
        return self.exceeding == 0

    def details(self) -> dict[str, Any]:
        """The ground distance of each attribute, and how the limit t is met."""
        return {
            "distance": {column: str(distance) for column, distance in self.distance.items()},
            "t": self.limit,
            "fulfilled": self.fulfilled,
            "violating_classes": self.exceeding,
            "others_as_quasi_identifiers": self.judgement is not None,
            "not_numbers": dict(self.not_numbers),
        }

    @property
    def severity(self) -> Floats:
        """The largest distance of each class, over attributes."""
        farthest: Floats = np.max(list(self.per_class.values()), axis=0)
        return farthest

    def class_measures(self, index: int) -> list[ClassMeasure]:
        """The distance of one class for each attribute, against the limit."""
        figures = []
        for name, distances in self.per_class.items():
            figure = float(distances[index])
            failure = text("t_closeness.class_failure", limit=self.limit) if figure > self.limit else ""
            measure = text("t_closeness.class_measure", distance=str(self.distance[name]))
            figures.append(ClassMeasure(measure, name, figure, failure))
        return figures

    def distance_of_group(self, name: str, group: Integers, others: Integers) -> float | None:
        """The distance of records outside the classes from all others, by how many of each have each value.

        None unless the attribute's values are compared for equality only.
        """
        if self.distance.get(name) is not GroundDistance.EQUAL:
            return None
        return float(np.abs(group / group.sum() - others / others.sum()).sum() / 2)

    def summary(self) -> str:
        """The finding, and the attributes that are nearly but not wholly numeric."""
        return " ".join([self.finding, *(self._reason_not_ordered(name) for name in self.not_numbers)])

    def _reason_not_ordered(self, name: str) -> str:
        distance, values = str(self.distance[name]), self.not_numbers[name]
        return text("t_closeness.not_ordered", column=name, distance=distance, values=values)

    @property
    def finding(self) -> str:
        """How many classes are farther than the limit."""
        value, limit, failing, classes, worst = self.value, self.limit, self.exceeding, self.classes, self._worst
        if limit >= 1:
            return text("t_closeness.unlimited", value=value, worst=worst)
        if self.fulfilled:
            return text("t_closeness.within", limit=limit, value=value, worst=worst)
        if self.judgement is None:
            return text("t_closeness.exceeded", failing=failing, classes=classes, limit=limit, value=value, worst=worst)
        return text(
            "t_closeness.exceeded_refined", failing=failing, classes=classes, limit=limit, value=value, worst=worst
        )

    @property
    def _worst(self) -> str:
        """Which attribute has the largest distance, by which ground distance."""
        name = self.worst_attribute
        return text("t_closeness.worst", column=name, distance=str(self.distance[name]))


def equal_distance(histogram: Histogram) -> Floats:
    """Half the sum of |p_s - q_s| over all values, for each class: 0 to 1.

    Only values that occur more often than expected are summed; the others' shortfall is the same amount.
    """
    if not len(histogram.sizes):
        return np.zeros(0)
    surplus = np.maximum(_extra(histogram.count, histogram.totals[histogram.code], histogram), 0)
    distances: Floats = np.add.reduceat(surplus, histogram.starts) / (histogram.sizes * float(histogram.kept))
    return distances


def ordered_distance(histogram: Histogram) -> Floats:
    """Earth mover's distance over the ranks of a numeric attribute, for each class: 0 to 1, 0 for a constant.

    Equal numbers written differently share a rank. Raises Unavailable unless every value is a number.
    """
    numbers = histogram.numbers
    if numbers is None:
        raise Unavailable(text("t_closeness.unavailable.not_numeric", column=histogram.column.name))
    in_use = histogram.totals > 0
    ranks = np.searchsorted(np.unique(numbers[in_use]), numbers)
    steps = len(np.unique(numbers[in_use])) - 1
    if steps < 1 or not len(histogram.sizes):
        return np.zeros(len(histogram.sizes))
    group, rank, count = _merge(histogram.group, ranks[histogram.code], histogram.count, steps + 1)
    totals = np.zeros(steps + 1, dtype=np.int64)
    np.add.at(totals, ranks[in_use], histogram.totals[in_use])
    return _summed_cumulated_differences(group, rank, count, totals, histogram) / (
        steps * histogram.sizes * float(histogram.kept)
    )


def _summed_cumulated_differences(
    group: Integers, rank: Integers, count: Integers, totals: Integers, histogram: Histogram
) -> Floats:
    """Sum over ranks of |cumulated share of the class - of the table|, times class size times records.

    A class's cumulated count stays the same from one of its values to the next, so each such stretch of ranks is summed
    at once from prefix sums: below the crossing the class is ahead, above it the table is.
    """
    starts = np.searchsorted(group, np.arange(len(histogram.sizes)))
    cumulated = np.cumsum(count)
    cumulated -= (cumulated[starts] - count[starts])[group]
    stop = np.append(rank[1:], len(totals))
    last = np.append(starts[1:], len(group)) - 1
    stop[last] = len(totals)
    first = rank[starts]
    size, kept = histogram.sizes[group], histogram.kept
    table = np.cumsum(totals)
    exact = kept * kept * len(totals) < _EXACT
    number = np.int64 if exact else np.float64
    prefix = np.concatenate(([0], np.cumsum(table.astype(number))))
    crossing = np.searchsorted(table, cumulated * kept // size, side="right")
    crossing = np.clip(crossing, rank, stop)
    class_share = cumulated.astype(number) * kept
    below = (crossing - rank) * class_share - size * (prefix[crossing] - prefix[rank])
    above = size * (prefix[stop] - prefix[crossing]) - (stop - crossing) * class_share
    total: Floats = np.add.reduceat(below + above, starts) + histogram.sizes * prefix[first]
    return total


def hierarchical_distance(histogram: Histogram, hierarchy: Hierarchy) -> Floats:
    """Earth mover's distance over a value hierarchy, for each class: 0 to 1, 0 where the hierarchy has one level.

    At each inner node of level v, v/height times the smaller of its children's surplus and shortfall is moved, the rest
    passed up. Raises Unavailable where the hierarchy misses a value.
    """
    leaves = hierarchy.leaves_of(histogram.column)
    if (leaves[histogram.totals > 0] < 0).any():
        raise Unavailable(text("t_closeness.unavailable.incomplete_hierarchy", column=histogram.column.name))
    if hierarchy.height < 1 or not len(histogram.sizes):
        return np.zeros(len(histogram.sizes))
    in_use = histogram.totals > 0
    # Blank and missing cells share a leaf.
    group, node, count = _merge(histogram.group, leaves[histogram.code], histogram.count, len(hierarchy.rows))
    totals = np.zeros(len(hierarchy.rows), dtype=np.int64)
    np.add.at(totals, leaves[in_use], histogram.totals[in_use])
    ancestor = np.arange(len(hierarchy.rows))
    cost = np.zeros(len(histogram.sizes), dtype=np.int64)
    for level in range(1, hierarchy.height + 1):
        above = hierarchy.nodes(level)
        parent_of = np.empty(len(totals), dtype=np.int64)
        parent_of[ancestor] = above
        surplus = np.maximum(_extra(count, totals[node], histogram, group), 0)
        upper_totals = np.zeros(len(hierarchy.labels(level)), dtype=np.int64)
        np.add.at(upper_totals, parent_of, totals)
        upper_group, upper_node, upper_count, upper_surplus = _merge_two(
            group, parent_of[node], count, surplus, len(upper_totals)
        )
        net = _extra(upper_count, upper_totals[upper_node], histogram, upper_group)
        balanced = np.minimum(upper_surplus, upper_surplus - net)
        np.add.at(cost, upper_group, level * balanced)
        group, node, count, totals, ancestor = upper_group, upper_node, upper_count, upper_totals, above
    return cost / (hierarchy.height * histogram.sizes * float(histogram.kept))


def _extra(count: Integers, total: Integers, histogram: Histogram, group: Integers | None = None) -> Integers:
    """(p_s - q_s) times class size times records, in whole numbers."""
    size = histogram.size_of_cell if group is None else histogram.sizes[group]
    extra: Integers = count * histogram.kept - total * size
    return extra


def _merge(group: Integers, node: Integers, count: Integers, width: int) -> tuple[Integers, Integers, Integers]:
    merged_group, merged_node, merged_count, _ = _merge_two(group, node, count, count, width)
    return merged_group, merged_node, merged_count


def _merge_two(
    group: Integers, node: Integers, first: Integers, second: Integers, width: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """Sum two measures over cells that fall on the same node of the same class; sorted by class, then node."""
    keys = group * width + node
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], sorted_keys[1:] != sorted_keys[:-1])))
    distinct = sorted_keys[starts]
    return (
        distinct // width,
        distinct % width,
        np.add.reduceat(first[order], starts),
        np.add.reduceat(second[order], starts),
    )


def choose_distance(histogram: Histogram, hierarchy: Hierarchy | None, chosen: GroundDistance | None) -> GroundDistance:
    """The ground distance of a sensitive attribute.

    Parameters
    ----------
    histogram : Histogram
        The sensitive attribute.
    hierarchy : Hierarchy or None
        Its hierarchy.
    chosen : GroundDistance or None
        The user's choice, which applies first.

    Returns
    -------
    GroundDistance
        Ordered for numbers, hierarchical where there is a hierarchy, equal otherwise.
    """
    if chosen is not None:
        return chosen
    if histogram.numbers is not None:
        return GroundDistance.ORDERED
    return GroundDistance.EQUAL if hierarchy is None else GroundDistance.HIERARCHICAL


def _not_numbers(histogram: Histogram) -> int:
    """How many values in use are missing or no numbers, where most values in use are numbers; else 0."""
    if histogram.numbers is not None:
        return 0
    labels = histogram.column.labels
    used_labels = [labels[code] for code in np.flatnonzero(histogram.totals > 0).tolist()]
    return _few_not_numbers(used_labels, histogram.column.decimal)


def _few_not_numbers(labels: Sequence[str | None], decimal: str) -> int:
    not_numbers = sum(parse_number(label, decimal) is None for label in labels)
    return not_numbers if 2 * not_numbers < len(labels) else 0


def not_ordered_for_few_values(
    columns: Iterable[Column], hierarchies: Hierarchies, chosen: Mapping[str, GroundDistance]
) -> list[str]:
    """Name the attributes compared for equality only because a few of their values are missing or no numbers."""
    return [
        column.name
        for column in columns
        if column.name not in chosen
        and column.name not in hierarchies
        and column.numbers is None
        and _few_not_numbers(column.labels, column.decimal)
    ]


def class_distances(histogram: Histogram, distance: GroundDistance, hierarchy: Hierarchy | None) -> Floats:
    """Distance of each class from the table.

    Parameters
    ----------
    histogram : Histogram
        Values of the sensitive attribute within each class.
    distance : GroundDistance
        How the distance between two values is measured.
    hierarchy : Hierarchy or None
        Needed for the hierarchical distance.

    Returns
    -------
    array of float
        One distance per class, 0 to 1.

    Raises
    ------
    Unavailable
        Where the ground distance does not apply.
    """
    if distance is GroundDistance.EQUAL:
        return equal_distance(histogram)
    if distance is GroundDistance.ORDERED:
        return ordered_distance(histogram)
    if hierarchy is None:
        raise Unavailable(text("t_closeness.unavailable.no_hierarchy", column=histogram.column.name))
    return hierarchical_distance(histogram, hierarchy)


def t_closeness(
    histograms: Mapping[str, Histogram],
    hierarchies: Mapping[str, Hierarchy],
    limit: float = 0.2,
    chosen: Mapping[str, GroundDistance] | None = None,
) -> TCloseness:
    r"""t-closeness, :math:`t = \max_{E,S} \mathrm{EMD}(p_E, q)`: 0 to 1, lower is better.

    The table is t-close if no class exceeds the limit.

    Parameters
    ----------
    histograms
        The values of each sensitive attribute within each class; at least one attribute and one class.
    hierarchies
        Hierarchies of sensitive attributes, by column.
    limit
        The t that no class may exceed, 0 to 1.
    chosen
        Ground distances that replace the automatic choice, by column.

    Returns
    -------
    TCloseness
        The largest distance over classes and attributes, and the distances of every class.

    Raises
    ------
    Unavailable
        If a ground distance does not apply to an attribute.

    References
    ----------
    N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and l-Diversity", ICDE 2007, doi
    10.1109/ICDE.2007.367856.
    """
    distance = {
        name: choose_distance(histogram, hierarchies.get(name), (chosen or {}).get(name))
        for name, histogram in histograms.items()
    }

    def distances(histogram: Histogram) -> Floats:
        """Distance of each class, by the ground distance of its attribute."""
        name = histogram.column.name
        return class_distances(histogram, distance[name], hierarchies.get(name))

    def too_far(figures: Floats) -> Flags:
        """Whether each class is farther than the limit."""
        beyond: Flags = figures > limit
        return beyond

    judged = judge(histograms, distances, largest=True, fails=too_far)
    unasked = {name: _not_numbers(histogram) for name, histogram in histograms.items() if name not in (chosen or {})}
    not_numbers = {name: values for name, values in unasked.items() if values}
    refined = judged if judged.refined else None
    return TCloseness(judged.per_class, distance, limit, judged.totals, refined, not_numbers)


def _judge(aggregates: Aggregates, parameters: Parameters) -> TCloseness:
    settings = parameters.t_closeness
    histograms = aggregates.sensitive(refined=parameters.sensitive.others_as_quasi_identifiers)
    return t_closeness(histograms, aggregates.hierarchies, settings.t, settings.distance)


def _clause(result: TCloseness, aggregates: Aggregates) -> Clause | None:
    """Classes above the limit, and by which attributes; nothing where every distance is allowed."""
    if result.limit >= 1:
        return None
    kind = ClauseKind.DISTRIBUTION_DISCLOSURE
    if result.fulfilled:
        return Clause(kind, text("t_closeness.strength", limit=result.limit), weakness=False)
    headline = text(
        "t_closeness.weakness",
        failing=result.exceeding,
        classes=result.classes,
        limit=result.limit,
        columns=[name for name, failing in result.totals.failing.items() if failing],
        value=result.value,
    )
    return Clause(kind, headline, weakness=True)


_BY_CLASS = ByClass(_judge, lambda judged, aggregates, parameters: judged)
T_CLOSENESS = Metric(
    id="t_closeness",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"t = \max_{E,S} \mathrm{EMD}(p_E, q)",
    reference="N. Li, T. Li, S. Venkatasubramanian, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity, ICDE "
    "2007, doi 10.1109/ICDE.2007.367856",
    by_class=_BY_CLASS,
    settings=("t_closeness", "sensitive"),
    limit_setting="t_closeness.t",
    figures=(FigureSpec("metrics.figures.t_closeness:distance_distribution", all_classes=True),),
    working="metrics.explanations.workings.t_closeness:T_CLOSENESS",
    per_class=PerClass("t", profile=TCloseness.class_measures, severity=attrgetter("severity")),
    clause=_clause,
    is_headline=True,
)

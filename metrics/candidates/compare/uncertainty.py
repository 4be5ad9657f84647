"""Whether a version is better than another beyond the chance of who is in the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from metrics.aggregates import TableAggregates, require_original_records, require_records
from metrics.aggregates.record_groups import group_of_record
from metrics.candidates.compare.comparison import compare
from metrics.candidates.compare.record_trails import positions_of_records
from metrics.candidates.pareto import pareto_front
from metrics.config.former_names import current_name, unknown_metric
from metrics.counting.share_interval import NORMAL_95
from metrics.errors import Unavailable
from metrics.interruption import report
from metrics.metric import Direction, Family
from metrics.scoring.catalog import BY_ID, RISK
from metrics.scoring.scorecard import Scorecard, score_aggregates
from metrics.tables.table import Floats, Integers, Table
from metrics.texts import text
from metrics.utility.non_uniform_entropy.measure import NON_UNIFORM_ENTROPY

HALVES: Final = 200
CLEAR: Final = 0.95
"""Share of the halves in which a version must be better to be called so."""
_MIN_PEOPLE: Final = 30
_PERCENTILES: Final = (2.5, 97.5)
_SIGNS: Final = np.array([-1, 1])
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class FigureInterval:
    """Where a version's figure lies in 95% of the tables that other people of the same kind would make."""

    low: float
    high: float
    of_half: bool
    """Whether it is that of half of the people: of uniques, extremes and nearest records none of the whole follows."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """The figures of versions in random halves of their people, the same halves for all."""

    labels: tuple[str, ...]
    metrics: tuple[str, ...]
    whole: Floats
    """By metric and version, turned so that higher is better; minus infinity where there is none."""
    halves: Floats
    """The same of each half."""

    def interval(self, label: str, metric_id: str) -> FigureInterval | None:
        """The interval of a version's figure; None where it has none in the table or in a half.

        The figure with 1.96 times the spread of the halves, which is the standard error of means over people and of
        what is smooth in them (J. Shao, C. F. J. Wu, Annals of Statistics 17(3), 1989, doi 10.1214/aos/1176347263).
        Elsewhere the middle 95% of the halves (D. N. Politis, J. P. Romano, Annals of Statistics 22(4), 1994, doi
        10.1214/aos/1176325770): there the halves differ from the whole table by more than their spread.
        """
        whole, halves = self._figures(label, metric_id)
        if not np.isfinite([whole, *halves]).all():
            return None
        spec, of_half = BY_ID[metric_id], self.is_of_half(metric_id)
        ends = (
            np.percentile(halves, _PERCENTILES, method="inverted_cdf")
            if of_half
            else whole + NORMAL_95 * halves.std(ddof=1) * _SIGNS
        )
        ends = np.sort(-ends if spec.direction is Direction.LOWER else ends)
        smallest = -np.inf if spec.minimum is None else spec.minimum
        low, high = ends.clip(smallest, np.inf if spec.maximum is None else spec.maximum).tolist()
        return FigureInterval(low, high, of_half)

    def is_of_half(self, metric_id: str) -> bool:
        """Whether a metric's intervals are those of tables with half of the people."""
        row = self.metrics.index(current_name(metric_id))
        has_figure = np.isfinite(self.whole[row]) & np.isfinite(self.halves[:, row]).all(axis=0)
        whole, halves = self.whole[row, has_figure], self.halves[:, row, has_figure]
        varies = (np.abs(halves - whole) > _ROUNDING * np.abs(whole)).any(axis=0)
        differs = np.abs(halves.mean(axis=0) - whole) > halves.std(axis=0, ddof=1)
        return bool((varies & (differs | (BY_ID[metric_id].family is Family.PRIVACY))).any())

    def value(self, label: str, metric_id: str) -> float | None:
        """A version's figure in the whole table; None where it has none, or one that looks better than it is."""
        whole, _ = self._figures(label, metric_id)
        if not np.isfinite(whole):
            return None
        return -whole if BY_ID[metric_id].direction is Direction.LOWER else whole

    def better(self, label: str, other: str, metric_id: str) -> float | None:
        """Share of the halves in which a version is better than another, ties by half; None if one lacks a figure."""
        (whole, first), (other_whole, second) = self._figures(label, metric_id), self._figures(other, metric_id)
        if not np.isfinite([whole, other_whole, *first, *second]).all():
            return None
        return float((first > second).mean() + (first == second).mean() / 2)

    def is_clear(self, label: str, other: str, metric_id: str) -> bool:
        """Whether one of the two is better in at least 95% of the halves; equal figures speak for neither."""
        if self.better(label, other, metric_id) is None:
            return False
        first, second = (self._figures(one, metric_id)[1] for one in (label, other))
        return bool(max((first > second).mean(), (first < second).mean()) >= CLEAR)

    def front(self, first: str, second: str) -> dict[str, float]:
        """For each version the share of the halves in which no other dominates it in two metrics."""
        rows = [self.metrics.index(current_name(name)) for name in (first, second)]
        counts = np.zeros(len(self.labels))
        for half in self.halves:
            counts[pareto_front(*half[rows])] += 1
        return dict(zip(self.labels, (counts / len(self.halves)).tolist(), strict=True))

    @property
    def plane(self) -> tuple[str, str] | None:
        """Highest risk and information kept or else the first metrics of privacy and utility; None without one."""
        preferred = [one for one in (RISK, NON_UNIFORM_ENTROPY.id, *self.metrics) if one in self.metrics]
        first = {BY_ID[one].family: one for one in reversed(preferred)}
        found = [first[family] for family in (Family.PRIVACY, Family.UTILITY) if family in first]
        return (found[0], found[1]) if len(found) == 2 else None

    def to_dict(self) -> dict[str, Any]:
        """The intervals, and by version and metric the share of the halves in which it is better than each other."""
        by_metric = {
            metric_id: {
                label: {
                    "interval": None if (found := self.interval(label, metric_id)) is None else asdict(found),
                    "better": {other: self.better(label, other, metric_id) for other in self.labels if other != label},
                }
                for label in self.labels
            }
            for metric_id in self.metrics
        }
        return {"halves": len(self.halves), "metrics": by_metric}

    def _figures(self, label: str, metric_id: str) -> tuple[float, Floats]:
        row, column = self.metrics.index(current_name(metric_id)), self.labels.index(label)
        return float(self.whole[row, column]), self.halves[:, row, column]


def uncertainty(
    cards: Mapping[str, Scorecard], metrics: Collection[str], halves: int = HALVES, seed: int = 0
) -> Uncertainty:
    """Score random halves of the people, the same for all versions; a seed draws the same halves.

    Raises InputError for a metric that does not exist, and Unavailable if the versions cannot be divided in the same
    way or there are too few people.
    """
    for name in metrics:
        if current_name(name) not in BY_ID:
            raise unknown_metric(name, BY_ID)
    names = tuple(dict.fromkeys(map(current_name, metrics)))
    person, places = _people_and_places(cards)
    people = int(person.max(initial=-1)) + 1
    if people < _MIN_PEOPLE:
        raise Unavailable(text("uncertainty.unavailable.few_people", people=people, least=_MIN_PEOPLE))
    generator = np.random.default_rng(seed)
    figures = []
    for number in range(halves):
        report(number / halves)
        is_chosen = np.zeros(people, dtype=bool)
        is_chosen[generator.permutation(people)[: people // 2]] = True
        records = np.flatnonzero(is_chosen[person])
        scored = {label: _score(card, records, places[label], names) for label, card in cards.items()}
        comparison = compare(scored)
        figures.append([comparison.upwards(name) for name in names])
    # What makes a figure look better than it is can occur in some halves by chance: the whole table decides.
    whole = np.array([compare(cards).comparable(name) for name in names])
    return Uncertainty(tuple(cards), names, whole, np.array(figures))


def _score(card: Scorecard, records: Integers, places: Integers, metrics: Sequence[str]) -> Scorecard:
    """The scores of some records of the reference, and of their counterparts in a version."""
    aggregates = card.aggregates
    released = places[records]
    part = TableAggregates(
        require_records(aggregates).take(released[released >= 0]),
        aggregates.roles,
        aggregates.original.take(records) if isinstance(aggregates.original, Table) else None,
        aggregates.hierarchies,
        aggregates.population,
        holdout=aggregates.holdout,
    )
    return score_aggregates(part, card.parameters, metrics)


def _people_and_places(cards: Mapping[str, Scorecard]) -> tuple[Integers, dict[str, Integers]]:
    """The number of each record's person, and by version where the record is in it, below 0 if nowhere.

    The records are those of the original, or of the first version without one.
    """
    first = next(iter(cards.values())).aggregates
    reference = require_records(first) if first.original is None else require_original_records(first)
    places = {
        label: positions_of_records(reference, require_records(card.aggregates), card.aggregates.roles.matching)
        for label, card in cards.items()
    }
    name = first.roles.person
    if name is None or name not in reference:
        return np.arange(reference.rows), places
    group = group_of_record(reference[name])
    nameless = group < 0
    group[nameless] = group.max(initial=-1) + 1 + np.arange(int(nameless.sum()))
    return np.unique(group, return_inverse=True)[1], places

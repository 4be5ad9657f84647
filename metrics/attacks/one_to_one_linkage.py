"""One-to-one linkage: an attacker who knows that each person has one record links all people at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.attacks.knowledge.nearest import TIE
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import AttackRate, RatedAttack
from metrics.config.parameters import Parameters
from metrics.counting.counts import combination_codes
from metrics.counting.record_order import records_in_order
from metrics.errors import Unavailable
from metrics.interruption import report
from metrics.matching.shared_values import shared_codes
from metrics.metric import AttackRow, Direction, Family, Metric
from metrics.tables.table import Codes, Column, Floats, Integers, Table
from metrics.texts import text
from metrics.working import two_step_measures

_Block = tuple[Integers, Integers]
"""Positions of people and of released records with the same values in the columns that are released as they were.

They are without people who are not drawn, and without their records.
"""
MAX_BLOCK: Final = 3_000
"""People who are linked at once at most; of a larger block so many are drawn, with their records."""


@dataclass(frozen=True)
class OneToOneLinkage(RatedAttack):
    """`value` is the share of people who are linked with their own record."""

    known: tuple[str, ...]
    record_by_record: float
    """Success of an attacker of the same people who takes the nearest records of each person alone."""
    blocks: int
    largest_block: int
    """Of the people who are attacked."""
    exact_columns: tuple[str, ...]
    """Known columns that are released as they were: people are sought among the records with their values only."""
    mean_distance: float
    """Gower's distance of a person and the linked record, 0 to 1."""

    def details(self) -> dict[str, Any]:
        """The rate, that of the attack record by record, the blocks, and the distance of links."""
        return {
            **self.rate.details(),
            "known": list(self.known),
            "record_by_record": self.record_by_record,
            "blocks": self.blocks,
            "largest_block": self.largest_block,
            "exact_columns": list(self.exact_columns),
            "mean_distance": self.mean_distance,
        }

    @property
    def finding(self) -> str:
        return text("one_to_one_linkage.finding", known=self.known, value=self.value)

    @property
    def success(self) -> str:
        return text("record_linkage_attack.success", value=self.shown)

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """One row."""
        rate, alone = self.rate, text("one_to_one_linkage.alone", value=self.record_by_record)
        return (AttackRow(title, rate.value, rate.baseline, rate.control, rate.interval, remarks=(alone,)),)

    def summary(self) -> str:
        sentences = [self.headline, text("one_to_one_linkage.alone", value=self.record_by_record)]
        if not self.rate.exact:
            sentences.append(text("one_to_one_linkage.drawn", people=self.rate.attempts, limit=MAX_BLOCK))
        return " ".join(sentences)


def link_one_to_one(scenario: AttackScenario) -> OneToOneLinkage:
    """Link all people of a block with records so that the sum of Gower's distances is least, each record once.

    People with the same known values, and records with the same labels, share their links. Among other assignments of
    the same sum the order of people and records decides, which is drawn: in the order of the tables it would be the
    right one that is found.
    Source: J. Herranz, J. Nin, P. Rodríguez, T. Tassa, "Revisiting distance-based record linkage for privacy-preserving
    release of statistical datasets", Data & Knowledge Engineering 100, 2015, doi 10.1016/j.datak.2015.07.009; sdcMicro
    5.8, `recordLinkage`, links so without blocks, and breaks ties by the order of records.
    """
    generator = np.random.default_rng(scenario.parameters.seed)
    exact, blocks = _blocks(scenario, generator)
    right = alone = distance = 0.0
    attempts = links = 0
    for number, (people, records) in enumerate(blocks, 1):
        costs = _distances(scenario, people, records)
        value, label = (
            _kinds(table, scenario, rows) for table, rows in ((scenario.targets, people), (scenario.released, records))
        )
        person, record = scipy.optimize.linear_sum_assignment(costs)
        place = np.argsort(records)
        of_person = place[np.searchsorted(records, scenario.own[people], sorter=place)]
        own = label[of_person]
        linked = np.zeros((value.max() + 1, label.max() + 1))
        np.add.at(linked, (value[person], label[record]), 1)
        right += float((linked[value, own] / np.bincount(value)[value] / np.bincount(label)[own]).sum())
        nearest = costs <= costs.min(axis=1, keepdims=True) + TIE
        alone += float((nearest[np.arange(len(value)), of_person] / nearest.sum(axis=1)).sum())
        distance, links, attempts = distance + costs[person, record].sum(), links + len(person), attempts + len(value)
        report(number / len(blocks))
    is_exact = attempts == scenario.targets.rows
    baseline = 1 / scenario.released.rows
    control = None if scenario.holdout is None else 0.0
    return OneToOneLinkage(
        AttackRate(right, attempts, baseline, control, is_exact),
        scenario.known,
        alone / attempts,
        len(blocks),
        max(len(people) for people, _ in blocks),
        exact,
        float(distance) / links / len(scenario.known),
    )


def _blocks(scenario: AttackScenario, generator: np.random.Generator) -> tuple[tuple[str, ...], list[_Block]]:
    """The columns that are released as they were, and the people and records with the same values there, shuffled."""
    released, targets, exact = scenario.released, scenario.targets, list[str]()
    codes = list[tuple[tuple[Codes, Codes], int]]()
    for name in scenario.known:
        (before, after), distinct = shared_codes((targets[name], released[name]))
        of_person, of_record = before[targets[name].codes], after[released[name].codes]
        if (of_person == of_record[scenario.own]).all():
            exact.append(name)
            codes.append(((of_person, of_record), distinct))
    place_of_person = _drawn_places(scenario.target_columns(), generator)
    place_of_record = _drawn_places([released[name] for name in scenario.known], generator)
    number = targets.rows + released.rows
    together, count = combination_codes([(np.concatenate(pair), distinct) for pair, distinct in codes], number)
    of_person, of_record = np.split(together, [targets.rows])
    blocks = []
    for people, records in zip(_members(of_person, count), _members(of_record, count), strict=True):
        if not len(people):
            continue
        drawn = people[np.argsort(place_of_person[people])][:MAX_BLOCK]
        kept = records if len(drawn) == len(people) else scenario.own[drawn]
        blocks.append((drawn, kept[np.argsort(place_of_record[kept])]))
    return tuple(exact), blocks


def _drawn_places(columns: Sequence[Column], generator: np.random.Generator) -> Integers:
    """A drawn order of records, which depends on what they are and not on the order of their table."""
    places = np.empty(len(columns[0].codes), dtype=np.int64)
    places[records_in_order(columns)] = generator.permutation(len(places))
    return places


def _members(block_of: Codes, blocks: int) -> list[Integers]:
    order = np.argsort(block_of, kind="stable").astype(np.int64)
    return np.split(order, np.cumsum(np.bincount(block_of, minlength=blocks))[:-1])


def _kinds(table: Table, scenario: AttackScenario, rows: Integers) -> Integers:
    """For each of some records a number: the same for those that are alike in the known columns."""
    columns = [(table[name].codes[rows], table[name].distinct) for name in scenario.known]
    return combination_codes(columns, len(rows))[0].astype(np.int64)


def _distances(scenario: AttackScenario, people: Integers, records: Integers) -> Floats:
    """By person and record the sum of Gower's distances in the known columns."""
    total = np.zeros((len(people), len(records)))
    for name in scenario.known:
        column, labels = scenario.targets[name], scenario.released[name]
        values, value_of = np.unique(column.codes[people].astype(np.int64), return_inverse=True)
        total += scenario.match(name).distance.matrix(values)[value_of][:, labels.codes[records]]
    return total


def _compute(aggregates: Aggregates, parameters: Parameters) -> OneToOneLinkage:
    if not isinstance(aggregates.anonymized, Table):
        raise Unavailable(text("attack.unavailable.records_in_engine"))
    return link_one_to_one(attack_scenario(aggregates, parameters))


ONE_TO_ONE_LINKAGE = Metric(
    id="one_to_one_linkage",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{1}{N} \sum_r [\pi(r) = r],\quad \pi = \arg\min_\pi \sum_r d(r, c_{\pi(r)})",
    reference="J. Herranz, J. Nin, P. Rodríguez, T. Tassa, Revisiting distance-based record linkage for "
    "privacy-preserving release of statistical datasets, Data & Knowledge Engineering 100, 2015, doi "
    "10.1016/j.datak.2015.07.009",
    compute=_compute,
    on_demand=True,
    settings=("attack",),
    working=two_step_measures.ONE_TO_ONE_LINKAGE,
)

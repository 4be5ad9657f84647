"""Linkage of two sources: how often two parts of the known values of a person lead to the same released record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.attacks.knowledge.possible_records import PossibleRecords
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import AttackRate, CriterionAttack, rates_chart
from metrics.attacks.two_source_linkage import working
from metrics.config.parameters import Parameters
from metrics.counting.counts import representatives
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, MetricChart
from metrics.tables.table import Integers, Table
from metrics.texts import text


@dataclass(frozen=True)
class TwoSourceLinkage(CriterionAttack):
    """`value` is how often a possible record by one half of the known columns and one by the other are the same."""

    halves: tuple[tuple[str, ...], tuple[str, ...]]
    """Every other known column, and the remaining ones."""

    def details(self) -> dict[str, Any]:
        """Baseline, control, excess, interval, and the two halves."""
        return {**self.rate.details(), "halves": [list(half) for half in self.halves]}

    @property
    def finding(self) -> str:
        return text("two_source_linkage_attack.finding", value=self.value)

    @property
    def success(self) -> str:
        return text("two_source_linkage_attack.success", value=self.shown)

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The rate."""
        return {text("two_source_linkage_attack.title"): self.rate}


def link_halves(scenario: AttackScenario) -> TwoSourceLinkage:
    """The mean over targets of |C_A ∩ C_B| / (|C_A| |C_B|), C_A and C_B the possible records by each half.

    A half is every other column of those chosen as known, or of all quasi-identifiers, in the order of the roles.
    Raises Unavailable unless two columns are known.
    Source: after M. Giomi et al., "A unified framework for quantifying privacy risk in synthetic data", PoPETs 2023(2),
    doi 10.56553/popets-2023-0055.
    """
    if len(scenario.known) < 2:
        raise Unavailable(text("two_source_linkage_attack.unavailable.one_column"))
    halves = (scenario.known[::2], scenario.known[1::2])
    scenario = scenario.limit_work(scenario.known, *halves)
    linked, people, holdout = _linked(scenario, scenario.targets, halves), scenario.targets.rows, scenario.holdout
    control = None if holdout is None else _linked(scenario, holdout, halves) / holdout.rows
    return TwoSourceLinkage(AttackRate(linked, people, 1 / scenario.released.rows, control, scenario.exact), halves)


def _linked(scenario: AttackScenario, people: Table, halves: tuple[tuple[str, ...], tuple[str, ...]]) -> float:
    """The sum over people of the share of pairs of possible records, one by each half, that are the same record."""
    joint, *sets = [scenario.possible_records(people, names) for names in (scenario.known, *halves)]
    row_of_person, linking = joint.row_of_person, joint.covering_records()
    weights, person = np.bincount(row_of_person), representatives(row_of_person, len(linking))
    product, covered = np.ones(len(linking)), np.ones(len(linking), dtype=bool)
    for half in sets:
        sizes = half.covering_records()[half.row_of_person[person]]
        covered &= sizes > 0
        product *= np.maximum(sizes, 1)
    linked = float((weights * linking / product)[covered].sum())
    if covered.all():
        return linked
    half_combinations = [_combination_of(half, joint) for half in sets]
    for number, values in joint.value_blocks(np.flatnonzero(~covered[row_of_person])):
        is_member = [half.members(values[start::2]) for start, half in enumerate(sets)]
        of_halves = [flags @ half.released.sizes for flags, half in zip(is_member, sets, strict=True)]
        in_both = is_member[0][:, half_combinations[0]] & is_member[1][:, half_combinations[1]]
        linked += float(number @ ((in_both @ joint.released.sizes) / (of_halves[0] * of_halves[1])))
    return linked


def _combination_of(half: PossibleRecords, joint: PossibleRecords) -> Integers:
    """For each combination of all known columns the combination of a half that its records have."""
    half_combinations = np.zeros(joint.released.count, dtype=np.int64)
    half_combinations[joint.released.members] = half.released.members
    return half_combinations


def _compute(aggregates: Aggregates, parameters: Parameters) -> TwoSourceLinkage:
    return link_halves(attack_scenario(aggregates, parameters))


TWO_SOURCE_LINKAGE_ATTACK = Metric(
    id="two_source_linkage_attack",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{1}{N} \sum_r \frac{|C_A(r) \cap C_B(r)|}{|C_A(r)| \, |C_B(r)|}",
    reference="After M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs "
    "2023(2), doi 10.56553/popets-2023-0055",
    compute=_compute,
    settings=("attack",),
    criterion="linkability",
    charts=(MetricChart(rates_chart),),
    working=working.WORKING,
)

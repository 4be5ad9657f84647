"""How the success of attacks grows with the number of columns that the attacker knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from metrics.aggregates import Aggregates
from metrics.attacks.attribute_inference.measure import infer
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import AttackRate
from metrics.attacks.record_linkage.measure import link
from metrics.config.parameters import Parameters
from metrics.counting.record_order import records_in_order

MAX_SUBSETS = 70
"""Largest number of subsets of one size that are tried: all subsets of eight columns."""
_MAX_TARGETS = 2_000


@dataclass(frozen=True)
class KnownSubset:
    """The success rates, 0 to 1, of the strongest attacker who uses some columns.

    One considers all possible records equally likely, one rules out suppressed records, and one also takes only
    the most specific records. None of them knows people's classes.
    """

    columns: tuple[str, ...]
    record: float
    """Record linkage."""
    attributes: Mapping[str, float]
    """Attribute inference, by sensitive attribute."""

    def rate(self, attribute: str) -> float:
        """The rate of inferring an attribute; the empty name means record linkage."""
        return self.attributes[attribute] if attribute else self.record


@dataclass(frozen=True)
class KnowledgeGrowth:
    """Success rates by the number of known columns."""

    by_size: Mapping[int, tuple[KnownSubset, ...]]
    """The subsets tried, by their number of columns."""
    attributes: tuple[str, ...]
    baselines: Mapping[str, float]
    """Success without the table, by attribute; the empty name means record linkage."""
    targets: int
    """People attacked with each subset."""
    exact: bool
    """Whether everybody is attacked."""
    complete: bool
    """Whether every subset of each size is tried; otherwise some are drawn."""

    def best(self, attribute: str) -> dict[int, KnownSubset]:
        """For each number of columns the subset with the highest rate; the first of equals."""
        return {size: max(subsets, key=lambda subset: subset.rate(attribute)) for size, subsets in self.by_size.items()}

    def mean(self, attribute: str) -> dict[int, float]:
        """For each number of columns the mean rate over its subsets."""
        return {
            size: float(np.mean([subset.rate(attribute) for subset in subsets]))
            for size, subsets in self.by_size.items()
        }


def knowledge_growth(
    aggregates: Aggregates, parameters: Parameters, columns: Sequence[str] | None = None
) -> KnowledgeGrowth:
    """Attack with subsets of columns, of every size from one.

    `parameters`: the seed by which subsets and people are drawn, and the tolerance; `attack.known` is not used.
    `columns`: the columns of which subsets are known; None means the quasi-identifiers. Sensitive ones are not
    inferred. Raises Unavailable if the table cannot be attacked.
    At most 70 subsets of each size and 2,000 people are attacked with, drawn by the seed.
    """
    chosen_columns = tuple(aggregates.roles.quasi_identifiers) if columns is None else tuple(columns)
    scenario = attack_scenario(aggregates, parameters.with_settings({"attack.known": chosen_columns}))
    rng = np.random.default_rng(scenario.parameters.seed)
    if scenario.targets.rows > _MAX_TARGETS:
        in_order = records_in_order(scenario.target_columns())
        sample = rng.choice(scenario.targets.rows, _MAX_TARGETS, replace=False)
        scenario = scenario.restrict_to(np.sort(in_order[sample]), exact=False)
    attributes = tuple(name for name in aggregates.roles.sensitive if name not in chosen_columns)
    ruled_out = 0 if scenario.without_suppressed() is None else aggregates.classes.suppressed
    by_size, baselines = {}, {"": 1 / (scenario.released.rows - ruled_out)}
    for size in range(1, len(chosen_columns) + 1):
        subsets = []
        for known_columns in _subsets(chosen_columns, size, rng):
            subset, subset_baselines = _rates_of_strongest_attacker(
                scenario.with_known(known_columns).limit_work(known_columns), attributes
            )
            subsets.append(subset)
            baselines |= subset_baselines
        by_size[size] = tuple(subsets)
    complete = all(len(subsets) == comb(len(chosen_columns), size) for size, subsets in by_size.items())
    return KnowledgeGrowth(by_size, attributes, baselines, scenario.targets.rows, scenario.exact, complete)


def _rates_of_strongest_attacker(
    scenario: AttackScenario, attributes: Sequence[str]
) -> tuple[KnownSubset, dict[str, float]]:
    """Return the rates of the strongest attacker, and the success without the table by attribute."""
    attackers = [attacker for attacker in (scenario, scenario.without_suppressed()) if attacker is not None]
    linkages = [link(attacker) for attacker in attackers]
    records = [*(attack.rate for attack in linkages), linkages[-1].most_specific]
    inferred = [infer(attacker) for attacker in attackers] if attributes else []
    by_name = {
        name: [*(attack.inferred[name].rate for attack in inferred), inferred[-1].most_specific.get(name)]
        for name in attributes
    }
    baselines = {name: max(attack.inferred[name].rate.baseline for attack in inferred) for name in attributes}
    return KnownSubset(
        scenario.known, _highest(records), {name: _highest(rates) for name, rates in by_name.items()}
    ), baselines


def _highest(rates: Iterable[AttackRate | None]) -> float:
    return max(rate.value for rate in rates if rate is not None)


def _subsets(columns: tuple[str, ...], size: int, rng: np.random.Generator) -> list[tuple[str, ...]]:
    """All subsets of a size in the order of the columns, or as many as are allowed, drawn."""
    if comb(len(columns), size) <= MAX_SUBSETS:
        return list(combinations(columns, size))
    subsets: dict[tuple[str, ...], None] = {}
    while len(subsets) < MAX_SUBSETS:
        indices = np.sort(rng.choice(len(columns), size, replace=False)).tolist()
        subsets[tuple(columns[index] for index in indices)] = None
    return list(subsets)

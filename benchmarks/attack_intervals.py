"""How often the intervals of sampled attacks hold the true rate: the sample, where every person can be attacked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.processes import say
from benchmarks.report import Line, Section
from dashboard.environment import ROOT
from metrics import Parameters, read_hierarchies, read_roles, read_table
from metrics.aggregates import TableAggregates
from metrics.attacks.attribute_inference.measure import infer_attributes
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import AttackRate
from metrics.attacks.record_linkage.measure import link_records
from metrics.attacks.two_source_linkage.measure import link_halves

CANDIDATES = ("candidate_light.csv", "candidate_strict.csv")
DRAWN = (200, 2_000)
REPETITIONS = 400
MAX_MISSED = 7.0
"""Percent of the intervals that may miss the true rate: 5 is nominal."""
ATTACKS: dict[str, Callable[[AttackScenario], Any]] = {
    "record linkage": link_records,
    "attribute inference": infer_attributes,
    "linkability": link_halves,
}


def attacked(candidate: str) -> AttackScenario:
    """The attack on all people of the sample with one of its candidates."""
    folder = ROOT / "sample_data"
    tables = [read_table(folder / name) for name in (candidate, "hospital.csv")]
    roles = read_roles(folder / "roles.yaml").roles
    aggregates = TableAggregates(tables[0], roles, tables[1], read_hierarchies(folder / "hierarchies"))
    return attack_scenario(aggregates, Parameters())


def missed(scenario: AttackScenario, attack: Callable[[AttackScenario], Any], drawn: int, repetitions: int) -> float:
    """The share of samples of people whose interval does not hold the rate of the attack on everybody."""
    truth = attack(scenario).value
    n_outside = 0
    for seed in range(repetitions):
        people = np.sort(np.random.default_rng(seed).choice(scenario.targets.rows, drawn, replace=False))
        rate: AttackRate = attack(scenario.restrict_to(people, exact=False)).rate
        low, high = replace(rate, exact=False).interval or (0.0, 1.0)
        n_outside += not low <= truth <= high
    return n_outside / repetitions


def measure() -> list[Section]:
    """The share of intervals that miss, by candidate, attack and number of people drawn."""
    how = (
        f"{REPETITIONS} samples of people for each line, drawn without replacement from the 10,000 of the sample; the "
        "share of 95% intervals (Wilson's) that do not hold the rate of the attack on all of them."
    )
    return [Section("Intervals of sampled attacks", how, list(_lines()))]


def _lines() -> Iterator[Line]:
    for candidate in CANDIDATES:
        scenario = attacked(candidate)
        for name, attack in ATTACKS.items():
            for n_people in DRAWN:
                say(f"{candidate}: {name}, {n_people} people")
                share = missed(scenario, attack, n_people, REPETITIONS)
                yield Line(f"{candidate}: {name}, {n_people:,} people drawn", 100 * share, "%", MAX_MISSED)

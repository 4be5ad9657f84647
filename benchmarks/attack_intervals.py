"""How often intervals hold what they are of: those of sampled attacks, and those of versions that are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.processes import say
from benchmarks.report import Line, Section
from dashboard.environment import ROOT
from metrics import Parameters, read_hierarchies, read_roles, read_table, score
from metrics.aggregates import TableAggregates
from metrics.attacks.attribute_inference.measure import infer_attributes
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import AttackRate
from metrics.attacks.record_linkage.measure import link_records
from metrics.attacks.two_source_linkage.measure import link_halves
from metrics.candidates.compare import uncertainty

CANDIDATES = ("candidate_light.csv", "candidate_strict.csv")
DRAWN = (200, 2_000)
REPETITIONS = 400
MAX_MISSED = 7.0
"""Percent of the intervals that may miss the true rate: 5 is nominal."""
FIGURES = {
    CANDIDATES[0]: ("sample_uniqueness", "t_closeness"),
    CANDIDATES[1]: ("granularity", "discernibility", "variance_preserved", "k_anonymity", "t_closeness"),
}
PEOPLE, TABLES, HALVES = 10_000, 200, 50
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


def missed_by_halves(
    candidate: str, metrics: Sequence[str], people: int, repetitions: int, halves: int
) -> dict[str, float]:
    """The share of tables of other people whose interval of a figure does not hold the mean figure of such tables.

    Where the interval is that of half of the people, the mean figure is that of tables with half as many.
    """
    folder = ROOT / "sample_data"
    anonymized, original = (read_table(folder / name) for name in (candidate, "hospital.csv"))
    roles = replace(read_roles(folder / "roles.yaml").roles, key=())
    figures, intervals = [], []
    for seed in range(repetitions):
        drawn = np.random.default_rng(seed).integers(0, original.rows, people)
        cards = [
            score(anonymized.take(records), roles, original=original.take(records), metrics=metrics)
            for records in (drawn, drawn[: people // 2])
        ]
        found = uncertainty({"version": cards[0]}, metrics, halves, seed)
        figures.append([[float(card[name].value or 0) for name in metrics] for card in cards])
        intervals.append([found.interval("version", name) for name in metrics])
    truths = np.mean(figures, axis=0)
    holds = [
        [one is not None and one.low <= truths[int(one.of_half), at] <= one.high for at, one in enumerate(row)]
        for row in intervals
    ]
    return dict(zip(metrics, 1 - np.mean(holds, axis=0), strict=True))


def measure() -> list[Section]:
    """The share of intervals that miss, by candidate, attack and number of people drawn; then by metric."""
    how = (
        f"{REPETITIONS} samples of people for each line, drawn without replacement from the 10,000 of the sample; the "
        "share of 95% intervals (Wilson's) that do not hold the rate of the attack on all of them."
    )
    how_halves = (
        f"{TABLES} tables of {PEOPLE:,} people drawn with replacement from the sample's, {HALVES} halves of each; the "
        "share of 95% intervals that do not hold the mean figure of these tables or, where they are of half of the "
        "people, of tables with half as many."
    )
    return [
        Section("Intervals of sampled attacks", how, list(_lines())),
        Section("Intervals of versions", how_halves, list(_lines_of_versions())),
    ]


def _lines_of_versions() -> Iterator[Line]:
    for candidate, metrics in FIGURES.items():
        say(f"intervals of {candidate}")
        missing = missed_by_halves(candidate, metrics, PEOPLE, TABLES, HALVES)
        yield from (Line(f"{candidate}: {name}", 100 * share, "%", MAX_MISSED) for name, share in missing.items())


def _lines() -> Iterator[Line]:
    for candidate in CANDIDATES:
        scenario = attacked(candidate)
        for name, attack in ATTACKS.items():
            for n_people in DRAWN:
                say(f"{candidate}: {name}, {n_people} people")
                share = missed(scenario, attack, n_people, REPETITIONS)
                yield Line(f"{candidate}: {name}, {n_people:,} people drawn", 100 * share, "%", MAX_MISSED)

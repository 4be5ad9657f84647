"""Randomized response: how often the intervals of frequencies hold the true shares, and what a million records take."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter

import numpy as np
import pyarrow as pa

from benchmarks.processes import say
from benchmarks.report import Line, Section
from metrics import Hierarchy, Roles, k_rr, make_candidate, read_table
from metrics.tables.randomization import Floats

SHARES = {
    "3 values": np.array([0.5, 0.3, 0.2]),
    "20 values, one absent": np.append(np.arange(19, 0, -1) / 190, 0.0),
}
EPSILONS = (0.5, 1.0, 2.0)
PEOPLE = (1_000, 10_000)
DRAWS = 2_000
MAX_MISSED = 7.0
"""Percent of the intervals that may miss the true share: 5 is nominal."""
ROWS, VALUES = 1_000_000, 20
SECONDS = 1.0
REPETITIONS = 5


def missed(shares: Floats, epsilon: float, people: int, draws: int) -> float:
    """The share of intervals that do not hold the true share, of the value that is missed most."""
    by, chance = k_rr(list(map(str, range(len(shares)))), epsilon), np.random.default_rng(0)
    counts = np.round(shares * people).astype(int)
    probabilities = np.diag(np.full(len(shares), by.kept)) + by.drawn
    misses = np.zeros(len(shares))
    for _ in range(draws):
        published = sum(chance.multinomial(count, row) for count, row in zip(counts, probabilities, strict=True))
        found = by.frequencies(np.asarray(published, dtype=float))
        assert found is not None
        low, high = found.interval
        misses += (counts / people < low) | (counts / people > high)
    return float(misses.max() / draws)


def seconds() -> float:
    """Randomize three columns of a million records that are in memory."""
    chance, leaves = np.random.default_rng(0), [[str(value), "*"] for value in range(VALUES)]
    names = ["first", "second", "third"]
    cells = {name: pa.array(chance.integers(0, VALUES, ROWS).astype(str)) for name in ("age", *names)}
    table, roles = read_table(pa.table(cells), name="people"), Roles(["age"], names)
    trees = {name: Hierarchy(leaves) for name in names}
    start = perf_counter()
    make_candidate(table, "k-rr", roles, trees)
    return perf_counter() - start


def measure() -> list[Section]:
    """Coverage by shares, ε and number of people, and the time."""
    how = (
        f"Frequencies: {DRAWS:,} draws of the same people for each line; the share of 95% intervals that do not hold "
        "the true share, of the value that is missed most. Seconds: reading excluded, median of "
        f"{REPETITIONS}; columns of {VALUES} values."
    )
    return [Section("Randomized response", how, list(_lines()))]


def _lines() -> Iterator[Line]:
    for name, shares in SHARES.items():
        for epsilon in EPSILONS:
            for people in PEOPLE:
                say(f"randomized response: {name}, ε = {epsilon:g}, {people:,} people")
                share = missed(shares, epsilon, people, DRAWS)
                yield Line(
                    f"{name}, ε = {epsilon:g}, {people:,} people: intervals missed", 100 * share, "%", MAX_MISSED
                )
    yield Line("a million records, three columns", median(seconds() for _ in range(REPETITIONS)), "s", SECONDS)

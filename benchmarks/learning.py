"""The learning attack: how often its null rejects guesses that have nothing to do with the truth, and its time."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.explore import adult_folder
from benchmarks.processes import say
from benchmarks.report import Line, Section
from metrics import Parameters, Roles, read_hierarchies, read_table, score
from metrics.attacks.learning.null import PermutationNull
from metrics.tables.table import Floats

DRAWS = 10_000
PEOPLE = (200, 2_000)
LEVEL = 0.05
MAX_DEVIATION = 1.0
"""Percentage points by which the share of rejections may differ from 5%."""
COLUMNS = ("sex", "age", "race", "marital-status", "education", "native-country", "salary-class")
SENSITIVE = ("occupation", "workclass")
SECONDS = {"naive_bayes": 0.3, "boosting": 20.0}
REPETITIONS = 5


def rejected(shares: Floats, people: int, draws: int) -> float:
    """The share of draws in which guesses are called better than permuted ones, drawn without regard to the truth."""
    chance, n_rejected = np.random.default_rng(0), 0
    for _ in range(draws):
        guesses = chance.choice(len(shares), people, p=shares)
        truths = chance.choice(len(shares), people, p=shares)
        null = PermutationNull(np.bincount(truths, minlength=len(shares)).astype(np.float64))
        guessed, weights = np.unique(guesses, return_counts=True)
        null.add(np.eye(len(shares))[guessed], weights.astype(np.float64), (guesses == truths).astype(np.float64))
        p_value = null.guessed().p_value
        n_rejected += p_value is not None and p_value <= LEVEL
    return n_rejected / draws


def seconds(model: str) -> float:
    """Attack both sensitive attributes of adult; reading excluded, nothing counted before."""
    folder = adult_folder()
    original, released = (read_table(folder / name) for name in ("adult.csv", "adult_anonymized.csv"))
    trees, roles = read_hierarchies(folder / "adult_hierarchy_intervals"), Roles(COLUMNS, SENSITIVE)
    parameters = Parameters().with_settings({"learning_attack.model": model})
    start = perf_counter()
    score(released, roles, original=original, hierarchies=trees, parameters=parameters, metrics=["learning_attack"])
    return perf_counter() - start


def measure() -> list[Section]:
    """Rejections by shares of the values and number of people, and the time of both models."""
    how = (
        f"Rejections: {DRAWS:,} draws of guesses and truths that are independent; the share with p ≤ 5%, less 5%. "
        f"Seconds: adult, {len(COLUMNS)} known columns, {len(SENSITIVE)} sensitive attributes; "
        f"naive Bayes: median of {REPETITIONS}."
    )
    return [Section("Learning attack", how, list(_lines()))]


def _lines() -> Iterator[Line]:
    for name, shares in {"2 values": [0.7, 0.3], "20 values": [0.3, 0.2, *[0.5 / 18] * 18]}.items():
        for people in PEOPLE:
            say(f"learning attack: {name}, {people:,} people")
            deviation = abs(rejected(np.array(shares), people, DRAWS) - LEVEL)
            yield Line(f"{name}, {people:,} people: rejections beyond 5%", 100 * deviation, "%", MAX_DEVIATION)
    if adult_folder().is_dir():
        for model, limit in SECONDS.items():
            say(f"learning attack: {model}")
            repetitions = REPETITIONS if model == "naive_bayes" else 1
            yield Line(f"adult, {model}", median(seconds(model) for _ in range(repetitions)), "s", limit)

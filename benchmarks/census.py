"""Census-like tables of 15 and 20 quasi-identifiers from a seed, with hierarchies: what a large search is given.

Values of a column are skewed and depend on two hidden traits of the person, as age, schooling, income and housing do,
so that columns are correlated without being functions of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

import metrics
from metrics.hierarchies.hierarchy import Hierarchy

SEED = 20
RECORDS = 50_000


@dataclass(frozen=True)
class _Column:
    """A quasi-identifier: distinct values of each level below the root, and how it is drawn."""

    name: str
    sizes: tuple[int, ...]
    skew: float
    """Weight of the n-th value: n to the power of minus this."""
    traits: tuple[float, float]
    """How strongly the value follows each hidden trait, -1 to 1."""


_COLUMNS = (
    _Column("age", (74, 15, 8, 4), 0.2, (0.8, 0.0)),
    _Column("sex", (2,), 0.1, (0.0, 0.1)),
    _Column("race", (5, 2), 2.0, (0.0, 0.3)),
    _Column("marital_status", (7, 2), 1.0, (0.7, 0.1)),
    _Column("education", (16, 4), 0.8, (0.2, 0.8)),
    _Column("birthplace", (41, 4), 2.0, (0.0, 0.3)),
    _Column("occupation", (14, 3), 0.4, (0.1, 0.7)),
    _Column("income", (12, 4, 2), 0.3, (0.4, 0.7)),
    _Column("region", (51, 9, 4), 0.6, (0.0, 0.1)),
    _Column("work_class", (7, 3), 1.5, (0.2, 0.4)),
    _Column("household_size", (8, 3), 0.8, (-0.5, -0.1)),
    _Column("tenure", (4, 2), 0.7, (0.5, 0.4)),
    _Column("rooms", (9, 3), 0.5, (0.3, 0.6)),
    _Column("vehicles", (5, 2), 0.6, (0.1, 0.5)),
    _Column("language", (20, 4), 2.2, (0.0, -0.3)),
    _Column("commute_minutes", (60, 12, 4), 0.6, (-0.3, 0.2)),
    _Column("commute_mode", (8, 3), 1.8, (-0.1, 0.2)),
    _Column("industry", (20, 5), 0.5, (0.0, 0.6)),
    _Column("veteran", (2,), 3.0, (0.4, 0.0)),
    _Column("disability", (2,), 2.5, (0.5, -0.3)),
)


@dataclass(frozen=True, eq=False)
class Census:
    """A table with what is needed to search its generalizations."""

    original: metrics.Table
    roles: metrics.Roles
    hierarchies: dict[str, Hierarchy]


def census(columns: int = 20, records: int = RECORDS) -> Census:
    """The first columns of the first records; every one a quasi-identifier, and `health` sensitive."""
    rng = np.random.default_rng(SEED)
    traits = rng.standard_normal((2, records))
    codes_by_column = {}
    for column in _COLUMNS:
        codes_by_column[column.name] = _values(column, traits, rng)
    health = _Column("health", (6,), 1.0, (0.5, -0.3))
    used_columns = _COLUMNS[:columns]
    content = {
        column.name: [_label(0, code) for code in codes_by_column[column.name].tolist()] for column in used_columns
    }
    content["health"] = [_label(0, code) for code in _values(health, traits, rng).tolist()]
    return Census(
        metrics.read_table(pa.table(content), name="census"),
        metrics.Roles(quasi_identifiers=[column.name for column in used_columns], sensitive=["health"]),
        {column.name: _hierarchy(column) for column in used_columns},
    )


def _values(column: _Column, traits: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    weights = np.array(column.traits)
    noise = np.sqrt(max(1 - float(weights @ weights), 0.0))
    score = weights @ traits + noise * rng.standard_normal(traits.shape[1])
    share = np.arange(1, column.sizes[0] + 1, dtype=np.float64) ** -column.skew
    limits = np.cumsum(share / share.sum())[:-1]
    rank = np.empty(len(score))
    rank[np.argsort(score, kind="stable")] = (np.arange(len(score)) + 0.5) / len(score)
    return np.searchsorted(limits, rank)


def _label(level: int, code: int) -> str:
    return f"{'vwxyz'[level]}{code:02}"


def _hierarchy(column: _Column) -> Hierarchy:
    rows = []
    for leaf in range(column.sizes[0]):
        codes = [leaf]
        for size_below, size in pairwise(column.sizes):
            codes.append(codes[-1] * size // size_below)
        rows.append([*(_label(level, code) for level, code in enumerate(codes)), "*"])
    return Hierarchy(rows, name=f"{column.name}.csv")

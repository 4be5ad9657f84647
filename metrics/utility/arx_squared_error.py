"""Squared errors as ARX gives them: on the positions of values in their hierarchies, of text columns too.

ARX 3.9 takes a column whose type is text as the ordinals of its hierarchy's leaves; a label spans the smallest to the
largest ordinal under it on any level. Its three models are taken from its published source
(org.deidentifier.arx.aggregates.quality: QualityModelColumnOrientedSquaredError, QualityModelRowOrientedSquaredError,
QualityModelRowOrientedSSESST).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.counting.counts import Combinations, blocks
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.numerals import Bounds
from metrics.tables.table import SUPPRESSED, Codes, Column, Floats

_MAX_CELLS = 2**20
"""Most pairs of an original and an anonymized value that a table is made of; with more, the records are used."""


@dataclass(frozen=True)
class Normalized:
    """A raw figure with its largest possible one; ARX's score is 1 less their ratio, within 0 to 1."""

    raw: float
    largest: float

    @property
    def score(self) -> float:
        """1 where nothing is lost."""
        return 1.0 if self.largest <= 0 else min(max(1 - self.raw / self.largest, 0.0), 1.0)


@dataclass(frozen=True)
class ArxSquaredError:
    """ARX's attribute-level squared error, SSE/SST and record-level squared error."""

    by_column: Mapping[str, Normalized]
    sse_sst: Normalized
    record_level: Normalized | None
    """None where an engine holds the records: it takes all their cells at once."""

    def details(self) -> dict[str, Any]:
        """Scores and raw figures under the names of ARX."""
        return {
            "attribute_level_squared_error": {name: column.score for name, column in self.by_column.items()},
            "attribute_level_raw": {name: column.raw for name, column in self.by_column.items()},
            "sse_sst": self.sse_sst.score,
            "sse": self.sse_sst.raw,
            "sst": self.sse_sst.largest,
            "record_level_squared_error": None if self.record_level is None else self.record_level.score,
            "record_level_raw": None if self.record_level is None else self.record_level.raw,
        }


@dataclass(frozen=True, eq=False)
class _Ordinals:
    """One column: positions before and after per distinct value, and its pairs of values."""

    pair: Combinations
    before: Bounds
    after: Bounds

    @property
    def deviation(self) -> float:
        """Standard deviation of the original positions."""
        x, counts = self.before.low[self.pair.codes[0]], self.pair.counts
        mean = (x * counts).sum() / counts.sum()
        return float(np.sqrt(((x - mean) ** 2 * counts).sum() / counts.sum()))


def positions(column: Column, hierarchy: Hierarchy) -> Bounds | None:
    """The smallest and largest row of the hierarchy that holds each value; None where it misses a value."""
    rows = len(hierarchy.rows)
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for level in range(hierarchy.height + 1):
        nodes = hierarchy.nodes(level)
        labels = hierarchy.labels(level)
        first, last = np.full(len(labels), rows), np.zeros(len(labels), dtype=np.int64)
        np.minimum.at(first, nodes, np.arange(rows))
        np.maximum.at(last, nodes, np.arange(rows))
        for label, smallest, largest in zip(labels, first.tolist(), last.tolist(), strict=True):
            low[label] = min(low.get(label, rows), smallest)
            high[label] = max(high.get(label, 0), largest)
    low.setdefault(SUPPRESSED, 0)
    high.setdefault(SUPPRESSED, rows - 1)
    texts = [label or "" for label in column.labels]
    if any(label not in low for label in texts):
        return None
    return Bounds(
        np.array([low[label] for label in texts], dtype=np.float64),
        np.array([high[label] for label in texts], dtype=np.float64),
    )


def arx_squared_error(
    pairs: Mapping[str, Combinations], hierarchies: Mapping[str, Hierarchy]
) -> ArxSquaredError | None:
    """ARX's figures; None unless every column has a hierarchy that holds all its values.

    The record-level figure needs every record's values, which the pairs' columns hold unless an engine does.
    """
    columns: list[_Ordinals] = []
    for name, pair in pairs.items():
        hierarchy = hierarchies.get(name)
        if hierarchy is None:
            return None
        before, after = (positions(column, hierarchy) for column in pair.columns)
        if before is None or after is None:
            return None
        columns.append(_Ordinals(pair, before, after))
    sse = sum(_square_sum(ordinals, ordinals.before.middle[ordinals.pair.codes[0]]) for ordinals in columns)
    sst = sum(_square_sum(ordinals, np.full(len(ordinals.pair.counts), _centroid(ordinals))) for ordinals in columns)
    return ArxSquaredError(
        {name: _attribute_level(ordinals) for name, ordinals in zip(pairs, columns, strict=True)},
        Normalized(sse, sst),
        _record_level(columns),
    )


def _record_level(columns: Sequence[_Ordinals]) -> Normalized | None:
    """Mean distance of a record from the farther end of what it became, and from the farther end of all positions."""
    records = len(columns[0].pair.columns[0].codes)
    if not records:
        return None
    distance = farthest = 0.0
    farthest_of = [_farthest(ordinals) for ordinals in columns]
    squares_of = [_squares(ordinals) for ordinals in columns]
    for block in blocks(records):
        codes = [[column.codes[block] for column in ordinals.pair.columns] for ordinals in columns]
        squares = sum(find(*pair) for find, pair in zip(squares_of, codes, strict=True))
        largest = sum(of_value[before] for of_value, (before, _) in zip(farthest_of, codes, strict=True))
        distance += float(np.sqrt(squares).sum())
        farthest += float(np.sqrt(largest).sum())
    scale = len(columns) * records
    return Normalized(distance / scale, farthest / scale)


def _square_sum(ordinals: _Ordinals, other: Floats) -> float:
    return float(((ordinals.after.middle[ordinals.pair.codes[1]] - other) ** 2 * ordinals.pair.counts).sum())


def _centroid(ordinals: _Ordinals) -> float:
    return float(
        (ordinals.before.middle[ordinals.pair.codes[0]] * ordinals.pair.counts).sum() / ordinals.pair.counts.sum()
    )


def _attribute_level(ordinals: _Ordinals) -> Normalized:
    x = ordinals.before.low[ordinals.pair.codes[0]]
    smallest, largest = ordinals.before.low.min(), ordinals.before.high.max()
    farthest = np.maximum((x - smallest) ** 2, (x - largest) ** 2)
    ends = ((x - end[ordinals.pair.codes[1]]) ** 2 for end in (ordinals.after.low, ordinals.after.high))
    error = np.minimum(np.maximum(*ends), farthest)
    return Normalized(float((error * ordinals.pair.counts).sum()), float((farthest * ordinals.pair.counts).sum()))


def _standardized_squares(differences: Floats, deviation: float) -> Floats:
    scaled: Floats = (differences / deviation) ** 2 if deviation else np.zeros_like(differences)
    return scaled


def _squares(ordinals: _Ordinals) -> Callable[[Codes, Codes], Floats]:
    """Finds by record the square of the distance to the farther end of what it became, in standard deviations."""
    x, low, high = ordinals.before.low, ordinals.after.low, ordinals.after.high
    deviation = ordinals.deviation
    if len(x) * len(low) > _MAX_CELLS:
        return lambda before, after: _standardized_squares(_farther(x[before], low[after], high[after]), deviation)
    squares, width = _standardized_squares(_farther(x[:, np.newaxis], low, high), deviation).ravel(), len(low)
    return lambda before, after: squares[before * width + after]


def _farther(x: Floats, low: Floats, high: Floats) -> Floats:
    """The difference between a position and the farther of two ends."""
    return x - np.where(high - x > x - low, high, low)


def _farthest(ordinals: _Ordinals) -> Floats:
    """Per original value, the square of the distance to the farther end of all positions, in standard deviations."""
    low = min(ordinals.before.low.min(), ordinals.after.low.min())
    high = max(ordinals.before.high.max(), ordinals.after.high.max())
    return _standardized_squares(_farther(ordinals.before.low, low, high), ordinals.deviation)

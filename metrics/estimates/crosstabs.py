"""Shares of the cells of two columns, each with Wilson's interval and the test of independence."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np

from metrics.counting.share_interval import NORMAL_95, wilson
from metrics.estimates.estimate import Cell, Value
from metrics.estimates.records import Records
from metrics.tables.table import Floats


def shares(records: Records, weighted: bool) -> Floats:
    """The share of each cell of the first two parts, in weights of the third."""
    weights = records.counts * (records.numbers(2) if weighted else 1.0)
    first, second = records.grouping(0).shares, records.grouping(1).shares
    joint = np.zeros((len(first), len(second)))
    np.add.at(joint, (records.codes[0], records.codes[1]), weights)
    found: Floats = first.T @ joint @ second
    total = found.sum() if records.is_unbiased else weights.sum()
    return found / total if len(weights) and total > 0 else np.zeros_like(found)


def cells(records: Records, weighted: bool, among: Collection[Cell] = ()) -> dict[Cell, Value]:
    """The value of each cell that has records, or is `among` those of the original: a share may become 0.

    None where a single cell has all records.
    """
    found = shares(records, weighted)
    weights = records.numbers(2) if weighted else np.ones(len(records.counts))
    squares = float((records.counts * weights**2).sum())
    size = float((records.counts * weights).sum()) ** 2 / squares if squares else 0.0
    present: Collection[Cell] = among or [(int(row), int(column)) for row, column in np.argwhere(found > 1e-12)]
    if len(present) < 2:
        return {}
    rows, columns = found.sum(axis=1), found.sum(axis=0)
    if records.is_unbiased:
        return dict(_estimated(records, weights, found, present))
    return {
        cell: _value(float(found[cell]), float(rows[cell[0]]), float(columns[cell[1]]), size, records.used)
        for cell in present
    }


def _estimated(
    records: Records, weights: Floats, found: Floats, present: Collection[Cell]
) -> Iterator[tuple[Cell, Value]]:
    """Shares of randomized columns, with the normal interval of a ratio of sums; both may leave 0 to 1."""
    first, second = records.grouping(0).shares, records.grouping(1).shares
    squares = np.zeros((len(first), len(second)))
    np.add.at(squares, records.codes[:2], records.counts * weights**2)
    known_first, known_second = first.sum(axis=1), second.sum(axis=1)  # 1, but less where a cell may be missing
    total = float((records.counts * weights * known_first[records.codes[0]] * known_second[records.codes[1]]).sum())
    for cell in present:
        share, of_row, of_column = float(found[cell]), found[cell[0]].sum(), found[:, cell[1]].sum()
        one, other = first[:, cell[0]], second[:, cell[1]]
        apart = np.outer(one, other) - share * np.outer(known_first, known_second)
        error = float(np.sqrt((squares * apart**2).sum())) / total
        alone = np.outer(one - of_row * known_first, other - of_column * known_second)
        deviation, spread = float(share - of_row * of_column), float(np.sqrt((squares * alone**2).sum())) / total
        low, high = share - NORMAL_95 * error, share + NORMAL_95 * error
        is_significant = abs(deviation) > NORMAL_95 * spread > 0
        yield cell, Value(share, low, high, error, is_significant, int(np.sign(deviation)), share * records.used)


def _value(share: float, of_row: float, of_column: float, size: float, rows: int) -> Value:
    low, high = wilson(share * size, size)
    product = of_row * of_column
    spread = product * max(1 - of_row, 0.0) * max(1 - of_column, 0.0)
    deviation = (share - product) / math.sqrt(spread / size) if spread > 1e-18 else 0.0
    error = math.sqrt(max(share * (1 - share), 0.0) / size)
    return Value(share, low, high, error, abs(deviation) > NORMAL_95, int(np.sign(deviation)), share * rows)

"""Losses as tables: by column, by level, by record, by value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from metrics.utility.ambiguity.measure import Ambiguity
from metrics.utility.cells.changes import CHANGES, Change, PairChanges
from metrics.utility.non_uniform_entropy.measure import ColumnLoss, NonUniformEntropy


def column_loss_table(
    changes: Mapping[str, PairChanges], entropy: NonUniformEntropy | None, ambiguity: Ambiguity | None
) -> pa.Table:
    """One row per column: losses in bits, what became of its cells, its domain; what is unavailable is left out.

    The most costly column comes first, where losses are known.
    """
    losses = {} if entropy is None else entropy.columns
    domains = {} if ambiguity is None else ambiguity.domains
    names = sorted(losses, key=lambda name: -losses[name].loss) or list(changes or domains)
    columns: dict[str, pa.Array] = {"column": pa.array(names, pa.string())}
    if losses:
        columns |= _loss_columns([losses[name] for name in names])
    if changes:
        columns |= _change_columns([changes[name] for name in names])
    if ambiguity is not None:
        columns["domain"] = pa.array([domains[name] for name in names], pa.int64())
        columns["domain from"] = pa.array([ambiguity.rules[name] for name in names], pa.string())
    return pa.table(columns)


def _loss_columns(losses: Sequence[ColumnLoss]) -> dict[str, pa.Array]:
    total = math.fsum(column.loss for column in losses) or 1.0
    return {
        "loss (bits)": _doubles(column.loss for column in losses),
        "share of loss": _doubles(column.loss / total for column in losses),
        "largest (bits)": _doubles(column.largest for column in losses),
        "score": _doubles(column.score for column in losses),
    }


def change_table(changes: Mapping[str, PairChanges]) -> pa.Table:
    """One row per column: records by what became of their cell."""
    return pa.table({"column": pa.array(list(changes), pa.string()), **_change_columns(list(changes.values()))})


def _change_columns(changes: Sequence[PairChanges]) -> dict[str, pa.Array]:
    """Records by change; "replaced" only where some are."""
    totals = [change.totals for change in changes]
    return {
        kind.value: pa.array([total.count(kind) for total in totals], pa.int64())
        for kind in CHANGES
        if kind is not Change.REPLACED or any(total.replaced for total in totals)
    }


def _doubles(numbers: Iterable[float]) -> pa.Array:
    return pa.array(list(numbers), pa.float64())


def level_table(entropy: NonUniformEntropy) -> pa.Table:
    """One row per column and level: the bits that generalizing to it lost, and their share of all that was lost."""
    rows = [
        (name, level, loss, column.loss, column.largest)
        for name, column in entropy.columns.items()
        for level, loss in sorted(column.by_level.items())
    ]
    total = math.fsum(loss for _, _, loss, _, _ in rows)
    names, levels, losses, of_column, largest = zip(*rows, strict=True) if rows else ((),) * 5
    return pa.table(
        {
            "column": pa.array(names, pa.string()),
            "level": pa.array(levels, pa.int64()),
            "loss (bits)": _doubles(losses),
            "share of loss": _doubles(loss / (total or 1) for loss in losses),
            "loss of the column (bits)": _doubles(of_column),
            "largest loss of the column (bits)": _doubles(largest),
        }
    )


def combination_table(ambiguity: Ambiguity) -> pa.Table:
    """Records by how many combinations they represent, ascending; the number is null where a double holds none."""
    # Products of the same factors in another order differ in the last digits of their logarithms.
    rounded = np.round(ambiguity.log10_combinations, 9)
    _, first, position = np.unique(rounded, return_index=True, return_inverse=True)
    logs = ambiguity.log10_combinations[first]
    records = np.bincount(position, weights=ambiguity.records, minlength=len(logs)).astype(np.int64)
    representable = logs < 300
    combinations = np.where(representable, np.rint(10.0 ** np.where(representable, logs, 0.0)), 0.0)
    return pa.table(
        {
            "combinations": pa.array(combinations, pa.float64(), mask=~representable),
            "log10 of combinations": pa.array(logs),
            "records": pa.array(records),
        }
    )


def flow_table(changes: PairChanges) -> pa.Table:
    """Tabulate every original value of a column, its new value, how it changed and its records; the largest first."""
    pair = changes.pair
    order = np.argsort(-pair.counts, kind="stable")
    before, after = (
        pa.DictionaryArray.from_arrays(pa.array(codes[order]), column.values)
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    kinds = pa.DictionaryArray.from_arrays(pa.array(changes.change[order]), pa.array([kind.value for kind in CHANGES]))
    return pa.table({"original": before, "anonymized": after, "change": kinds, "records": pa.array(pair.counts[order])})

"""Figures of every class with pandas: by group-bys, and by the loop of the P_29 notebook."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.class_measures import Classes
from benchmarks.processes import Figures
from benchmarks.tables import QUASI_IDENTIFIERS, SENSITIVE


def grouped(frame: pd.DataFrame) -> Classes:
    """Figures of every class by group-bys; the columns are categories."""
    class_number = frame.groupby(list(QUASI_IDENTIFIERS), observed=True, sort=False).ngroup()
    size = class_number.groupby(class_number).size()
    figures = {"size": size.to_numpy()}
    for name in SENSITIVE:
        cells = frame.groupby([class_number, name], observed=True).size().rename_axis(["number", "value"])
        share = cells / cells.index.get_level_values("number").map(size)
        overall = frame[name].value_counts(normalize=True)
        expected = cells.index.get_level_values("value").map(overall).astype(float)
        by_class = pd.DataFrame(
            {"distinct": 1, "entropy": -share * np.log2(share), "shared": np.minimum(share, expected)}
        ).groupby(level="number")
        sums = by_class.sum()
        figures[f"{name}.distinct"] = sums["distinct"].to_numpy()
        figures[f"{name}.normalized_entropy"] = (sums["entropy"] / np.log2(sums["distinct"].clip(lower=2))).to_numpy()
        figures[f"{name}.t"] = (1 - sums["shared"]).to_numpy()
    return figures


def looped(frame: pd.DataFrame) -> Classes:
    """Figures of every class in two Python loops: one for size and entropy, one for the distance."""
    classes = frame.groupby(list(QUASI_IDENTIFIERS))
    rows: list[Figures] = []
    for _, members in classes:
        row: Figures = {"size": len(members)}
        for name in SENSITIVE:
            row[f"{name}.distinct"] = members[name].nunique()
            row[f"{name}.normalized_entropy"] = normalized_entropy(members[name])
        rows.append(row)
    overall = {name: frame[name].value_counts(normalize=True) for name in SENSITIVE}
    for row, (_, members) in zip(rows, classes, strict=True):
        for name in SENSITIVE:
            share = members[name].value_counts(normalize=True).reindex(overall[name].index, fill_value=0)
            row[f"{name}.t"] = 0.5 * (share - overall[name]).abs().sum()
    table = pd.DataFrame(rows)
    return {str(column): table[column].to_numpy() for column in table}


def normalized_entropy(values: pd.Series) -> float:
    """Entropy of a column divided by the maximum for its number of distinct values, summed value by value."""
    total = 0.0
    for share in values.value_counts(normalize=True):
        total -= share * np.log2(share)
    distinct = values.nunique()
    return total / np.log2(distinct) if distinct > 1 else 0.0

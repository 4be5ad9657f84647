"""A comparison of versions as a table: one row per metric, one column per version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

from metrics.candidates.compare.comparison import VersionComparison

_DESCRIPTION = ("metric", "title", "family", "unit", "direction", "best")


def comparison_table(comparison: VersionComparison) -> pa.Table:
    """One row per metric: its description, the best versions, and a column of values per version.

    "yes" is written as 1. A version whose label equals another column's name gets a number.
    """
    specs = comparison.metrics
    texts: Mapping[str, list[str]] = {
        "metric": [spec.id for spec in specs],
        "title": [spec.title for spec in specs],
        "family": [str(spec.family) for spec in specs],
        "unit": [spec.unit for spec in specs],
        "direction": [str(spec.direction) for spec in specs],
        "best": ["; ".join(comparison.best(spec.id)) for spec in specs],
    }
    columns = [pa.array(texts[name], pa.string()) for name in _DESCRIPTION]
    for label in comparison.labels:
        values = [comparison.value(label, spec.id) for spec in specs]
        columns.append(pa.array([None if value is None else float(value) for value in values], pa.float64()))
    return pa.Table.from_arrays(columns, names=[*_DESCRIPTION, *distinct_names(comparison.labels, _DESCRIPTION)])


def distinct_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names in their order; a name already taken or used earlier gets a number: "a", "a (2)"."""
    used_names, labels = set(taken), []
    for name in names:
        label, number = name, 2
        while label in used_names:
            label, number = f"{name} ({number})", number + 1
        used_names.add(label)
        labels.append(label)
    return labels

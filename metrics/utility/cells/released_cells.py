"""The cells of quasi-identifiers, counted by value, column by column."""

from __future__ import annotations

from typing import Final

from metrics.aggregates import Aggregates
from metrics.counting.classes import Distribution
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.tables.table import SUPPRESSED
from metrics.texts import text

MAX_PERTURBED: Final = 0.01
"""Share of a column's released values that may be perturbed where a measure counts what generalization lost."""


def cells_in_classes(aggregates: Aggregates) -> dict[str, Distribution]:
    """For each quasi-identifier, the records of classes that hold each value; suppressed records are in none."""
    return {name: aggregates.distribution(name) for name in aggregates.roles.quasi_identifiers}


def wholly_lost(aggregates: Aggregates) -> int:
    """Records of which no quasi-identifier is left: suppressed and deleted ones. Raises Unavailable without records."""
    if not aggregates.anonymized.rows:
        raise Unavailable(text("unavailable.no_records"))
    return aggregates.class_sizes.suppressed + (aggregates.comparison.removed or 0)


def released_values(pair: Combinations) -> int:
    """Records whose value of the anonymized column is not suppressed."""
    released = pair.codes[1] != pair.columns[1].code_of.get(SUPPRESSED, -1)
    return int(pair.counts[released].sum())

"""The cells of quasi-identifiers, counted by value, column by column."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from metrics.aggregates import Aggregates
from metrics.counting.classes import Distribution
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.formatting import join_names, percent
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
    return aggregates.class_sizes.suppressed + aggregates.comparison.deleted


def released_values(pair: Combinations) -> int:
    """Records whose value of the anonymized column is not suppressed."""
    released = pair.codes[1] != pair.columns[1].code_of.get(SUPPRESSED, -1)
    return int(pair.counts[released].sum())


def perturbed_columns(shares: Mapping[str, float]) -> str:
    """Name the perturbed columns, each with its share of released values."""
    columns = [text("perturbed.column", column=name, share=share) for name, share in shares.items()]
    return text("perturbed.columns", columns=join_names(columns))


def misread_columns(shares: Mapping[str, float]) -> str:
    """Name the columns with labels that are read as those of a lower level, each with its share of released values."""
    columns = [text("perturbed.column", column=name, share=share) for name, share in shares.items()]
    return text("misread.columns", columns=join_names(columns))


def with_caveat(finding: str, shares: Mapping[str, float], others: str | None = None) -> str:
    """The finding, and which columns are perturbed, so that their changed values count as unchanged.

    `others` replaces a finding that would not hold for perturbed columns.
    """
    return f"{others or finding} {caveat(shares)}" if shares else finding


def kept_share(share: float, perturbed: Collection[str]) -> str:
    """A share of what is kept, at most as high if columns are perturbed."""
    return text("loss.at_most", share=share) if perturbed else percent(share)


def lost_share(share: float, perturbed: Collection[str]) -> str:
    """A share of what is lost, at least as high if columns are perturbed."""
    return text("loss.at_least", share=share) if perturbed else percent(share)


def caveat(shares: Mapping[str, float]) -> str:
    """Say in a sentence which columns are perturbed, so that their changed values count as unchanged."""
    return text("perturbed.caveat", reason=perturbed_columns(shares))

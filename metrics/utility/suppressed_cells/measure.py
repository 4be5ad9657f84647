"""Missing and suppressed cells: the share of cells without a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import Distribution
from metrics.counting.counts import Combinations
from metrics.metric import Basis, Direction, Family, Metric, Result
from metrics.tables.table import SUPPRESSED, Column, Integers
from metrics.texts import text
from metrics.utility.cells.changes import CHANGES, Change, changes_of
from metrics.utility.cells.released_cells import cells_in_classes, wholly_lost
from metrics.utility.suppressed_cells import working


@dataclass(frozen=True)
class SuppressedCells(Result):
    """`value` is the share of the quasi-identifiers' cells that are missing or suppressed."""

    suppressed: Mapping[str, int]
    """Per quasi-identifier, cells that are `*`, those of suppressed and deleted records included."""
    missing: Mapping[str, int]
    """Per quasi-identifier, missing and blank cells."""
    records: int
    """All records, deleted ones included."""
    emptied: Mapping[str, int] | None
    """Per quasi-identifier, cells of both kinds that held a value in the original; None without one."""
    lost: int
    """Records suppressed or deleted."""

    @property
    def value(self) -> float:
        """The share over all quasi-identifiers."""
        return (sum(self.suppressed.values()) + sum(self.missing.values())) / (self.records * len(self.suppressed))

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The share of each column alone."""
        return {name: (self.suppressed[name] + self.missing[name]) / self.records for name in self.suppressed}

    def details(self) -> dict[str, Any]:
        """The counts behind the shares."""
        return {
            "cells": self.records * len(self.suppressed),
            "suppressed": sum(self.suppressed.values()),
            "missing": sum(self.missing.values()),
            "suppressed_by_column": dict(self.suppressed),
            "missing_by_column": dict(self.missing),
            "emptied_by_column": None if self.emptied is None else dict(self.emptied),
            "wholly_lost_records": self.lost,
        }

    def summary(self) -> str:
        if not self.value:
            return text("suppressed_cells.none")
        suppressed, missing = sum(self.suppressed.values()), sum(self.missing.values())
        counts = {
            text("suppressed_cells.suppressed", cells=suppressed): suppressed,
            text("suppressed_cells.missing", cells=missing): missing,
            text("suppressed_cells.lost", lost=self.lost): self.lost,
        }
        return text(
            "suppressed_cells.some",
            value=self.value,
            counts="; ".join(phrase for phrase, number in counts.items() if number),
        )


def suppressed_cells(
    cells: Mapping[str, Distribution], lost: int = 0, pairs: Mapping[str, Combinations] | None = None
) -> SuppressedCells:
    """Compute the share of the quasi-identifiers' cells that are `*`, missing or blank: 0 to 1, lower is better.

    The cells that are suppressed and missing, by column. `cells`: by quasi-identifier, at least one, how often each
    value occurs in classes. `lost`: suppressed records, which are in no class and are suppressed in every column. There
    is at least one record.
    """
    suppressed, missing, records = {}, {}, lost
    for name, distribution in cells.items():
        star = distribution.column.code_of.get(SUPPRESSED)
        suppressed[name] = lost + (0 if star is None else int(distribution.totals[star]))
        missing[name] = int(distribution.totals[_blank(distribution.column)].sum())
        records = distribution.kept + lost
    emptied = None if pairs is None else {name: _count_emptied_cells(pair) for name, pair in pairs.items()}
    return SuppressedCells(suppressed, missing, records, emptied, lost)


def _blank(column: Column) -> Integers:
    """Find the codes of missing and blank values."""
    return np.array([code for value in (None, "") if (code := column.code_of.get(value)) is not None], dtype=np.int64)


def _count_emptied_cells(pair: Combinations) -> int:
    """Cells that held a value and are now suppressed, missing or blank."""
    change = changes_of(pair, None)
    original, anonymized = pair.columns
    had_value = ~np.isin(pair.codes[0], _blank(original))
    if SUPPRESSED in original.code_of:
        had_value &= pair.codes[0] != original.code_of[SUPPRESSED]
    empty = np.isin(pair.codes[1], _blank(anonymized)) | (change == CHANGES.index(Change.SUPPRESSED))
    return int(pair.counts[had_value & empty].sum())


def _compute(aggregates: Aggregates, parameters: Parameters) -> SuppressedCells:
    lost = wholly_lost(aggregates)
    names = aggregates.roles.quasi_identifiers
    pairs = (
        {name: aggregates.comparison.pair(name) for name in names} if aggregates.comparison.unmatched is None else None
    )
    return suppressed_cells(cells_in_classes(aggregates), lost, pairs)


SUPPRESSED_CELLS = Metric(
    id="suppressed_cells",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{\sum_q \#\{r : q(r) \text{ suppressed or missing}\}}{Q N}",
    reference="F. Prasser et al., Flexible data anonymization using ARX, Software: Practice and Experience 50(7), "
    "2020, doi 10.1002/spe.2812",
    compute=_compute,
    loss_basis=Basis.COMPARED_AS_WRITTEN,
    working=working.WORKING,
)

"""How many classes and records lie farther from the table than a limit, for every limit at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from metrics.privacy.t_closeness.measure import TCloseness
from metrics.tables.table import Floats, Integers


class Exceeding(NamedTuple):
    """Classes and records that lie farther from the table than a limit."""

    classes: int
    records: int


@dataclass(frozen=True, eq=False)
class ClosenessCurve:
    """Classes and records beyond the limit t as step functions of t: each value holds from its limit up to the next."""

    farthest: Floats
    """Per class: its largest distance over the attributes, 0 to 1."""
    limits: Floats
    """0 and every distance that occurs, ascending: only here the numbers change."""
    classes: Integers
    """Classes farther than each limit."""
    records: Integers
    """Records in these classes."""
    kept: int
    """Records in all classes."""

    @cached_property
    def order(self) -> Integers:
        """All classes, farthest first, equally far ones in canonical order."""
        return np.argsort(-self.farthest, kind="stable")

    def exceeding(self, limit: float) -> Exceeding:
        """Classes and records farther than a limit of 0 or more."""
        index = int(np.searchsorted(self.limits, limit, side="right")) - 1
        return Exceeding(int(self.classes[index]), int(self.records[index]))

    def beyond(self, limit: float) -> Integers:
        """The classes farther than a limit, farthest first."""
        return self.order[: self.exceeding(limit).classes]

    def at(self, limit: float, result: TCloseness) -> TCloseness:
        """The result that the curve was made of, under another limit."""
        beyond = self.exceeding(limit).classes
        return replace(result, limit=limit, totals=replace(result.totals, failing_anywhere=beyond))

    def to_arrow(self) -> pa.Table:
        """One row per limit where a number changes: `t`, `classes_beyond`, `records_beyond`."""
        return pa.table({"t": self.limits, "classes_beyond": self.classes, "records_beyond": self.records})


def closeness_curve(result: TCloseness, sizes: Integers) -> ClosenessCurve:
    """The curve of a result with at least one class and attribute; `sizes` holds the records of each class."""
    farthest: Floats = np.max(list(result.per_class.values()), axis=0)
    order = np.argsort(farthest, kind="stable")
    ascending = farthest[order]
    limits = np.unique(np.concatenate([[0.0], ascending]))
    classes_within = np.searchsorted(ascending, limits, side="right")
    records_within = np.concatenate([[0], np.cumsum(sizes[order])])[classes_within]
    records = int(sizes.sum())
    return ClosenessCurve(
        farthest=farthest,
        limits=limits,
        classes=len(farthest) - classes_within,
        records=records - records_within,
        kept=records,
    )

"""Limits on lattice nodes: which nodes meet them, and if none does, which limit binds and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.candidates.limits.enforced import Limits, limits_of
from metrics.candidates.limits.measures import NodeMeasures, is_missing
from metrics.errors import InputError
from metrics.metric import Limit
from metrics.tables.table import Flags, Floats
from metrics.texts import text


def feasible(limits: Limits, figures: NodeMeasures, records: int) -> Flags:
    """For each node whether every limit is met. Raises InputError if a limited figure is not computed."""
    flags = np.ones(len(figures["k"]), dtype=bool)
    for limit in limits_of(limits, records):
        flags &= share_missed(limit, figures, records) <= 0
    return flags


def share_missed(limit: Limit, figures: NodeMeasures, records: int) -> Floats:
    """For each node how far it is from the limit, as a share of it: 0 if met, infinite without a figure.

    Raises InputError if the figure needs sensitive attributes that were not evaluated.
    """
    name = limit.measure.node
    if name not in figures:
        raise InputError(
            f"the limit {limit.measure.name} needs sensitive attributes, which were not evaluated",
            remedy="tag a column sensitive, and evaluate sensitive attributes",
        )
    unit = records if name == "suppressed_rows" else limit.bound or 1.0
    return np.where(is_missing(name, figures[name]), np.inf, limit.excess(figures[name]) / unit)


@dataclass(frozen=True)
class NearestNode:
    """The node that comes nearest to limits that no node meets, and those it misses."""

    index: int
    missed: tuple[tuple[Limit, float | None], ...]
    """Each with the node's figure, None if it has none. A single one binds: the node meets every other limit."""
    has_classes: bool
    """Whether it keeps any class."""

    def gaps(self) -> tuple[str, ...]:
        """Each limit, and the figure that misses it."""
        return tuple(
            limit.measure.gap(figure, limit.bound)
            if figure is not None
            else text("limits.no_value", title=limit.title)
            if self.has_classes
            else text("repair.no_class_left")
            for limit, figure in self.missed
        )

    def summary(self) -> str:
        """One sentence, about the first limit."""
        if not self.has_classes and self.missed[0][1] is None:
            return text("limits.no_class")
        gap = self.gaps()[0]
        return text("limits.nearest", gap=gap) if len(self.missed) == 1 else text("limits.nearest_of_all", gap=gap)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One entry per limit, ready for JSON."""
        return [
            {
                "name": limit.measure.name,
                "required": limit.bound,
                "value": figure,
                "index": self.index,
                "alone": len(self.missed) == 1,
            }
            for limit, figure in self.missed
        ]


def nearest(limits: Limits, figures: NodeMeasures, records: int) -> NearestNode | None:
    """The node that comes nearest to the limits; None if some node meets them.

    If dropping one limit alone would let a node pass, that limit binds: of several the one that is missed by the
    smallest share. Otherwise the node with the smallest sum of shares missed, and every limit it misses.
    """
    every = limits_of(limits, records)
    if not every or not len(figures["k"]):
        return None
    shares = np.array([share_missed(limit, figures, records) for limit in every])
    missed = (shares > 0).sum(axis=0)
    if not missed.all():
        return None
    only_one = np.flatnonzero(missed == 1)
    total = np.minimum(shares, 1e9).sum(axis=0)
    index = int(only_one[total[only_one].argmin()]) if len(only_one) else int(total.argmin())
    found = []
    for limit, share in zip(every, shares[:, index], strict=True):
        if share > 0:
            values = figures[limit.measure.node]
            found.append((limit, None if is_missing(limit.measure.node, values)[index] else float(values[index])))
    return NearestNode(index, tuple(found), bool(figures["smallest_class"][index] > 0))

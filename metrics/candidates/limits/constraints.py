"""Limits on candidates: which nodes meet them, and if none does, which limit binds and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics.candidates.limits.measures import NODE_MEASURES, SENSITIVE_MEASURES, NodeMeasures, is_missing
from metrics.errors import InputError
from metrics.metric import Direction
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, NO_ATTACK, SUPPRESSION
from metrics.tables.table import Flags, Floats
from metrics.texts import text

ABOVE_ZERO = math.ulp(0.0)
"""The smallest number above 0: as a limit on P_29, it requires the minimum requirements only."""


@dataclass(frozen=True)
class LimitKind:
    """What belongs to one limit alone."""

    title: str
    """Its name in a sentence."""
    measure: str
    """What a policy limits by it, by id."""
    gap: Callable[[float, float], str]
    """How a value misses the limit, from both."""
    node_measure: str = ""
    """What it limits of a node; by default what is named as the measure."""


LIMITS: Final[Mapping[str, LimitKind]] = {
    "k": LimitKind(
        "k", "k_anonymity", lambda figure, limit: text("limits.k", found=figure, limit=limit), "smallest_class"
    ),
    "l": LimitKind("l", "distinct_l_diversity", lambda figure, limit: text("limits.l", found=figure, limit=limit)),
    "entropy_l": LimitKind(
        "entropy l", "entropy_l_diversity", lambda figure, limit: text("limits.entropy_l", found=figure, limit=limit)
    ),
    "normalized_l": LimitKind(
        "normalized entropy l",
        "normalized_entropy_l_diversity",
        lambda figure, limit: text("limits.normalized_l", found=figure, limit=limit),
    ),
    "t": LimitKind("t", "t_closeness", lambda figure, limit: text("limits.t", found=figure, limit=limit)),
    "p29": LimitKind(
        "P_29",
        "p29",
        lambda figure, limit: (
            text("limits.p29_above_zero", found=figure)
            if limit == ABOVE_ZERO
            else text("limits.p29", found=figure, limit=limit)
        ),
    ),
    "no_attack": LimitKind("profitable attacks", NO_ATTACK, lambda figure, limit: text("limits.no_attack")),
    "profitable": LimitKind("profitability", "profitability", lambda figure, limit: text("limits.profitable")),
    "record_linkage": LimitKind(
        "record linkage",
        "record_linkage_attack",
        lambda figure, limit: text("limits.record_linkage", found=figure, limit=limit),
        "max_record_linkage",
    ),
    "max_suppression": LimitKind(
        "suppression",
        SUPPRESSION,
        lambda figure, limit: text("limits.max_suppression", found=int(figure), limit=int(limit)),
        "suppressed_rows",
    ),
}
"""Every limit by its name among the constraints."""


@dataclass(frozen=True)
class Constraints:
    """Limits on the figures of a node, after suppression; None means no limit.

    Parameters
    ----------
    k : int, optional
        Records of the smallest class, at least.
    max_suppression : float, optional
        Share of the records that may be suppressed, 0 to 1.
    l : int, optional
        Distinct values of every sensitive attribute in a class, at least.
    t : float, optional
        Distance of a class, 0 to 1, at most.
    p29 : float, optional
        P_29, 0 to 1, at least; ABOVE_ZERO for any above 0.
    no_attack : bool
        Whether attacking must pay for nobody.
    profitable : bool
        Whether publishing must pay for every record.
    entropy_l : float, optional
        Entropy l-diversity of a class by every sensitive attribute, at least.
    normalized_l : float, optional
        Normalized entropy of a class by every sensitive attribute, 0 to 1, at least.
    record_linkage : float, optional
        Share of the records, 0 to 1, that an attacker finds who knows every quasi-identifier, at most.

    Raises
    ------
    InputError
        If a limit is out of range.
    """

    k: int | None = None
    max_suppression: float | None = None
    l: int | None = None  # noqa: E741 - the constraint's own letter
    t: float | None = None
    p29: float | None = None
    no_attack: bool = False
    profitable: bool = False
    entropy_l: float | None = None
    normalized_l: float | None = None
    record_linkage: float | None = None

    def __post_init__(self) -> None:
        for name in self.names:
            highest = LIMITABLE_MEASURES[LIMITS[name].measure].maximum
            if not 0 <= getattr(self, name) <= (math.inf if highest is None else highest):
                upper = "on" if highest is None else f"to {highest}"
                raise InputError(f"the limit {name} is out of range", remedy=f"choose a number from 0 {upper}")

    @property
    def names(self) -> tuple[str, ...]:
        """The limits that are set, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return tuple(name for name, value in values.items() if value is not None and value is not False)

    @property
    def _of_sensitive(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if LIMITS[name].measure in SENSITIVE_MEASURES)

    @property
    def needs_sensitive(self) -> bool:
        """Whether a limit is set on a figure that only a sensitive attribute gives."""
        return bool(self._of_sensitive)

    def without_sensitive(self) -> Constraints:
        """The limits that a table without a sensitive attribute can be judged by."""
        unset: dict[str, Any] = dict.fromkeys(self._of_sensitive)
        return replace(self, **unset)

    def max_suppressed(self, records: int) -> int:
        """Records that may be suppressed, rounded down, exact in the decimal share given."""
        return records if self.max_suppression is None else int(Fraction(repr(float(self.max_suppression))) * records)

    def limits(self, records: int) -> tuple[Limit, ...]:
        """The limits that are set."""
        return tuple(
            Limit(name, float(getattr(self, name)))
            if name != "max_suppression"
            else Limit(name, float(self.max_suppressed(records)), records)
            for name in self.names
        )

    def feasible(self, figures: NodeMeasures, records: int) -> Flags:
        """For each node whether every limit is met. Raises InputError if a limited figure is not computed."""
        feasible = np.ones(len(figures["k"]), dtype=bool)
        for limit in self.limits(records):
            feasible &= limit.excess(figures) <= 0
        return feasible


@dataclass(frozen=True)
class Limit:
    """One limit on one measure."""

    name: str
    required: float
    scale: float = 0
    """The unit of an excess; 0 for the limit itself."""

    @property
    def measure(self) -> str:
        """What a policy limits by it, by id."""
        return LIMITS[self.name].measure

    @property
    def node_measure(self) -> str:
        """What it limits of a node."""
        return LIMITS[self.name].node_measure or self.measure

    def excess(self, figures: NodeMeasures) -> Floats:
        """For each node how far it is from the limit, as a share of it: 0 if met, infinite without a figure.

        Raises InputError if the figure needs sensitive attributes that were not evaluated.
        """
        if self.node_measure not in figures:
            raise InputError(
                f"the limit {self.name} needs sensitive attributes, which were not evaluated",
                remedy="tag a column sensitive, and evaluate sensitive attributes",
            )
        values: npt.NDArray[Any] = figures[self.node_measure]
        lower = NODE_MEASURES[self.node_measure].direction is Direction.LOWER
        gap = values - self.required if lower else self.required - values.astype(np.float64)
        relative = np.maximum(gap, 0.0) / (self.scale or self.required or 1.0)
        return np.where(is_missing(self.node_measure, values), np.inf, relative)


@dataclass(frozen=True)
class Shortfall:
    """A limit that no node meets together with the others, and the nearest node."""

    name: str
    required: float
    value: float | None
    """The figure at that node; None if it has none."""
    index: int
    """The node."""
    alone: bool
    """Whether that node meets every other limit, so that this limit binds."""

    def summary(self) -> str:
        """One sentence."""
        if self.value is None:
            return text("limits.no_class")
        return text("limits.nearest", gap=self.gap()) if self.alone else text("limits.nearest_of_all", gap=self.gap())

    def gap(self) -> str:
        """The limit, and the value that fails it."""
        return text("repair.no_class_left") if self.value is None else LIMITS[self.name].gap(self.value, self.required)


def nearest(constraints: Constraints, figures: NodeMeasures, records: int) -> tuple[Shortfall, ...]:
    """The limits that keep every node from being feasible, at the node that comes nearest; none if some node is.

    If dropping one limit alone would let a node pass, that limit binds: of several the one that is missed by the
    smallest share. Otherwise the node with the smallest sum of shares missed, and every limit it misses.
    """
    limits = constraints.limits(records)
    excess = {limit.name: limit.excess(figures) for limit in limits}
    if not limits or not len(figures["k"]):
        return ()
    table = np.array(list(excess.values()))
    missed = (table > 0).sum(axis=0)
    if not missed.all():
        return ()
    only_one = np.flatnonzero(missed == 1)
    total = np.minimum(table, 1e9).sum(axis=0)
    index = int(only_one[total[only_one].argmin()]) if len(only_one) else int(total.argmin())
    shortfalls = []
    for limit in limits:
        if excess[limit.name][index] > 0:
            values = figures[limit.node_measure]
            value = None if is_missing(limit.node_measure, values)[index] else float(values[index])
            shortfalls.append(Shortfall(limit.name, limit.required, value, index, len(only_one) > 0))
    return tuple(shortfalls)

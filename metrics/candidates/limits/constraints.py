"""Limits on candidates: which nodes meet them, and if none does, which limit binds and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.candidates.limits.figures import FIGURES, Figures, has_none
from metrics.errors import InputError
from metrics.metric import Direction
from metrics.tables.table import Flags, Floats
from metrics.wording import format_number, percent, pluralize

ABOVE_ZERO = math.ulp(0.0)
"""The smallest number above 0: as a limit on P_29, it requires the minimum requirements only."""


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
        for name, value, highest in (
            ("k", self.k, math.inf),
            ("max_suppression", self.max_suppression, 1),
            ("l", self.l, math.inf),
            ("t", self.t, 1),
            ("p29", self.p29, 1),
            ("entropy_l", self.entropy_l, math.inf),
            ("normalized_l", self.normalized_l, 1),
            ("record_linkage", self.record_linkage, 1),
        ):
            if value is not None and not 0 <= value <= highest:
                upper = "on" if highest == math.inf else f"to {highest}"
                raise InputError(f"the limit {name} is out of range", remedy=f"choose a number from 0 {upper}")

    @property
    def needs_sensitive(self) -> bool:
        """Whether a limit is set on a figure that only a sensitive attribute gives."""
        return any(limit is not None for limit in (self.l, self.t, self.p29, self.entropy_l, self.normalized_l))

    def without_sensitive(self) -> Constraints:
        """The limits that a table without a sensitive attribute can be judged by."""
        return replace(self, l=None, t=None, p29=None, entropy_l=None, normalized_l=None)

    def max_suppressed(self, records: int) -> int:
        """Records that may be suppressed, rounded down, exact in the decimal share given."""
        return records if self.max_suppression is None else int(Fraction(repr(float(self.max_suppression))) * records)

    def limits(self, records: int) -> tuple[Limit, ...]:
        """The limits that are set."""
        found = [
            Limit("k", "smallest_class", self.k),
            Limit("max_suppression", "suppressed_rows", self.max_suppressed(records), records),
            Limit("l", "distinct_l_diversity", self.l),
            Limit("t", "t_closeness", self.t),
            Limit("p29", "p29", self.p29),
            Limit("no_attack", "no_attack", 1 if self.no_attack else None),
            Limit("profitable", "profitability", 1 if self.profitable else None),
            Limit("entropy_l", "entropy_l_diversity", self.entropy_l),
            Limit("normalized_l", "normalized_entropy_l_diversity", self.normalized_l),
            Limit("record_linkage", "max_record_linkage", self.record_linkage),
        ]
        unset = {"max_suppression"} if self.max_suppression is None else set()
        return tuple(limit for limit in found if limit.required is not None and limit.name not in unset)

    def feasible(self, figures: Figures, records: int) -> Flags:
        """For each node whether every limit is met. Raises InputError if a limited figure is not computed."""
        feasible = np.ones(len(figures["k"]), dtype=bool)
        for limit in self.limits(records):
            feasible &= limit.excess(figures) <= 0
        return feasible


@dataclass(frozen=True)
class Limit:
    """One limit on one figure."""

    name: str
    figure: str
    required: float | None
    scale: float = 0
    """The unit of an excess; 0 for the limit itself."""

    def excess(self, figures: Figures) -> Floats:
        """For each node how far it is from the limit, as a share of it: 0 if met, infinite without a figure."""
        if self.figure not in figures:
            raise InputError(
                f"the limit {self.name} needs sensitive attributes, which were not evaluated",
                remedy="tag a column sensitive, and evaluate sensitive attributes",
            )
        values: npt.NDArray[Any] = figures[self.figure]
        required = float(self.required or 0)
        lower = FIGURES[self.figure].direction is Direction.LOWER
        gap = values - required if lower else required - values.astype(np.float64)
        relative = np.maximum(gap, 0.0) / (self.scale or required or 1.0)
        return np.where(has_none(self.figure, values), np.inf, relative)


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
        others = "meets all other limits, but" if self.alone else "fails several limits:"
        return f"No generalization meets the limits; the nearest one {others} {self.gap()}."

    def gap(self) -> str:
        """The limit, and the value that fails it."""
        return "no class is left" if self.value is None else _SENTENCES[self.name](self.value, self.required)


def _at_least(what: str) -> Callable[[float, float], str]:
    return lambda found, required: f"{what} is {format_number(found)} but must be at least {format_number(required)}"


_SENTENCES: dict[str, Callable[[float, float], str]] = {
    "k": _at_least("the smallest class"),
    "max_suppression": lambda found, required: (
        f"{pluralize(int(found), 'record')} {'is' if found == 1 else 'are'} suppressed (limit {int(required):,})"
    ),
    "l": _at_least("the smallest number of sensitive values in a class"),
    "t": lambda found, required: f"t is {format_number(found)} but must be at most {format_number(required)}",
    "p29": lambda found, required: (
        f"P_29 is {format_number(found)} but must be "
        f"{'more' if required == ABOVE_ZERO else f'at least {format_number(required)}'}"
    ),
    "no_attack": lambda found, required: "attacks are profitable for some records",
    "profitable": lambda found, required: "publishing is not profitable for some records",
    "entropy_l": _at_least("the smallest entropy l of a class"),
    "normalized_l": _at_least("the smallest normalized entropy of a class"),
    "record_linkage": lambda found, required: (
        f"record linkage finds {percent(found)} of the records but must find at most {percent(required)}"
    ),
}


def nearest(constraints: Constraints, figures: Figures, records: int) -> tuple[Shortfall, ...]:
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
            values = figures[limit.figure]
            found = None if has_none(limit.figure, values)[index] else float(values[index])
            shortfalls.append(Shortfall(limit.name, float(limit.required or 0), found, index, len(only_one) > 0))
    return tuple(shortfalls)

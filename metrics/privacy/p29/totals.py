"""Totals of classes for P_29: few numbers, however many classes, that can be merged over partitions of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from metrics.tables.table import Floats


@dataclass(frozen=True)
class EntropyTotals:
    """Totals of l of an attribute over classes."""

    classes: int
    sum: float
    smallest: Annotated[float, min]

    @classmethod
    def of(cls, values: Floats) -> EntropyTotals:
        """The totals of the l of some classes."""
        return cls(len(values), math.fsum(values), float(values.min()))

    @property
    def mean(self) -> float:
        """Mean over classes."""
        return self.sum / self.classes


@dataclass(frozen=True)
class DistanceTotals:
    """Totals of t of an attribute over classes."""

    classes: int
    smallest: float
    largest: float
    above: float
    """Sum of the distances' excess over the smallest one: exact also where all are nearly equal."""

    @classmethod
    def of(cls, values: Floats) -> DistanceTotals:
        """The totals of the t of some classes."""
        smallest = float(values.min())
        return cls(len(values), smallest, float(values.max()), math.fsum(values - smallest))

    @property
    def mean_normalized(self) -> float:
        """Mean over classes of t scaled to 0..1 between its smallest and largest; 0 if all are equal."""
        spread = self.largest - self.smallest
        return self.above / spread / self.classes if spread else 0.0

    def merged(self, other: DistanceTotals) -> DistanceTotals:
        """Merge the totals of two disjoint sets of classes."""
        smallest = min(self.smallest, other.smallest)
        sums = (totals.above + totals.classes * (totals.smallest - smallest) for totals in (self, other))
        return DistanceTotals(self.classes + other.classes, smallest, max(self.largest, other.largest), math.fsum(sums))


@dataclass(frozen=True)
class P29Totals:
    """Totals of the classes, as far as the score and its details need them; mappings by attribute, or by condition."""

    k_min: Annotated[int, min]
    entropy: Mapping[str, EntropyTotals]
    distance: Mapping[str, DistanceTotals]
    violating_classes: int = 0
    violating_records: int = 0
    violating_by_condition: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys("klt", 0))
    """Classes that violate each condition: "k", "l" and "t"."""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return next(iter(self.entropy.values())).classes

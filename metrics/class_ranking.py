"""Which classes are worst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics.privacy.p29 import P29
from metrics.privacy.t_closeness import TCloseness
from metrics.table import Floats, Integers


@dataclass(frozen=True, eq=False)
class Ranking:
    """What makes a class worse than another; arrays hold one entry per class."""

    violating: npt.NDArray[np.bool_]
    """Whether it shuts a gate of P_29."""
    sizes: Integers
    farthest: Floats
    """Its largest distance t from the table; 0 where there is none."""

    @cached_property
    def order(self) -> Integers:
        """The worst first: those that violate, of these the smallest, of equally small ones the farthest."""
        return np.lexsort((-self.farthest, self.sizes, ~self.violating))

    def take(self, chosen: Integers) -> Ranking:
        """Of some of the classes."""
        return Ranking(self.violating[chosen], self.sizes[chosen], self.farthest[chosen])

    def followed_by(self, other: Ranking) -> Ranking:
        """Of these classes and others."""
        return Ranking(
            np.concatenate([self.violating, other.violating]),
            np.concatenate([self.sizes, other.sizes]),
            np.concatenate([self.farthest, other.farthest]),
        )


def ranking(sizes: Integers, found: Mapping[str, object]) -> Ranking:
    """Rank classes of these sizes by what P_29 and t-closeness found of them, if they did: by the metric's id."""
    joint, closeness = found.get("p29"), found.get("t_closeness")
    distances: Mapping[str, Floats] = {}
    if isinstance(closeness, TCloseness):
        distances = closeness.per_class
    elif isinstance(joint, P29):
        distances = joint.components.distance
    farthest = np.max([np.zeros(len(sizes)), *distances.values()], axis=0)
    return Ranking(joint.violating if isinstance(joint, P29) else np.zeros(len(sizes), dtype=bool), sizes, farthest)

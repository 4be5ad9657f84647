"""Which equivalence classes are suppressed: those that fail the privacy criteria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.config.parameters import ProfitabilityParameters, TClosenessParameters
from metrics.counting.classes import Histogram
from metrics.economics.profitability import attack_free_size
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.privacy.classes.ground_distances import choose_distance, class_distances
from metrics.tables.table import Flags, Floats, Integers


@dataclass(frozen=True)
class SuppressionRule:
    """Criteria for a class to be kept; all records of other classes are suppressed, as ARX does.

    Parameters
    ----------
    k : int
        Records of the class, at least.
    l : int, optional
        Distinct values of every sensitive attribute, at least; None for any number.
    t : float, optional
        Distance of every sensitive attribute's values from those of all records (suppressed ones included), 0 to 1, at
        most; None for any distance.

    Raises
    ------
    InputError
        If a criterion is out of range.
    """

    k: int = 5
    l: int | None = None  # noqa: E741 - the criterion's own letter
    t: float | None = None

    def __post_init__(self) -> None:
        for name, holds, remedy in (
            ("k", self.k >= 1, "1 or more"),
            ("l", self.l is None or self.l >= 1, "1 or more"),
            ("t", self.t is None or 0 <= self.t <= 1, "a number from 0 to 1"),
        ):
            if not holds:
                raise InputError(f"{name} is out of range", remedy=f"choose {remedy}")

    @staticmethod
    def without_attacks(parameters: ProfitabilityParameters) -> SuppressionRule:
        """Require classes so large that no attack pays: floor(gain/cost) + 1. Raises InputError if attacks are free."""
        size = attack_free_size(parameters)
        if size is None:
            raise InputError(
                "attacks cost nothing, so no class size makes them unprofitable",
                remedy="set profitability.adversary_cost above 0",
            )
        return SuppressionRule(k=size)

    @property
    def needs_sensitive(self) -> bool:
        """Whether sensitive attributes decide, too."""
        return self.l is not None or self.t is not None

    def keeps(
        self,
        sizes: Integers,
        histograms: Mapping[str, Histogram],
        hierarchies: Hierarchies,
        parameters: TClosenessParameters,
    ) -> Flags:
        """Decide for each class whether it is kept.

        Parameters
        ----------
        sizes
            Records per class.
        histograms
            Values per class, by sensitive attribute; may be empty if the rule has neither l nor t.
        hierarchies
            Generalization hierarchies, by column.
        parameters
            Ground distances of the sensitive attributes.

        Returns
        -------
        Flags
            True for each class that is kept.

        Raises
        ------
        InputError
            If the rule has a t, and an attribute has no distance.
        """
        kept: Flags = sizes >= self.k
        if self.l is not None:
            for histogram in histograms.values():
                kept &= histogram.distinct >= self.l
        if self.t is not None:
            for name, histogram in histograms.items():
                try:
                    distances = distances_of(name, histogram.of_classes(kept), hierarchies, parameters)
                except Unavailable as reason:
                    raise InputError(
                        f"t cannot be used to suppress classes: {reason}",
                        remedy="choose another ground distance for the column, or remove the limit t",
                        column=name,
                    ) from None
                kept[np.flatnonzero(kept)] = distances <= self.t
        return kept


def distances_of(name: str, histogram: Histogram, hierarchies: Hierarchies, parameters: TClosenessParameters) -> Floats:
    """Distance of each class from all classes together, by the attribute's ground distance. Raises Unavailable."""
    hierarchy = hierarchies.get(name)
    distance = choose_distance(histogram, hierarchy, parameters.distance.get(name))
    return class_distances(histogram, distance, hierarchy)

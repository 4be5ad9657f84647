"""Which equivalence classes are suppressed: those that fail k, l or t."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.candidates.limits.enforced import ENFORCED, L, Limits, T, smallest_class
from metrics.config.parameters import Parameters
from metrics.counting.classes import Histogram
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.privacy.t_closeness import class_t
from metrics.tables.table import Flags, Integers


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

    @property
    def needs_sensitive(self) -> bool:
        """Whether sensitive attributes decide, too."""
        return self.l is not None or self.t is not None

    def keeps(
        self,
        sizes: Integers,
        histograms: Mapping[str, Histogram],
        hierarchies: Hierarchies,
        parameters: Parameters,
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
            They hold the ground distances of the sensitive attributes.

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
                    distances = class_t(histogram.of_classes(kept), hierarchies, parameters)
                except Unavailable as reason:
                    raise InputError(
                        f"t cannot be used to suppress classes: {reason}",
                        remedy="choose another ground distance for the column, or remove the limit t",
                        column=name,
                    ) from None
                kept[np.flatnonzero(kept)] = distances <= self.t
        return kept


def suppression_rule(limits: Limits, parameters: Parameters) -> SuppressionRule:
    """The rule of a search: suppress the classes that fail k, l or t, or in which attacking pays.

    Suppression changes the distribution in the whole table, so a table made by this rule can still exceed t.

    Raises InputError if no class size prevents attacks.
    """
    by_size = {name: bound for name, bound in limits.items() if ENFORCED[name].sizes_decide}
    l, t = limits.get(L), limits.get(T)  # noqa: E741 - the criterion's own letter
    return SuppressionRule(smallest_class(by_size, parameters), None if l is None else int(l), t)

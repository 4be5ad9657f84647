"""Which equivalence classes are suppressed: those that fail k, l or t. All of their records are, as ARX does."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metrics.candidates.limits.enforced import ENFORCED, K, L, Limits, T, required_size
from metrics.config.parameters import Parameters
from metrics.counting.histograms import Histogram
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.privacy.t_closeness.measure import class_t
from metrics.tables.table import Flags, Integers


def suppression_rule(limits: Limits, parameters: Parameters) -> Limits:
    """The limits by which a search suppresses classes: those on k, l and t, and the size at which no attack pays.

    Suppression changes the distribution in the whole table, so a table made by this rule can still exceed t.

    Raises InputError if no class size prevents attacks.
    """
    by_size = {name: bound for name, bound in limits.items() if ENFORCED[name].sizes_decide}
    return {K: required_size(by_size, parameters), **{name: limits[name] for name in (L, T) if name in limits}}


def kept_classes(
    rule: Limits, sizes: Integers, histograms: Mapping[str, Histogram], hierarchies: Hierarchies, parameters: Parameters
) -> Flags:
    """Decide for each class whether it is kept.

    True for each class that is kept. `rule`: limits on k, l and t; distances are from all records, suppressed ones
    included. `histograms`: values per class, by sensitive attribute; may be empty if the rule has neither l nor t.
    Raises InputError if the rule has a t, and an attribute has no distance.
    """
    kept: Flags = sizes >= rule.get(K, 1)
    for histogram in histograms.values() if L in rule else ():
        kept &= histogram.distinct >= rule[L]
    for name, histogram in histograms.items() if T in rule else ():
        try:
            distances = class_t(histogram.of_classes(kept), hierarchies, parameters)
        except Unavailable as reason:
            raise InputError(
                f"t cannot be used to suppress classes: {reason}",
                remedy="choose another ground distance for the column, or remove the limit t",
                column=name,
            ) from None
        kept[np.flatnonzero(kept)] = distances <= rule[T]
    return kept

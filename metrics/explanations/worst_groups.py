"""The equivalence classes that expose people most: who they are and what they reveal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.privacy.alpha_k_anonymity import NEARLY_CERTAIN, largest_share
from metrics.scoring.class_filter import ClassFilter, limits_failed
from metrics.scoring.class_ranking import ranking
from metrics.scoring.scorecard import Scorecard


@dataclass(frozen=True)
class WorstClass:
    """One equivalence class."""

    index: int
    """Its position among the classes of the card's class table."""
    labels: Mapping[str, str | None]
    """The value of each quasi-identifier."""
    size: int
    """Records in it."""
    revealed: Mapping[str, str | None]
    """The sensitive attributes of which at least 90% of its records hold one value, with that value."""
    shares: Mapping[str, float]
    """The share of the records that hold that value, 1 where all do."""


def worst_groups(card: Scorecard, count: int = 5, limits: ClassFilter | None = None) -> tuple[WorstClass, ...]:
    """The worst classes, as the class table ranks them: violating first, of these the smallest.

    Where no class reveals an exact value, the first are those with the largest share of one, of these the largest.

    Parameters
    ----------
    card : Scorecard
        The scores of one candidate.
    count : int
        How many classes to return at most.
    limits : ClassFilter, optional
        Classes that fail its limits on k, l or t come before all others.
    """
    table, aggregates = card.classes, card.listed or card.aggregates
    found = {score.metric.id: score.result for score in card if score.result is not None}
    sizes, shares = table.classes.sizes, {}
    for name in table.distinct:
        shares[name] = aggregates.histogram(name).figures(largest_share)
    order = ranking(sizes, found).order
    if shares and not any((distinct == 1).any() for distinct in table.distinct.values()):
        order = np.lexsort((-sizes, -np.max(list(shares.values()), axis=0)))
    if limits is not None:
        order = order[np.argsort(limits_failed(table, limits)[order] == 0, kind="stable")]
    groups = []
    for index in order[:count].tolist():
        revealed, held = {}, {}
        for name, of in shares.items():
            if of[index] >= NEARLY_CERTAIN:
                histogram = aggregates.histogram(name)
                revealed[name] = histogram.column.labels[int(histogram.of_class(index).argmax())]
                held[name] = float(of[index])
        groups.append(WorstClass(index, table.classes.labels(index), int(sizes[index]), revealed, held))
    return tuple(groups)

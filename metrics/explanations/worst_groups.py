"""The equivalence classes that expose people most: who they are and what they reveal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.scoring.class_ranking import ranking
from metrics.scoring.scorecard import Scorecard


@dataclass(frozen=True)
class Group:
    """One equivalence class."""

    index: int
    """Its position among the classes of the card's class table."""
    labels: Mapping[str, str | None]
    """The value of each quasi-identifier."""
    size: int
    """Records in it."""
    revealed: Mapping[str, str | None]
    """The sensitive attributes of which it holds a single value, with that value."""


def worst_groups(card: Scorecard, count: int = 5) -> tuple[Group, ...]:
    """The worst classes, as the class table ranks them: violating first, of these the smallest.

    Parameters
    ----------
    card : Scorecard
        The scores of one candidate.
    count : int
        How many classes to return at most.
    """
    table, aggregates = card.classes, card.listed or card.aggregates
    found = {score.metric.id: score.result for score in card if score.result is not None}
    groups = []
    for index in ranking(table.classes.sizes, found).order[:count].tolist():
        revealed = {}
        for name, distinct in table.distinct.items():
            if distinct[index] == 1:
                histogram = aggregates.histogram(name)
                revealed[name] = histogram.column.labels[int(histogram.of_class(index).argmax())]
        groups.append(Group(index, table.classes.labels(index), int(table.classes.sizes[index]), revealed))
    return tuple(groups)

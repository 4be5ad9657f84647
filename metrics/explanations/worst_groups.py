"""The equivalence classes that expose people most: who they are and what they reveal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.privacy.alpha_k_anonymity.measure import NEARLY_CERTAIN
from metrics.scoring.class_filter import worst_first
from metrics.scoring.scorecard import Scorecard


@dataclass(frozen=True)
class WorstClass:
    """One equivalence class."""

    index: int
    """Position among the classes of the card's class table."""
    labels: Mapping[str, str | None]
    """The value of each quasi-identifier."""
    size: int
    """Records in it."""
    revealed: Mapping[str, tuple[str | None, float]]
    """By sensitive attribute its most frequent value, with that value's share: every attribute in which the share is at
    least 90%, else the one in which it is largest."""


def worst_groups(card: Scorecard, limits: Mapping[str, float], count: int = 5) -> tuple[WorstClass, ...]:
    """The worst classes, in the order of the table of classes.

    Those that fail most limits come first, of these the ones with the largest share of one value: see `worst_first`.
    """
    table = card.classes
    order = worst_first(table, np.arange(len(table)), limits)
    return tuple(_worst(card, index) for index in order[:count].tolist())


def _worst(card: Scorecard, index: int) -> WorstClass:
    table, aggregates = card.classes, card.listed or card.aggregates
    size = int(table.classes.sizes[index])
    modes: dict[str, tuple[str | None, float]] = {}
    for name in table.distinct:
        histogram = aggregates.histogram(name)
        counts = histogram.of_class(index)
        code = int(counts.argmax())
        modes[name] = histogram.column.labels[code], float(counts[code]) / size
    certain = {name: value for name, value in modes.items() if value[1] >= NEARLY_CERTAIN}
    largest = sorted(modes, key=lambda name: -modes[name][1])[:1]
    revealed = certain or {name: modes[name] for name in largest}
    return WorstClass(index, table.classes.labels(index), size, revealed)

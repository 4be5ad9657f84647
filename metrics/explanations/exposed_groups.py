"""The people whom a table exposes, by how it exposes them: how many, and what is most typical of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from metrics.aggregates.agreement import is_sampled, shown_by_sample, tells
from metrics.counting.classes import EquivalenceClasses
from metrics.privacy.alpha_k_anonymity.measure import SHARE_OF_VALUE
from metrics.scoring.class_filter import limits_failed, worst_first
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED, Floats, Integers
from metrics.texts import text

_TYPICAL = 2
"""Values that describe a group."""


@dataclass(frozen=True)
class TypicalValue:
    """A value that is more frequent in a group than among all records in classes."""

    column: str
    label: str | None
    share: float
    """Of the group's records, 0 to 1."""
    overall: float
    """Of all records in classes."""


@dataclass(frozen=True)
class ExposedGroup:
    """Records of classes that expose people in the same way."""

    finding: str
    worst: int
    """The class among them that exposes people most, as its position in the card's class table."""
    typical: tuple[TypicalValue, ...]
    """At most one value of each quasi-identifier, those that are most over-represented first."""


def exposed_groups(card: Scorecard, limits: Mapping[str, float]) -> tuple[ExposedGroup, ...]:
    """The records that are alone in their class, those whose sensitive value is certain, and those that fail a limit.

    Each record is in the first group that it belongs to. If there are none, the smallest class is the only group.
    """
    table = card.classes
    every = table.measures.get(SHARE_OF_VALUE, {})
    shares = {name: share for name, share in every.items() if tells(card.aggregates, name)}
    return tuple(
        ExposedGroup(finding, int(worst_first(table, index, limits)[0]), _typical(table.classes, index))
        for finding, index in _groups(card, shares, limits)
    )


def _groups(
    card: Scorecard, shares: Mapping[str, Floats], limits: Mapping[str, float]
) -> Iterator[tuple[str, Integers]]:
    """What exposes people, and the classes in which it does."""
    table, sizes = card.classes, card.classes.classes.sizes
    single = sizes == 1
    alone = np.flatnonzero(single)
    is_certain = np.logical_or.reduce([np.zeros(len(table), dtype=bool), *(share == 1 for share in shares.values())])
    revealed = np.flatnonzero(is_certain & ~single)
    failing = np.flatnonzero((limits_failed(table, limits) > 0) & ~single & ~is_certain)
    if len(alone):
        yield text("exposed.alone", people=len(alone)), alone
    if len(revealed):
        names = [name for name, share in shares.items() if (share[revealed] == 1).any()]
        people = int(sizes[revealed].sum())
        if is_sampled(card.aggregates):
            yield shown_by_sample(card.aggregates, people, len(revealed), names), revealed
        else:
            yield text("exposed.revealed", people=people, names=names), revealed
    if len(failing):
        yield text("exposed.failing", people=int(sizes[failing].sum())), failing
    if not len(alone) + len(revealed) + len(failing):
        smallest = int(sizes.argmin())
        yield text("exposed.nobody", people=int(sizes[smallest])), np.array([smallest])


def _typical(classes: EquivalenceClasses, index: Integers) -> tuple[TypicalValue, ...]:
    """The values whose share in some classes exceeds most that in all."""
    weights, total = classes.sizes[index], classes.sizes.sum()
    found = []
    for column, codes in zip(classes.columns, classes.codes, strict=True):
        overall = np.bincount(codes, classes.sizes, column.distinct) / total
        shares = np.bincount(codes[index], weights, column.distinct) / weights.sum()
        excess = np.where([label == SUPPRESSED for label in column.labels], 0, shares - overall)
        most = int(excess.argmax())
        if excess[most] > 0:
            found.append(TypicalValue(column.name, column.labels[most], float(shares[most]), float(overall[most])))
    return tuple(sorted(found, key=lambda value: value.overall - value.share)[:_TYPICAL])

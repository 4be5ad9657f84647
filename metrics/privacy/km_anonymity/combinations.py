"""Combinations of the items that people have: how many people share each, up to a number of items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import scipy  # its parts are imported when first used

from metrics.interruption import checkpoint, report
from metrics.tables.table import Flags, Integers

_LISTED: Final = 1_000


@dataclass(eq=False)
class Rarest:
    """Combinations of up to some items: the fewest people who share one, and who has one that few share."""

    limit: int
    """Fewer people than this are few."""
    fewest: int
    below: Flags
    """By person, whether few share some combination that the person has."""
    unique: Flags
    """By person, whether nobody shares some combination that the person has."""
    items: list[tuple[int, ...]] = field(default_factory=list)
    """Combinations that few share: those that fewest do, and of these those of the fewest items; at most 1,000."""
    supports: list[int] = field(default_factory=list)
    """How many people share each."""

    def add(self, held: Any, rows: Integers, prefix: tuple[int, ...], first: int, pairs: bool) -> None:
        """Add the items that some people (`rows`) hold, one by one or in pairs, each with the items of `prefix`.

        `held` are people by items, from the item numbered `first` on.
        """
        if pairs:
            counts = scipy.sparse.triu(held.T @ held, 1).tocoo()
        else:
            each = np.arange(held.shape[1])
            counts = scipy.sparse.coo_array((held.sum(axis=0), (each, each)))
        found = counts.data > 0
        if not found.any():
            return
        places, data = [each[found] for each in counts.coords], counts.data[found]
        self.fewest = min(self.fewest, int(data.min()))
        for flags, limit in ((self.below, self.limit), (self.unique, 2)):
            few = data < limit
            shape = (held.shape[1],) * 2
            rare = scipy.sparse.csr_array((np.ones(few.sum(), dtype=np.int64), [each[few] for each in places]), shape)
            flags[rows[np.asarray((held @ rare).multiply(held).sum(axis=1)).ravel() > 0]] = True
        few = np.flatnonzero(data < self.limit)
        few = few[np.argsort(data[few], kind="stable")][:_LISTED]
        numbers = [each[few] + first for each in (places if pairs else places[:1])]
        self.items += [(*prefix, *one) for one in zip(*(each.tolist() for each in numbers), strict=True)]
        self.supports += data[few].tolist()
        if len(self.items) > 10 * _LISTED:
            self.shorten()

    def shorten(self) -> None:
        """Keep those combinations that fewest people share."""
        order = sorted(range(len(self.items)), key=lambda at: (self.supports[at], len(self.items[at]), self.items[at]))
        self.items = [self.items[at] for at in order[:_LISTED]]
        self.supports = [self.supports[at] for at in order[:_LISTED]]


def rarest_combinations(person: Integers, item: Integers, m: int, limit: int) -> list[Rarest]:
    """For each number of items up to m, the combinations of at most so many; `person` has `item`, each pair once."""
    people, items = int(person.max()) + 1, int(item.max()) + 1
    held = scipy.sparse.csr_array((np.ones(len(person), dtype=np.int64), (person, item)), shape=(people, items))
    everybody, found = np.arange(people), Rarest(limit, people, np.zeros(people, bool), np.zeros(people, bool))
    by_size = []
    for size in range(1, m + 1):
        if size < 3:
            found.add(held, everybody, (), 0, pairs=size == 2)
        else:
            of_item = held.tocsc()
            for first in range(items):
                of_first = slice(*of_item.indptr[first : first + 2])
                rows: Integers = of_item.indices[of_first].astype(np.int64)
                found.add(held[rows][:, first + 1 :], rows, (first,), first + 1, pairs=True)
                report((first + 1) / items)
        checkpoint()
        found.shorten()
        by_size.append(
            Rarest(limit, found.fewest, found.below.copy(), found.unique.copy(), [*found.items], [*found.supports])
        )
    return by_size

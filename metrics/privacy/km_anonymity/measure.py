"""k^m-anonymity: how many people share any m of the items that somebody has, where people have several records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import released_shares
from metrics.aggregates.record_groups import require_group
from metrics.config.parameters import KmParameters, Parameters
from metrics.counting.partitions import require_few_combinations
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, Result
from metrics.privacy.km_anonymity.combinations import Rarest, rarest_combinations
from metrics.tables.table import Codes, Column
from metrics.texts import text

MAX_M: Final = 3
_MAX_WORK: Final = 2e8
"""Combinations of single people that are counted at most, about a minute."""
_QUICK: Final = 2e6
"""Up to so many, larger combinations than asked for are counted, too."""


@dataclass(frozen=True, eq=False)
class KmAnonymity(Result):
    """`value` is the fewest people who share any m items that some person has."""

    item: str
    m: int
    curve: tuple[Rarest, ...]
    """For each number of items, from 1 on, the combinations of at most so many."""
    labels: tuple[str, ...]
    """The items, as combinations number them."""
    people: int
    without_items: int
    """People none of whose records has an item."""
    without_person: int
    """Records of nobody."""
    overlapping: bool
    """Whether an item can stand under two labels, so that the figure is no guarantee."""

    @property
    def of_m(self) -> Rarest:
        """The combinations of up to m items."""
        return self.curve[self.m - 1]

    @property
    def value(self) -> int:
        """The fewest people who share a combination."""
        return self.of_m.fewest

    @property
    def rarest(self) -> list[tuple[tuple[str, ...], int]]:
        """The combinations that fewer people share than the limit, and how many do; the rarest first. Confidential."""
        named = [tuple(self.labels[item] for item in items) for items in self.of_m.items]
        return list(zip(named, self.of_m.supports, strict=True))

    def details(self) -> dict[str, Any]:
        """People with rare combinations, the curve over m, and who is left out."""
        rows = [
            {"value": one.fewest, "people_below": int(one.below.sum()), "unique_people": int(one.unique.sum())}
            for one in self.curve
        ]
        return {
            "m": self.m,
            "k": self.of_m.limit,
            "people": self.people,
            "items": len(self.labels),
            **{name: number for name, number in rows[self.m - 1].items() if name != "value"},
            "curve": [{"m": m} | row for m, row in enumerate(rows, 1)],
            "people_without_items": self.without_items,
            "records_without_person": self.without_person,
            "overlapping": self.overlapping,
        }

    def summary(self) -> str:
        """The finding."""
        found = self.of_m
        sentences = [
            text("km_anonymity.finding", m=self.m, value=found.fewest, people=self.people, item=self.item),
            text("km_anonymity.below", below=int(found.below.sum()), k=found.limit, unique=int(found.unique.sum())),
        ]
        if self.without_person:
            sentences.append(text("km_anonymity.nobody", records=self.without_person))
        if self.overlapping:
            sentences.append(text("km_anonymity.overlapping", item=self.item))
        return " ".join(sentences)


def km_anonymity(person: Column, item: Column, codes: Sequence[Codes], m: int, limit: int) -> KmAnonymity:
    r"""The fewest people who share any combination of up to m items that occurs: 1 upwards, higher is better.

    Each of the pairs of codes of a person and an item occurs. Raises Unavailable without an item of a person.
    Source: M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving anonymization of set-valued data", VLDB 2008,
    doi 10.14778/1453856.1453874.
    """
    has_both = person.shown[codes[0]] & item.shown[codes[1]]
    if not has_both.any():
        raise Unavailable(text("km_anonymity.unavailable.no_item_of_a_person", item=item.name))
    everybody = np.unique(codes[0][person.shown[codes[0]]])
    people, who = np.unique(codes[0][has_both], return_inverse=True)
    items, what = np.unique(codes[1][has_both], return_inverse=True)
    sizes = np.bincount(who).astype(np.float64)
    if (sizes**m).sum() > _MAX_WORK:
        raise Unavailable(text("km_anonymity.unavailable.too_many", m=m))
    largest = max([m, *(size for size in range(m, MAX_M + 1) if (sizes**size).sum() <= _QUICK)])
    curve = rarest_combinations(who, what, largest, limit)
    labels = tuple(str(item.labels[code]) for code in items)
    return KmAnonymity(item.name, m, tuple(curve), labels, len(people), len(everybody) - len(people), 0, False)


def _compute(aggregates: Aggregates, parameters: Parameters) -> KmAnonymity:
    settings: KmParameters = parameters.km_anonymity
    table, item = aggregates.anonymized, aggregates.roles.item
    if not table.rows:
        raise Unavailable(text("unavailable.no_records"))
    if item is None:
        raise Unavailable(text("km_anonymity.unavailable.no_item"))
    name = require_group(aggregates, "person")
    require_few_combinations(table, (name, item), aggregates.max_classes)
    counted = aggregates.relation.count((name, item))
    person, items = counted.columns
    found = km_anonymity(person, items, counted.codes, settings.m, settings.k)
    nobody = int(counted.counts[~person.shown[counted.codes[0]]].sum())
    return replace(found, without_person=nobody, overlapping=_overlapping(aggregates, item, found.labels))


def _overlapping(aggregates: Aggregates, item: str, labels: tuple[str, ...]) -> bool:
    """Whether some value of the domain is covered by two of the labels."""
    try:
        shares = released_shares(aggregates, item)
    except Unavailable:  # nothing tells what labels cover
        return False
    occurring = np.array([shares.column.code_of[label] for label in labels])
    everything = bool(shares.unknown[occurring].any()) and len(labels) > 1
    covered = np.bincount(shares.value[np.isin(shares.label, occurring)])
    return everything or bool((covered > 1).any())


KM_ANONYMITY = Metric(
    id="km_anonymity",
    family=Family.PRIVACY,
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"\min_{1 \le |I| \le m} \{|\{p : I \subseteq T_p\}| : \exists p\; I \subseteq T_p\}",
    reference="M. Terrovitis, N. Mamoulis, P. Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008, "
    "doi 10.14778/1453856.1453874",
    compute=_compute,
    settings=("km_anonymity",),
    needs_role="item",
)

"""The groups of people whom the protection burdens notably more than all others."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple

from metrics.errors import Unavailable
from metrics.formatting import short_percent, visible
from metrics.scoring.by_group import Burden, Group, by_group
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Table

_MAX_VALUES: Final = 10_000
"""Most values of a column by which people are grouped."""
_NOTABLE: Final = 0.05
"""Smallest excess over the share of all others."""
_MAX_GROUPS: Final = 8
_MEASURES: Final = (Burden.SUPPRESSED, Burden.AT_RISK)


class GroupRow(NamedTuple):
    """One group, as text; in brackets the share among all others."""

    group: str
    people: str
    suppressed: str
    at_risk: str


def uneven_groups(card: Scorecard) -> list[GroupRow]:
    """The groups, by any column, that are suppressed or at risk notably more often than all others, the worst first.

    As all columns are examined, the error is divided by the number of all comparisons.
    """
    original = card.aggregates.original
    if not isinstance(original, Table):
        return []
    found = []
    for name in original.names:
        if name not in card.aggregates.roles.identifiers and not original.distinct_above(name, _MAX_VALUES):
            with suppress(Unavailable):
                found.append(by_group(card, name))
    comparisons = sum(groups.comparisons(measure) for groups in found for measure in _MEASURES)
    uneven = []
    for groups in found:
        for group in groups.groups:
            shares = [share for measure in _MEASURES if (share := group.shares.get(measure)) is not None]
            excess = max(share.excess if share.stands_out(comparisons) else 0.0 for share in shares)
            if excess >= _NOTABLE:
                uneven.append((excess, groups.column, group))
    return [_row(column, group) for _, column, group in sorted(uneven, key=lambda one: -one[0])[:_MAX_GROUPS]]


def _row(column: str, group: Group) -> GroupRow:
    shares = (group.shares.get(measure) for measure in _MEASURES)
    suppressed, at_risk = (
        "—"
        if share is None or share.share_of_others is None
        else f"{short_percent(share.share)} ({short_percent(share.share_of_others)})"
        for share in shares
    )
    return GroupRow(f"{visible(column)} {visible(group.label)}", f"{group.people:,}", suppressed, at_risk)

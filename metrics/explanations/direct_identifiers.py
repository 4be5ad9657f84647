"""The direct identifiers that a release shows, and what a repair does about them, each in a sentence."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.identifiers.released import released_keys
from metrics.policy.limitable_measures import identifiers_in_release
from metrics.tables.table import Table
from metrics.texts import text


def identifiers_summary(aggregates: Aggregates) -> str | None:
    """Name the columns to remove before release; None if there are none, or the table is not in memory."""
    identifiers = identifiers_in_release(aggregates)
    return text("direct_identifiers.shown", columns=identifiers, number=len(identifiers)) if identifiers else None


def keys_summary(aggregates: Aggregates) -> str | None:
    """Name the columns that only serve the assessment, to be removed before release; None if there are none."""
    table = aggregates.anonymized
    if not isinstance(table, Table):
        return None
    keys = aggregates.memoize("released keys", lambda: released_keys(table, aggregates.roles))
    return text("direct_identifiers.keys", columns=keys, number=len(keys)) if keys else None


def hiding_summary(aggregates: Aggregates) -> str | None:
    """Say which columns a repair suppresses as identifiers; None if there are none."""
    identifiers = identifiers_in_release(aggregates)
    return text("direct_identifiers.hidden", columns=identifiers) if identifiers else None

"""The direct identifiers that a release shows, in a sentence."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.identifiers.released import released_identifiers
from metrics.tables.table import Table
from metrics.texts import text


def identifiers_summary(aggregates: Aggregates) -> str | None:
    """Name the columns to remove before release; None where there are none, or the table is not in memory."""
    table = aggregates.anonymized
    shown = released_identifiers(table, aggregates.roles) if isinstance(table, Table) else ()
    return text("direct_identifiers.shown", columns=shown, number=len(shown)) if shown else None

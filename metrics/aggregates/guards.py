"""Requirements of a metric on its aggregates; where one is missing, the reason why the metric is unavailable."""

from __future__ import annotations

from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.protocol import Aggregates
from metrics.counting.classes import ClassSizes, EquivalenceClasses
from metrics.counting.counts import Matching
from metrics.errors import Unavailable
from metrics.tables.table import Table
from metrics.texts import text

RECORDS_ELSEWHERE = text("unavailable.records_in_engine")


def require_class_sizes(aggregates: Aggregates) -> ClassSizes:
    """Return the sizes of the classes; raises Unavailable if there is no class."""
    sizes = aggregates.class_sizes
    if not sizes.count:
        if aggregates.anonymized.rows:
            raise Unavailable(text("unavailable.all_suppressed"))
        raise Unavailable(text("unavailable.no_records"))
    return sizes


def require_classes(aggregates: Aggregates) -> EquivalenceClasses:
    """Return the classes; raises Unavailable if there is none, or too many to hold."""
    require_class_sizes(aggregates)
    return aggregates.classes


def require_records(aggregates: Aggregates) -> Table:
    """Return the anonymized table with its records; raises Unavailable where an engine holds them."""
    if not isinstance(aggregates.anonymized, Table):
        raise Unavailable(RECORDS_ELSEWHERE)
    return aggregates.anonymized


def require_original_records(aggregates: Aggregates) -> Table:
    """Return the original table with its records; raises Unavailable without one, or where an engine holds them."""
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    if not isinstance(aggregates.original, Table):
        raise Unavailable(RECORDS_ELSEWHERE)
    return aggregates.original


def require_pairs(aggregates: Aggregates) -> None:
    """Raise Unavailable where records are not matched with the original's."""
    if aggregates.comparison.unmatched is not None:
        raise Unavailable(aggregates.comparison.unmatched)


def require_matching(aggregates: Aggregates) -> Matching:
    """Return the matching of both tables' records; raises Unavailable where they are not matched in memory."""
    matching = aggregates.comparison.matching
    if isinstance(matching, Matching):
        return matching
    require_pairs(aggregates)
    raise Unavailable(RECORDS_ELSEWHERE)

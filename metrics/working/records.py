"""One record of the anonymized table, and the original record it represents."""

from __future__ import annotations

from metrics.aggregates import Aggregates, require_matching
from metrics.counting.counts import Combinations
from metrics.tables.table import SUPPRESSED, Column
from metrics.texts import text


def record_count(aggregates: Aggregates) -> int:
    """Anonymized records, and behind them the original ones that were deleted, which count as suppressed."""
    return aggregates.anonymized.rows + aggregates.comparison.deleted


def record_name(aggregates: Aggregates, index: int) -> str:
    """A record by its number in the file, from 1; deleted ones are numbered after the last."""
    positions, tally = aggregates.positions, aggregates.comparison.tally
    if positions is not None and tally is not None:
        beyond = index + tally.anonymized_left_out
        index = int(positions[index]) if index < len(positions) else beyond
    return text("working.record", number=index + 1)


def anonymized_label(aggregates: Aggregates, column: str, index: int) -> str | None:
    """The record's anonymized value."""
    if index >= aggregates.anonymized.rows:
        return SUPPRESSED
    values = aggregates.anonymized[column]
    label: str | None = values.labels[values.codes[index]]
    return label


def _matched_original_column(aggregates: Aggregates, column: str) -> Column:
    """The original column in the order of the anonymized records."""
    return require_matching(aggregates).original[column]


def pair_of_record(aggregates: Aggregates, column: str, index: int) -> tuple[Combinations, int]:
    """The column's (original, anonymized) pairs of values, and which of them the record has. Raises Unavailable."""
    pair = aggregates.comparison.pair(column)
    original = _matched_original_column(aggregates, column)
    before = pair.columns[0].code_of[original.labels[original.codes[index]]]
    after = pair.columns[1].code_of[anonymized_label(aggregates, column, index)]
    position = ((pair.codes[0] == before) & (pair.codes[1] == after)).argmax()
    return pair, int(position)


def record_of_pair(aggregates: Aggregates, column: str, pair: Combinations, place: int) -> int:
    """The first record that has one of the column's pairs of values."""
    before, after = (codes[place] for codes in pair.codes)
    anonymized = aggregates.anonymized[column].followed_by(SUPPRESSED, aggregates.comparison.deleted)
    return int(((_matched_original_column(aggregates, column).codes == before) & (anonymized.codes == after)).argmax())

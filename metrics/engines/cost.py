"""Cost of scoring a table like this one with far more records: what a cluster would move and its driver hold.

Estimated from the counts of the table at hand. Spark counts within each partition first and sends those partial counts
to be added up; their number is the number of different combinations in a partition, times the partitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow.compute as pc

from metrics.aggregates import MAX_CLASSES, Aggregates, require_classes
from metrics.counting.class_sizes import ClassSizes, class_sizes
from metrics.counting.counts import Combinations, count_keys
from metrics.counting.partitions import require_few_combinations
from metrics.tables.table import Column, Floats, Table

_WORD = 8
"""Bytes of a slot of Spark's rows; text and the marks of missing cells take whole slots, too."""
_LENGTH = 4
"""Bytes before each row that is sent."""
_BYTES_EACH, _BYTES_OF_QUASI_IDENTIFIER, _BYTES_OF_SENSITIVE = 60, 15, 145
"""Bytes that the driver takes for a combination while it is judged; measured, and tested in `tests/engines`."""
_CELL = 24
"""Bytes of a histogram's cell in memory: class, value, count."""
_USUAL_KEY = 16
"""Letters of a key, where the roles name none."""


@dataclass(frozen=True, eq=False)
class GroupedCount:
    """One question: how often each combination of some columns occurs. Of at least one record."""

    sizes: ClassSizes
    """How many combinations occur how often."""
    possible: float
    """Combinations that the columns' values allow; more cannot occur."""
    row_bytes: float
    """Bytes of one combination with its count on its way to where it is added up, not compressed."""

    @property
    def records(self) -> int:
        """Records that were counted."""
        return self.sizes.kept

    @cached_property
    def growth(self) -> float:
        """Share of the combinations that occurred once: the slope, both axes in logarithms, at which more appear."""
        return self.sizes.of_size(1) / self.sizes.count

    def distinct(self, records: float) -> float:
        """Expected number of different combinations among records drawn at random.

        Up to the table's own number that follows from its counts; beyond it, it goes on at the slope it has there.
        """
        share = records / self.records
        if share >= 1:
            return float(min(self.sizes.count * share**self.growth, max(self.possible, self.sizes.count), records))
        p_unseen = np.exp(self.sizes.sizes * np.log1p(-share))
        return float(self.sizes.counts @ (1 - p_unseen))

    def partial_counts(self, records: float, partitions: int) -> float:
        """Partial counts that partitions of records in no order send."""
        return partitions * self.distinct(records / partitions)

    def simulated_partial_counts(self, partitions: int, chance: np.random.Generator) -> int:
        """Count the partial counts of the table itself, each record thrown into a partition at random."""
        groups = np.repeat(np.arange(self.sizes.count), np.repeat(self.sizes.sizes, self.sizes.counts))
        keys = groups * partitions + chance.integers(partitions, size=len(groups))
        return len(count_keys(keys, self.sizes.count * partitions)[0])


@dataclass(frozen=True, eq=False)
class MeasuredCounts:
    """Counts and sizes measured in the table at hand."""

    together: GroupedCount
    """Quasi-identifiers and sensitive attributes."""
    classes: GroupedCount
    """Quasi-identifiers."""
    histograms: Mapping[str, GroupedCount]
    """Quasi-identifiers and one sensitive attribute, by its name."""
    text: Mapping[str, float]
    """Bytes of each quasi-identifier's cells in a row, over its records; empty if there is no original."""
    key: float
    """Bytes of the key's cells in a row, over its records."""
    combination_bytes: int
    """Bytes that the driver takes at most for a combination."""


@dataclass(frozen=True)
class ClusterCost:
    """Cost of scoring one number of records."""

    records: int
    partitions: int
    partial_counts: float
    """Sent to be added up."""
    counting_bytes: float
    """Bytes of the partial counts, not compressed."""
    matching_bytes: float
    """Shuffled to put each record beside its original, not compressed; 0 without an original."""
    classes: float
    cells: Mapping[str, float]
    """Cells of the histogram of each sensitive attribute."""
    driver_bytes: float
    """Most bytes that the driver holds at once."""
    undivided_bytes: float
    """Bytes that the driver would hold if it did not look at some classes at a time."""

    @property
    def histogram_bytes(self) -> float:
        """Bytes of all histograms, if they were held."""
        return _CELL * sum(self.cells.values())


def measured_counts(aggregates: Aggregates) -> MeasuredCounts:
    """Measure a table by its own counts. Raises Unavailable without a class, or where there are too many to hold."""
    require_classes(aggregates)
    roles = aggregates.roles
    groups, sensitive = tuple(roles.quasi_identifiers), tuple(roles.sensitive)
    counts = {names: aggregates.relation.count(names) for names in {groups, *((*groups, name) for name in sensitive)}}
    all_columns = tuple(dict.fromkeys((*groups, *sensitive)))
    require_few_combinations(aggregates.anonymized, all_columns, aggregates.max_classes)
    counts[all_columns] = counts.get(all_columns) or aggregates.relation.count(all_columns)
    return MeasuredCounts(
        together=_grouped_count(counts[all_columns]),
        classes=_grouped_count(counts[groups]),
        histograms={name: _grouped_count(counts[*groups, name]) for name in sensitive},
        text={} if aggregates.original is None else {name: _cell_bytes(aggregates, name) for name in groups},
        key=_key_bytes(aggregates),
        combination_bytes=_BYTES_EACH + _BYTES_OF_QUASI_IDENTIFIER * len(groups) + _BYTES_OF_SENSITIVE * len(sensitive),
    )


def cluster_cost(measured: MeasuredCounts, records: int, partitions: int) -> ClusterCost:
    """Estimate the cost of scoring `records` unordered records of the same kind in `partitions` partitions."""
    n_partial_counts = measured.together.partial_counts(records, partitions)
    combinations = measured.together.distinct(records)
    return ClusterCost(
        records=records,
        partitions=partitions,
        partial_counts=n_partial_counts,
        counting_bytes=n_partial_counts * measured.together.row_bytes,
        matching_bytes=_matching_bytes(measured, records),
        classes=measured.classes.distinct(records),
        cells={name: cells.distinct(records) for name, cells in measured.histograms.items()},
        driver_bytes=min(combinations, MAX_CLASSES) * measured.combination_bytes,
        undivided_bytes=combinations * measured.combination_bytes,
    )


def cluster_costs(measured: MeasuredCounts, records: Sequence[int], records_per_partition: int) -> list[ClusterCost]:
    """Estimate the cost for several numbers of records, partitions always equally large."""
    return [cluster_cost(measured, n_records, max(1, -(-n_records // records_per_partition))) for n_records in records]


def row_bytes(text: Sequence[float], numbers: int) -> float:
    """Bytes of a row that Spark sends, not compressed: its length, a bit and a slot per column, and the text."""
    columns = len(text) + numbers
    return _LENGTH + _WORD * (-(-columns // 64) + columns) + sum(text)


def _matching_bytes(measured: MeasuredCounts, records: int) -> float:
    """Bytes of both tables' records sent by key: twice to check it, and once for every quasi-identifier."""
    if not measured.text:
        return 0.0
    bytes_per_record = (
        row_bytes([measured.key], 1)
        + row_bytes([measured.key], 0)
        + sum(row_bytes([measured.key, text], 0) for text in measured.text.values())
    )
    return 2 * records * bytes_per_record


def _grouped_count(combinations: Combinations) -> GroupedCount:
    text = [
        float(_value_bytes(column)[code].mean())
        for column, code in zip(combinations.columns, combinations.codes, strict=True)
    ]
    possible = float(np.prod([float(column.distinct) for column in combinations.columns]))
    return GroupedCount(class_sizes(combinations.counts), possible, row_bytes(text, 1))


def _cell_bytes(aggregates: Aggregates, name: str) -> float:
    """Return the average bytes of a column's cells in both tables."""
    counts = [relation.count([name]) for relation in (aggregates.relation, aggregates.comparison.original_relation)]
    means = [
        np.average(_value_bytes(column_counts.columns[0])[column_counts.codes[0]], weights=column_counts.counts)
        for column_counts in counts
    ]
    return float(np.mean(means))


def _key_bytes(aggregates: Aggregates) -> float:
    """Return the average bytes of the key's values; they are not looked at where they stay in an engine."""
    names, table = aggregates.roles.matching.key, aggregates.anonymized
    if not names or not isinstance(table, Table):
        return _USUAL_KEY
    return float(sum(_value_bytes(table[name]).mean() for name in names))


def _value_bytes(column: Column) -> Floats:
    """Bytes that each value takes in a row beside its slot: whole words."""
    lengths = pc.fill_null(pc.binary_length(column.values), 0).to_numpy(zero_copy_only=False)
    padded_lengths: Floats = np.ceil(lengths / _WORD) * _WORD
    return padded_lengths


__all__ = [
    "ClusterCost",
    "GroupedCount",
    "MeasuredCounts",
    "cluster_cost",
    "cluster_costs",
    "measured_counts",
    "row_bytes",
]

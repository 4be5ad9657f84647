"""What every metric is computed from: the aggregates of one table, of all its classes or of a partition of them."""

from metrics.aggregates.comparison import Comparison
from metrics.aggregates.guards import (
    require_class_sizes,
    require_classes,
    require_matching,
    require_original_records,
    require_pairs,
    require_records,
)
from metrics.aggregates.partition import PartitionAggregates, partitions_of
from metrics.aggregates.protocol import MAX_CLASSES, Aggregates, PerturbedCells, computed_once
from metrics.aggregates.whole import TableAggregates

__all__ = [
    "MAX_CLASSES",
    "Aggregates",
    "Comparison",
    "PartitionAggregates",
    "PerturbedCells",
    "TableAggregates",
    "computed_once",
    "partitions_of",
    "require_class_sizes",
    "require_classes",
    "require_matching",
    "require_original_records",
    "require_pairs",
    "require_records",
]

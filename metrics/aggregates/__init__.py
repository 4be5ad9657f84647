"""What every metric is computed from: the aggregates of one candidate, of all its classes or of a partition of them."""

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
from metrics.aggregates.protocol import MAX_CLASSES, Aggregates
from metrics.aggregates.whole import CLASS_SIZES, TableAggregates

__all__ = [
    "CLASS_SIZES",
    "MAX_CLASSES",
    "Aggregates",
    "Comparison",
    "PartitionAggregates",
    "TableAggregates",
    "partitions_of",
    "require_class_sizes",
    "require_classes",
    "require_matching",
    "require_original_records",
    "require_pairs",
    "require_records",
]

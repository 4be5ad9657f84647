"""The questions a metric may ask of a table, whether all its classes are held at once or a partition of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, TypeVarTuple

from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.counting.classes import ClassSizes, Distribution, EquivalenceClasses
from metrics.counting.counts import Relation
from metrics.counting.histograms import Histogram, RefinedHistogram
from metrics.tables.table import Described, Floats, Integers, Table

if TYPE_CHECKING:
    from metrics.aggregates.comparison import Comparison
    from metrics.aggregates.fitted_hierarchies import FittedHierarchies

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MAX_CLASSES = 2**20
"""Classes of a table in an engine that are held at once; where there are more, partitions of them are."""


@dataclass(frozen=True)
class PerturbedCells:
    """Cells of quasi-identifiers that do not generalize the original value, where measures of loss tell them apart."""

    suppressed: Mapping[str, int] = field(default_factory=dict)
    """By column, those that count as suppressed."""
    not_generalized: Mapping[str, float] = field(default_factory=dict)
    """By column that has too many to count as suppressed, their share of the released values."""


class Aggregates(Protocol):
    """Counts of an anonymized table, alone and beside its original, and what is derived of them (`memoize`)."""

    @property
    def anonymized(self) -> Described:
        """The anonymized table."""

    @property
    def original(self) -> Described | None:
        """The original table; None where it is not given."""

    @property
    def population(self) -> Table | None:
        """The quasi-identifiers of everybody the table could be about; None where they are not given."""

    @property
    def holdout(self) -> Table | None:
        """People of the same population who are not in the original; None where they are not given."""

    @property
    def roles(self) -> Roles:
        """The role of each column."""

    @property
    def hierarchies(self) -> FittedHierarchies:
        """Generalization hierarchies by column, as they fit the tables."""

    @property
    def max_classes(self) -> int:
        """Classes of a table in an engine that are held at once."""

    @property
    def comparison(self) -> Comparison:
        """The original beside the anonymized table."""

    @property
    def matched_records(self) -> Aggregates:
        """Aggregates of the records that are compared with the original's: what measures of loss rest on."""

    @property
    def perturbed(self) -> PerturbedCells:
        """What was made of perturbed cells; nothing unless a measure of loss asked for it."""

    @property
    def positions(self) -> Integers | None:
        """Positions of these records in the whole table, where they are `matched_records` of it; None where all are."""

    @property
    def whole(self) -> Aggregates:
        """Aggregates of all classes: these, unless they are of a partition."""

    @property
    def is_partitioned(self) -> bool:
        """Whether there are more classes, or cells in them, than are held at once."""

    @property
    def relation(self) -> Relation:
        """Relation that answers questions about the records of these classes."""

    @property
    def classes(self) -> EquivalenceClasses:
        """The equivalence classes. Raises Unavailable where there are too many to hold."""

    @property
    def class_sizes(self) -> ClassSizes:
        """How many classes there are of each size."""

    @property
    def class_weights(self) -> Floats | None:
        """Sum of survey weights per class; None without a weight column. Raises Unavailable for an invalid weight."""

    @property
    def total_weight(self) -> float | None:
        """Sum of survey weights of all records in classes; None without a weight column. Raises Unavailable."""

    def histogram(self, column: str) -> Histogram:
        """An attribute's values within each class."""

    def refined_histogram(self, column: str) -> RefinedHistogram:
        """An attribute's values within each class refined by all other sensitive attributes."""

    def sensitive(self, *, refined: bool = False) -> dict[str, Histogram]:
        """Histograms of all sensitive attributes. Raises Unavailable without one, or without a class.

        `refined` asks for each within classes refined by the others, where there are several.
        """

    def distribution(self, column: str) -> Distribution:
        """A column's values over all records in classes of the whole."""

    def examined(self, examine: Callable[[Aggregates, Parameters], T], parameters: Parameters) -> T:
        """What is found of these classes; of the worst of too many to hold, with the totals of all. Raises Unavailable.

        `examine` is a metric's, see `Metric.examine`.
        """

    def class_of_record(self) -> Integers:
        """For each anonymized record its class, -1 where it is suppressed. Raises Unavailable outside memory."""

    def memoize(self, function: Callable[[Aggregates, *Ts], T], *arguments: *Ts) -> T:
        """The function of these aggregates and of hashable arguments: computed on the first call with them only."""


def computed_once(function: Callable[[Aggregates, *Ts], T]) -> Callable[[Aggregates, *Ts], T]:
    """The function of a whole table, computed on the first call with the same aggregates and arguments only."""

    @wraps(function)
    def found(aggregates: Aggregates, *arguments: *Ts) -> T:
        return aggregates.whole.memoize(function, *arguments)

    return found


Examine = Callable[[Aggregates, Parameters], Any]
"""Finds something of classes, each by itself, against the whole table. Raises Unavailable."""

"""A limit that search and repair enforce: what a measure says of a lattice node and of each equivalence class."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from metrics.formatting import beside
from metrics.metric.measure import Direction
from metrics.texts import text

if TYPE_CHECKING:
    from metrics.config.parameters import GroundDistance, Parameters
    from metrics.counting.histograms import Histogram
    from metrics.hierarchies.hierarchy import Hierarchies
    from metrics.tables.table import Flags, Floats

ClassFigures = Callable[["Histogram", "Hierarchies", "Parameters"], "Floats"]
"""The figure of each class by the values of one sensitive attribute; NaN where the measure is not about this attribute.

Raises Unavailable where it should be and has no figure: the whole measure then has none.
"""
ABOVE_ZERO: Final = math.ulp(0.0)
"""The smallest number above 0: as a limit on P_29, it requires the minimum requirements only."""


@dataclass(frozen=True)
class Enforcement:
    """How search and repair enforce a limit on a measure.

    Attributes
    ----------
    name : str
        Its name in `explore --json`, and among the options of `repair`.
    title : str
        What is limited, in a sentence.
    node : str
        The figure of a lattice node that it limits: the metric's id where `figures` give it.
    gap : callable
        How a figure misses the limit, from both.
    promise : callable
        What every class within the limit has; empty where none could miss it.
    figures : callable or None
        The figure of each class by the values of one sensitive attribute, of which the worst is the node's; None where
        no sensitive attribute decides.
    distance : callable or None
        For distances from the whole table, which move when other classes change: how they are measured.
    conditions : callable or None
        The limits on classes that follow, where the measure itself has no figure of a class.
    records : callable
        The fewest records of a class within the limit. Raises InputError if no number of records is enough.
    values : callable
        The fewest different values in a class within the limit, in every sensitive attribute; leave it out if unsure:
        a number that is too large makes a search pass over nodes that meet the limit.
    is_whole : bool
        Whether its figures are whole numbers.
    sizes_decide : bool
        Whether the sizes of classes, and the records suppressed, decide on it.
    in_repair : bool
        Whether repairs enforce it, too.
    """

    name: str
    title: str
    node: str
    gap: Callable[[float, float], str]
    promise: Callable[[float], str] = lambda bound: ""
    figures: ClassFigures | None = None
    distance: Callable[[Histogram, Hierarchies, Parameters], GroundDistance] | None = None
    conditions: Callable[[Parameters], tuple[Limit, ...]] | None = None
    records: Callable[[float, Parameters], int] = lambda bound, parameters: 1
    values: Callable[[float], int] = lambda bound: 1
    is_whole: bool = False
    sizes_decide: bool = False
    in_repair: bool = True

    @property
    def needs_sensitive(self) -> bool:
        """Whether a sensitive attribute decides."""
        return self.figures is not None or self.conditions is not None


@dataclass(frozen=True)
class Limit:
    """The worst figure of a measure that is accepted, of a table, a lattice node or a class."""

    measure: Enforcement
    bound: float
    direction: Direction = Direction.HIGHER
    attribute: str | None = None
    """The sensitive attribute that it examines in a class."""

    @property
    def is_maximum(self) -> bool:
        """Whether it is the largest figure accepted, else the smallest."""
        return self.direction is Direction.LOWER

    def missed(self, figures: Floats) -> Flags:
        """Whether each figure is worse."""
        return figures > self.bound if self.is_maximum else figures < self.bound

    def excess(self, figures: Floats) -> Floats:
        """How far each figure is beyond it; 0 where it is met."""
        numbers = figures.astype(np.float64)
        return np.maximum(numbers - self.bound if self.is_maximum else self.bound - numbers, 0.0)

    def best(self, figures: Floats) -> float:
        """The figure that comes nearest to it or keeps it best."""
        return float(figures.min() if self.is_maximum else figures.max())

    @property
    def title(self) -> str:
        """What is limited."""
        title = self.measure.title
        return title if self.attribute is None else text("limits.of_column", title=title, column=self.attribute)

    def class_summary(self, figure: float) -> str:
        """The figure of a class that misses it, and the limit."""
        if self.is_maximum:
            return text("limits.class_above", title=self.title, found=beside(figure, self.bound), limit=self.bound)
        if self.bound == ABOVE_ZERO:
            return text("limits.class_not_above", title=self.title, found=figure, limit=0)
        return text("limits.class_below", title=self.title, found=beside(figure, self.bound), limit=self.bound)

    def count_summary(self, figures: Floats) -> str:
        """How many classes miss it."""
        classes = int(self.missed(figures).sum())
        if self.is_maximum:
            return text("limits.classes_above", title=self.title, classes=classes, limit=self.bound)
        if self.bound == ABOVE_ZERO:
            return text("limits.classes_not_above", title=self.title, classes=classes, limit=0)
        return text("limits.classes_below", title=self.title, classes=classes, limit=self.bound)

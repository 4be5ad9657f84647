"""What the catalog knows of a metric, and what a metric answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from metrics.evidence import Evidence
    from metrics.parameters import Parameters


class Family(StrEnum):
    """What a metric speaks of."""

    PRIVACY = "privacy"
    UTILITY = "utility"
    ECONOMICS = "economics"


class Direction(StrEnum):
    """Which way a figure is better."""

    HIGHER = "higher is better"
    LOWER = "lower is better"
    TRUE = "yes is better"


class Unavailable(Exception):
    """A metric cannot be computed from what is there; the text says why, in words and without cell values."""


class Result(Protocol):
    """What every metric answers: a frozen dataclass with these."""

    @property
    def value(self) -> float | bool | None:
        """The metric's figure; None where it has none."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The figure of each attribute alone, where the metric looks at attributes one by one."""

    def details(self) -> dict[str, Any]:
        """Further figures by name, as the command line prints them: numbers, booleans, texts, lists, None."""

    def in_words(self) -> str:
        """One plain sentence that tells the finding."""


@dataclass(frozen=True)
class Metric:
    """One line of the catalog."""

    id: str
    title: str
    family: Family
    unit: str
    minimum: float | None
    """Smallest possible value; None: unbounded."""
    maximum: float | None
    """Largest possible value; None: unbounded."""
    direction: Direction
    meaning: str
    """What it means, in one sentence."""
    good: str
    """What a good value is, in one sentence."""
    formula: str
    """LaTeX."""
    reference: str
    doi: str | None
    compute: Callable[[Evidence, Parameters], Result]
    """Raises Unavailable where the evidence does not suffice."""

    @property
    def range(self) -> str:
        """The range in words, such as "0 to 1"."""
        if self.direction is Direction.TRUE:
            return "yes or no"
        low = "unbounded" if self.minimum is None else f"{self.minimum:g}"
        return f"{low} to {'∞' if self.maximum is None else f'{self.maximum:g}'}"

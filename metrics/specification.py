"""What the catalog knows of a metric, and what a metric answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from metrics.evidence import Evidence
    from metrics.parameters import Parameters


T = TypeVar("T")


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


@runtime_checkable
class PerClass(Protocol):
    """A result that judges every equivalence class: class table, profile and command line show it."""

    @property
    def measure(self) -> str:
        """Short name for a column of the class table, such as "beta"."""

    @property
    def per_class(self) -> Mapping[str, npt.NDArray[np.float64]]:
        """One figure per class, by sensitive attribute; under the empty name where it looks at no attribute."""


@runtime_checkable
class Estimate(Protocol):
    """A result that is no certainty."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds that hold the true value with 95% confidence; None where they are unknown."""


class Totals(Protocol):
    """What classes come to as far as a metric's figures go: few numbers, however many classes."""

    def merged(self, other: Self) -> Self:
        """What two parts of the classes come to together, no class being in both."""


class Judged(Protocol):
    """What a metric finds of classes: a frozen dataclass of arrays with an entry per class, and of their totals.

    Put the totals of all classes in their place, and it is what the metric finds of all, with arrays for some.
    """

    @property
    def totals(self) -> Totals: ...


J = TypeVar("J", bound=Judged)
S = TypeVar("S", bound=Totals)


@dataclass(frozen=True)
class Sums(Generic[S]):
    """What a metric finds of classes that has a figure for all together and none for each."""

    totals: S


@dataclass(frozen=True)
class ByClass(Generic[J]):
    """How a metric that looks at one class after the other is computed; so it can be from some classes at a time."""

    judge: Callable[[Evidence, Parameters], J]
    """Looks at the classes of the evidence, judged against the whole table. Raises Unavailable."""
    conclude: Callable[[J, Evidence, Parameters], Result]
    """The result, from what was found of all classes and the evidence of all. Raises Unavailable."""

    def compute(self, evidence: Evidence, parameters: Parameters) -> Result:
        """The result of all classes at once. Raises Unavailable."""
        return self.conclude(self.judge(evidence, parameters), evidence, parameters)


Gradual = Callable[["Evidence", "Parameters"], Generator[float, None, Result]]
"""A computation that yields the share done, 0 to 1, now and then, and returns its result; dropping it cancels it."""


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
    gradual: Gradual | None = None
    """The same in steps, for what takes long: it is then computed only when asked for."""
    by_class: ByClass[Any] | None = None
    """The same from some classes at a time, where it needs no more of them at once."""

    @property
    def on_demand(self) -> bool:
        """Whether it is computed only when asked for."""
        return self.gradual is not None

    @property
    def range(self) -> str:
        """The range in words, such as "0 to 1"."""
        if self.direction is Direction.TRUE:
            return "yes or no"
        low = "unbounded" if self.minimum is None else f"{self.minimum:g}"
        return f"{low} to {'∞' if self.maximum is None else f'{self.maximum:g}'}"


def finish(steps: Generator[float, None, T]) -> T:
    """The result of a computation in steps, without a look at its progress."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result

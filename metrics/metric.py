"""What the catalog knows of a metric, and what a metric answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from metrics.texts import TEMPLATES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from metrics.aggregates import Aggregates
    from metrics.config.parameters import Parameters


T = TypeVar("T")


class Family(StrEnum):
    """Family of metrics, by what they measure."""

    PRIVACY = "privacy"
    ATTACKS = "attacks"
    UTILITY = "utility"
    ECONOMICS = "economics"


class Basis(StrEnum):
    """Which records and values a metric is computed from."""

    EVERY_RECORD = "every anonymized record"
    COMPARED_AS_WRITTEN = "the records compared with the original's, as they are written"
    COMPARED = "the same, with equal values made equal and empty cells suppressed"
    GENERALIZED = "the same, with perturbed cells suppressed; unavailable where there are many"


class Direction(StrEnum):
    """Direction in which a figure improves."""

    HIGHER = "higher is better"
    LOWER = "lower is better"
    TRUE = "yes is better"


class Result(Protocol):
    """Members of every metric's result, a frozen dataclass."""

    @property
    def value(self) -> float | bool | None:
        """The metric's figure; None where it has none."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The figure of each attribute alone, where the metric looks at attributes one by one."""

    def details(self) -> dict[str, Any]:
        """Further figures by name, as the command line prints them: numbers, booleans, texts, lists, None."""

    def summary(self) -> str:
        """The finding, in one or a few sentences."""


@dataclass(frozen=True)
class ClassFigure:
    """One figure of one equivalence class."""

    measure: str
    attribute: str
    """The sensitive attribute of the figure; empty where it has none."""
    figure: float | None
    """None where there is none, such as a c that no number reaches."""
    failure: str = ""
    """Why the class fails, in words; empty where it passes."""


class Violations(Protocol):
    """Which classes violate a definition, and why."""

    @property
    def violating(self) -> npt.NDArray[np.bool_]:
        """Per class: whether it violates."""

    def reason_texts(self, index: npt.NDArray[np.int64]) -> pa.StringArray:
        """All reasons of the classes at `index`, in words; null where a class does not violate."""

    def violation_summary(self) -> str:
        """How many classes violate, and how many for each reason, without naming any of them."""

    def most_serious_first(self) -> npt.NDArray[np.int64]:
        """The positions of the violating classes, the most serious violation first."""


@dataclass(frozen=True)
class PerClass:
    """Figures and findings of a metric on single equivalence classes, for class table, class profile and class ranking.

    The functions take the metric's result, or what `ByClass.judge` returns for some of the classes.
    """

    measure: str | None
    """Short name for a column of the class table, such as "beta"; None where the table has no such column."""
    figures: Callable[[Any], Mapping[str, npt.NDArray[np.float64]]] = attrgetter("per_class")
    """One figure per class, by sensitive attribute; under the empty name where it looks at no attribute."""
    profile: Callable[[Any, int], Sequence[ClassFigure]] | None = None
    """The figures of the class at a position, where there is more to say than `figures`."""
    failure: Callable[[Any, float], str] = lambda result, figure: ""
    """Why a class with this figure fails, whatever limits are set; empty where it passes."""
    severity: Callable[[Any], npt.NDArray[np.float64]] | None = None
    """Per class, how bad it is: higher is worse. If several metrics have one, the last in the catalog sets the rank."""
    violations: Callable[[Any], Violations] | None = None
    """Which classes violate the metric's definition."""

    limit_applies: bool = True
    """Whether a limit on the metric's value is a limit on these figures, too."""

    @property
    def ranks(self) -> bool:
        """Whether classes are ranked by this metric."""
        return self.severity is not None or self.violations is not None


class ClauseKind(IntEnum):
    """Kind of a clause of the verdict, the most serious kind first."""

    IDENTITY_DISCLOSURE = 1
    ATTRIBUTE_DISCLOSURE = 2
    DISTRIBUTION_DISCLOSURE = 3
    PROFITABLE_ATTACK = 4
    JOINT_SCORE = 5
    INFORMATION_LOSS = 6


@dataclass(frozen=True)
class Clause:
    """Contribution of a metric to the verdict on a table."""

    kind: ClauseKind
    headline: str
    """A sentence; of a strength, the part of a sentence that completes "Checks passed: …"."""
    weakness: bool | None = None
    """Whether it is a weakness of the table (True), the absence of one (False), or neither (None)."""
    brief: str = ""
    """The headline as a short sentence that leads a page or a report; empty where it is too small a matter."""


class Totals(Protocol):
    """Totals of classes from which a metric's figures are computed: few numbers, however many classes."""

    def merged(self, other: Self) -> Self:
        """Merge the totals of two disjoint sets of classes."""


class ClassResult(Protocol):
    """Result of a metric for classes: a frozen dataclass of arrays with an entry per class, and of their totals.

    With the totals of all classes in their place, it is the result for all classes, with arrays for some.
    """

    @property
    def totals(self) -> Totals: ...


J = TypeVar("J", bound=ClassResult)
S = TypeVar("S", bound=Totals)


@dataclass(frozen=True)
class Sums(Generic[S]):
    """Result of a metric that has figures for all classes together, but none per class."""

    totals: S


@dataclass(frozen=True)
class ByClass(Generic[J]):
    """Computation of a metric that looks at each class by itself, and so can process classes in batches."""

    judge: Callable[[Aggregates, Parameters], J]
    """Judges the classes of the aggregates against the whole table. Raises Unavailable."""
    conclude: Callable[[J, Aggregates, Parameters], Result]
    """Makes the result from the findings on all classes and the aggregates of all. Raises Unavailable."""

    def compute(self, aggregates: Aggregates, parameters: Parameters) -> Result:
        """The result of all classes at once. Raises Unavailable."""
        return self.conclude(self.judge(aggregates, parameters), aggregates, parameters)


Gradual = Callable[["Aggregates", "Parameters"], Generator[float, None, Result]]
"""A computation that yields the share done, 0 to 1, now and then, and returns its result; dropping it cancels it."""


@dataclass(frozen=True)
class FigureSpec:
    """A figure of a metric's result; the drawing library is loaded when it is drawn."""

    function: str
    """The function that draws it, as "module:function"."""
    arguments: Callable[[Any, Aggregates], tuple[Any, ...]] = lambda result, aggregates: (result,)
    """The arguments of the function, from the result and the aggregates it was computed from."""
    all_classes: bool = False
    """Whether it needs every equivalence class at once."""
    applies: Callable[[Any], bool] = lambda result: True
    """Whether a result has anything to draw."""

    def draw(self, result: Result, aggregates: Aggregates) -> Any:
        """The Plotly figure."""
        return loaded(self.function)(*self.arguments(result, aggregates))


@dataclass(frozen=True)
class Control:
    """How a setting of a metric is changed by hand: by a slider from 0, or a switch where it is true or false."""

    name: str
    """The setting without its group, such as "w_k" for `p29.w_k`."""
    label: str
    help: str
    """Meaning of the setting, in a sentence."""
    maximum: float | None = None
    """Right end of the slider; None for a switch."""
    step: float = 0.01
    is_weight: bool = False
    """Whether it is one of the weights whose sum is 1."""


def loaded(reference: str) -> Any:
    """Import a module and return its member, named as "module:name".

    Parameters
    ----------
    reference : str
        Such as "metrics.figures.p29:p29_terms".

    Returns
    -------
    object
        The module's member of that name.
    """
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True)
class Metric:
    """One line of the catalog: everything that belongs to one metric alone."""

    id: str
    """Name of its section in texts.toml, which holds its title, unit, meaning and all its sentences."""
    family: Family
    minimum: float | None
    """Smallest possible value; None: unbounded."""
    maximum: float | None
    """Largest possible value; None: unbounded."""
    direction: Direction
    formula: str
    """LaTeX."""
    reference: str
    doi: str | None
    compute: Callable[[Aggregates, Parameters], Result]
    """Raises Unavailable where the aggregates do not suffice."""
    gradual: Gradual | None = None
    """Computation in steps, for a metric that takes long: it is then computed only on request."""
    by_class: ByClass[Any] | None = None
    """Computation in batches of classes, for a metric that looks at each class by itself."""
    settings: tuple[str, ...] = ()
    """Groups of parameters that `compute` looks at: while these stay the same, so does the result."""
    controls: tuple[Control, ...] = ()
    """Settings of the group named as the metric that a user changes by hand."""
    figures: tuple[FigureSpec, ...] = ()
    """Figures of the result, the most telling one first; without any, the figures by attribute are drawn."""
    working: str | None = None
    """The derivation step by step, as "module:name" of a `Derivation`."""
    per_class: PerClass | None = None
    """Its figures and findings on single equivalence classes; None where it has none."""
    clause: Callable[[Any, Aggregates], Clause | None] | None = None
    """Its clause in the verdict, from the result and the aggregates it was computed from; None for no clause."""
    about_population: bool = False
    """Whether it is about a population that is often not given; the verdict then does not mention its absence."""
    about_holdout: bool = False
    """Whether it is about a hold-out table that is often not given; the verdict then does not mention its absence."""
    needs_role: str = ""
    """The optional role that it needs, such as "person"; the verdict does not mention the absence of that role."""
    about_perturbation: bool = False
    """Whether it is about perturbed and synthetic tables; the verdict on others does not mention its absence."""
    loss_basis: Basis = Basis.COMPARED
    """Records and values that it is computed from, if it is a measure of loss."""
    criterion: str = ""
    """The question of the Article 29 Working Party that it answers: "singling_out", "linkability" or "inference"."""
    is_headline: bool = False
    """Whether candidates are compared by it where nothing else is asked for."""
    is_share: bool = False
    """Whether summaries show its value, from 0 to 1, as a percentage."""

    @property
    def title(self) -> str:
        """Title of the metric."""
        return TEMPLATES[f"{self.id}.title"]

    @property
    def short(self) -> str:
        """Title where there is little room, such as "k"; by default the full title."""
        return TEMPLATES.get(f"{self.id}.short", self.title)

    @property
    def unit(self) -> str:
        """The unit of its value."""
        return TEMPLATES[f"{self.id}.unit"]

    @property
    def meaning(self) -> str:
        """Meaning of the metric, in one sentence."""
        return TEMPLATES[f"{self.id}.meaning"]

    @property
    def good(self) -> str:
        """Description of a good value, in one sentence."""
        good = TEMPLATES[f"{self.id}.good"]
        return f"Good: {good[0].lower()}{good[1:]}"

    @property
    def notes(self) -> str:
        """How it is computed, where the formula leaves that open; "" where it does not."""
        return TEMPLATES.get(f"{self.id}.notes", "")

    @property
    def basis(self) -> Basis:
        """Records and values it is computed from: every record, or, for a measure of loss, `loss_basis`."""
        return self.loss_basis if self.family is Family.UTILITY else Basis.EVERY_RECORD

    @property
    def on_demand(self) -> bool:
        """Whether it is computed only on request."""
        return self.gradual is not None

    @property
    def range(self) -> str:
        """The range in words, such as "0 to 1"."""
        if self.direction is Direction.TRUE:
            return "yes or no"
        low = "unbounded" if self.minimum is None else f"{self.minimum:g}"
        return f"{low} to {'∞' if self.maximum is None else f'{self.maximum:g}'}"


def finish(steps: Generator[float, None, T]) -> T:
    """Run a computation in steps to its end, ignoring its progress, and return the result.

    Parameters
    ----------
    steps : generator
        Yields progress and returns the result.

    Returns
    -------
    object
        What the generator returns.
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result

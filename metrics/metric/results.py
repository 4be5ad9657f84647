"""What a metric answers: its result for a table, and its figures and findings on single equivalence classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class AttackRow:
    """One attacker in the chart of attacks; the figures are shares, None where there is none."""

    attacker: str
    success: float
    baseline: float | None = None
    """Success without the table."""
    holdout: float | None = None
    """Success on people who are not in the table."""
    interval: tuple[float, float] | None = None
    """Bounds that hold the success with 95% confidence, where it is an estimate."""
    remarks: tuple[str, ...] = ()
    """What else is known of this attacker, each in a sentence."""
    attack: str = ""
    """What the attacker does whatever is assumed of possible records; empty where the name says no more."""

    @property
    def compared_as(self) -> str:
        """The name under which the rows of several versions are compared."""
        return self.attack or self.attacker

    @property
    def gain(self) -> float | None:
        """The success less what is achieved anyway; None where nothing is known to compare it with."""
        others = [share for share in (self.baseline, self.holdout) if share is not None]
        return self.success - max(others) if others else None


@dataclass(frozen=True)
class Result:
    """Base of every metric's result, a frozen dataclass: what it says of a table, and the caveats on its value."""

    not_generalized: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    """By column with too many perturbed cells for a figure of its own, their share.

    A measure of what generalization lost counts them as unchanged, so that no limit can be compared with it.
    """
    misread: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    """By column, the share of released values read as those of a lower level, where it is too large.

    Their label also occurs there, so that the value counts less loss than there was.
    """

    if TYPE_CHECKING:
        # Not at run time: a result may hold its value in a field, which a property of that name would not let it set.
        @property
        def value(self) -> float | bool | None:
            """The metric's figure; None where it has none."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The figure of each attribute alone; none where they are examined together, or not at all."""
        return {}

    def details(self) -> dict[str, Any]:
        """Further figures by name, as the command line prints them: numbers, booleans, texts, lists, None."""
        return {}

    def summary(self) -> str:
        """The finding, in one or a few sentences."""
        raise NotImplementedError

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of an estimate, bounds that hold the true value with 95% confidence; None where they are unknown."""
        return None

    @property
    def is_reliable(self) -> bool:
        """Whether the value can be said as a share: it is not one of too few trials."""
        return True

    @property
    def understates_risk(self) -> bool:
        """Whether the value can look better than the table is; then no version is preferred by it."""
        return False

    @property
    def advised_value(self) -> float | bool | None:
        """The value that pages show: of several estimates the advised one.

        Limits are compared with it, but on an attack with `RatedAttack.max_success`.
        """
        return self.value

    @property
    def order(self) -> float | bool | None:
        """The figure by which versions are ordered: not the value where differences of it can be chance."""
        return self.advised_value

    @property
    def not_advised(self) -> str:
        """Why no limit applies where no model is advised; empty where one is."""
        return ""

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The rows of the attack with this title in the chart of attacks; none of other metrics."""
        return ()


@dataclass(frozen=True)
class ClassMeasure:
    """One figure of one equivalence class.

    Attributes
    ----------
    measure : str
        Short name of the measure; empty where it is the metric's.
    attribute : str
        The sensitive attribute of the figure; empty where it has none.
    figure : float or None
        None if there is none, such as a c that no number reaches.
    failure : str
        Why the class fails, in words; empty where it passes.
    """

    measure: str
    attribute: str
    figure: float | None
    failure: str = ""


@dataclass(frozen=True)
class PerClass:
    """Figures and findings of a metric on single equivalence classes, for class table, class profile and class ranking.

    The functions take the metric's result, or what `Metric.examine` finds of some of the classes.

    Attributes
    ----------
    measure : str or None
        Short name for a column of the class table, such as "beta"; None where the table has no such column.
    figures : callable
        One figure per class, by sensitive attribute; under the empty name where it examines no attribute.
    profile : callable or None
        The figures of the class at a position, where there is more to say than `figures`, such as why it fails whatever
        limits are set.
    severity : callable or None
        Per class, how bad it is: higher is worse. It orders classes of equal size, so only one metric declares it.
    violating : callable or None
        Per class, whether it violates the metric's definition.
    limited : callable or None
        From the result and the sizes of the classes, the figure of each class, by sensitive attribute, that is compared
        with a limit on the metric's value; None where such a limit says nothing of a single class.
    """

    measure: str | None
    figures: Callable[[Any], Mapping[str, npt.NDArray[np.float64]]] = attrgetter("per_class")
    profile: Callable[[Any, int], Sequence[ClassMeasure]] | None = None
    severity: Callable[[Any], npt.NDArray[np.float64]] | None = None
    violating: Callable[[Any], npt.NDArray[np.bool_]] | None = None
    limited: Callable[[Any, npt.NDArray[np.int64]], Mapping[str, npt.NDArray[np.float64]]] | None = (
        lambda result, sizes: result.per_class
    )

    @property
    def ranks(self) -> bool:
        """Whether classes are ranked by this metric."""
        return self.severity is not None or self.violating is not None

"""What a result states by having a property or method: caveats on its own value, and rows in the table of attacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from metrics.attacks.attack_row import AttackRow
from metrics.metric import Result


@runtime_checkable
class HasInterval(Protocol):
    """A result that is an estimate."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds that hold the true value with 95% confidence; None where they are unknown."""


@runtime_checkable
class HasUngeneralizedColumns(Result, Protocol):
    """A result that measures what generalization lost.

    Its value counts the perturbed cells of the columns named here as unchanged, so that no limit can be judged by it.
    """

    @property
    def not_generalized(self) -> Mapping[str, float]:
        """Share of perturbed cells of each column that has too many of them for a figure of its own."""


@runtime_checkable
class HasAmbiguousLevels(Result, Protocol):
    """A result that reads the level of a generalized value from its label.

    Where the label also occurs on a lower level, its value counts less loss than there was.
    """

    @property
    def misread(self) -> Mapping[str, float]:
        """By column, the share of released values read as those of a lower level, where it is too large."""


@runtime_checkable
class MayUnderstateRisk(Result, Protocol):
    """A result whose value can look better than the table is; then no candidate is preferred by it."""

    @property
    def understates_risk(self) -> bool:
        """Whether it does."""


@runtime_checkable
class HasAdvisedValue(Result, Protocol):
    """An estimate by several models, whose value is that of a rule which other programs follow."""

    @property
    def advised_value(self) -> float | None:
        """The estimate that is advised: pages show it, and limits are judged by it; None where it is not available."""

    @property
    def not_advised(self) -> str:
        """Why no limit is judged where it is not available."""


@runtime_checkable
class HasAttackRows(Result, Protocol):
    """A result of an attack that has rows in the table of attacks."""

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The rows of the attack with this title."""


@runtime_checkable
class HasReliability(Result, Protocol):
    """A result that is the share of trials that succeeded, however few they were."""

    @property
    def is_reliable(self) -> bool:
        """Whether there were enough for a share."""

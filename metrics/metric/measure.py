"""A number of a table that a limit can be set for: which values are better, and how they and a limit are written."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from metrics.formatting import digits_beside, exact_number, format_number, percent
from metrics.texts import TEMPLATES, text

if TYPE_CHECKING:
    from metrics.metric.limit import Enforcement


class Direction(StrEnum):
    """Direction in which a figure improves."""

    HIGHER = "higher is better"
    LOWER = "lower is better"
    TRUE = "yes is better"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A metric (`Metric`), or another number of a table that a limit can be set for."""

    id: str
    """Name of its section in texts.toml."""
    minimum: float | None
    """Smallest possible value; None: unbounded."""
    maximum: float | None
    """Largest possible value; None: unbounded."""
    direction: Direction
    is_share: bool = False
    """Whether summaries show it, from 0 to 1, as a percentage."""
    enforcement: Enforcement | None = None
    """How search and repair enforce a limit on it; None where they only measure it on their results."""

    @property
    def title(self) -> str:
        """Title of the measure."""
        return TEMPLATES[f"{self.id}.title"]

    @property
    def short(self) -> str:
        """Title where there is little room, such as "k"; by default the full title."""
        return TEMPLATES.get(f"{self.id}.short", self.title)

    def measure_text(
        self, value: float | bool | None, share: Callable[[float, int], str] = percent, limit: float = math.nan
    ) -> str:
        """A value for display; a share as `share` writes it, and with digits enough to compare it with a limit."""
        digits = digits_beside(value, limit)
        return share(float(value), digits) if self.is_share and value is not None else format_number(value, digits)

    def limit_text(self, limit: float | bool) -> str:
        """A limit for display: "at least 5", "at most 20%", "yes"."""
        if self.direction is Direction.TRUE:
            return text("policy.yes")
        number = exact_number(100 * float(limit) if self.is_share else limit)
        at_most = self.direction is Direction.LOWER
        words = text("policy.at_most", limit=number) if at_most else text("policy.at_least", limit=number)
        return f"{words}%" if self.is_share else words

    def condition(self, limit: float | bool) -> str:
        """A limit where there is little room: "k ≥ 5"; the name alone where it is required."""
        if self.direction is Direction.TRUE:
            return self.short
        number = f"{exact_number(100 * float(limit))}%" if self.is_share else exact_number(limit)
        return f"{self.short} {'≤' if self.direction is Direction.LOWER else '≥'} {number}"

    def is_met(self, value: float | bool | None, limit: float | bool) -> bool:
        """Whether a value is at least as good as the limit; None, such as a c that no number reaches, never is."""
        if value is None:
            return False
        return value <= limit if self.direction is Direction.LOWER else value >= limit

    @property
    def range(self) -> str:
        """The range in words, such as "0 to 1"."""
        if self.direction is Direction.TRUE:
            return "yes or no"
        low = "unbounded" if self.minimum is None else f"{self.minimum:g}".replace("-", "−")
        return f"{low} to {'∞' if self.maximum is None else f'{self.maximum:g}'}"


@dataclass(frozen=True, kw_only=True)
class KnownQuantity(Measure):
    """A quantity that readers know, shown first where a metric's value is a score made of it."""

    write: Callable[[Any], str]
    """Its value for display, from the metric's result."""
    minimum: float | None = 0
    maximum: float | None = None
    direction: Direction = Direction.LOWER

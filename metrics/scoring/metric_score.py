"""One metric's answer for one table: the figure, or in words why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.attacks.rates import RatedAttack
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.formatting import first_sentence, percent, without_isolates
from metrics.interruption import checkpoint
from metrics.metric import AttackRow, Direction, Family, Metric, Result
from metrics.scoring.compared_records import aggregates_for
from metrics.tables.html import Cell, html_table
from metrics.texts import text
from metrics.utility.cells.caveats import misread_columns, perturbed_columns


@dataclass(frozen=True, eq=False)
class Score:
    """One metric's answer for one table: a result, or why there is none.

    Attributes
    ----------
    metric : Metric
        The metric, with its title, range and direction.
    result : Result or None
        The figures; None where they are unavailable.
    unavailable : str or None
        Why there is no result, in words.
    """

    metric: Metric
    result: Result | None
    unavailable: str | None

    @property
    def value(self) -> float | bool | None:
        """The figure; None where it is unavailable."""
        return None if self.result is None else self.result.value

    @property
    def figure(self) -> float | bool | None:
        """The value that versions are ranked by: of several models' estimates the advised one."""
        return None if self.result is None else self.result.advised_value

    def shown_text(self, share: Callable[[float, int], str] = percent) -> str:
        """What readers see first, for display; `Metric.shown` is what it is."""
        quantity = self.metric.known_quantity
        if quantity is None or self.result is None:
            shown = self.metric.measure_text(self.shown, share)
            about = "" if self.attack is None else self.attack.about
            return text("attack.of_attribute", success=shown, column=about) if about else shown
        return quantity.write(self.result)

    @property
    def shown(self) -> float | bool | None:
        """The value that stands for the metric beside no limit: of an attack that of `RatedAttack.shown`."""
        return self.figure if self.attack is None else self.attack.shown

    @property
    def attributes(self) -> dict[str, float | None]:
        """The figure of each attribute alone."""
        return {} if self.result is None else dict(self.result.attributes)

    @property
    def details(self) -> dict[str, Any]:
        """Further figures by name."""
        return {} if self.result is None else self.result.details()

    @cached_property
    def not_checked(self) -> str | None:
        """Why no limit applies to the value although there is one, such as changed cells that count as unchanged."""
        if self.result is None:
            return None
        if self.result.not_generalized:
            return perturbed_columns(self.result.not_generalized)
        if self.result.misread:
            return misread_columns(self.result.misread)
        return self.result.not_advised or None

    @property
    def attack(self) -> RatedAttack | None:
        """The result, if it is an attack whose value is a success rate."""
        return self.result if isinstance(self.result, RatedAttack) else None

    @property
    def attack_rows(self) -> tuple[AttackRow, ...]:
        """The rows in the table of attacks; empty where it is no attack, or there is no result."""
        return () if self.result is None else self.result.attack_rows(self.metric.title)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds that hold the true value with 95% confidence, where the figure is an estimate and they are known."""
        return None if self.result is None else self.result.interval

    @cached_property
    def is_reliable(self) -> bool:
        """Whether the value can be said as a share: it is not one of too few trials."""
        return self.result is None or self.result.is_reliable

    def is_bound(self, *, perturbed: bool) -> bool:
        """Whether the table can be worse than the value says.

        It can where perturbed values count as unchanged, where guessing or another attacker succeeds more often, and
        after too few trials.

        Parameters
        ----------
        perturbed : bool
            Whether some quasi-identifier is perturbed: an attack that ignores it may then succeed more often, also than
            one that never succeeds.

        Returns
        -------
        bool
            False where there is no value.
        """
        if self.result is None or self.value is None:
            return False
        if self.not_checked is not None or not self.is_reliable or self.result.understates_risk:
            return True
        worst = self.metric.minimum if self.metric.direction is Direction.HIGHER else self.metric.maximum
        return perturbed and self.metric.family is Family.ATTACKS and self.value != worst

    def summary(self) -> str:
        """The finding, or why there is none."""
        return f"Unavailable: {self.unavailable}." if self.result is None else self.result.summary()

    def brief(self) -> str:
        """The finding in one sentence, or why there is none."""
        return first_sentence(self.summary() if self.attack is None else f"{self.attack.in_short}.")

    def to_dict(self) -> dict[str, Any]:
        """The form of `score --json`."""
        value = finite(self.value)
        return {
            "value": value,
            "unavailable": finite(self.summary() if value is None and self.result is not None else self.unavailable),
            "attributes": finite(self.attributes),
            "details": finite(self.details),
        }

    def __repr__(self) -> str:
        return f"{self.metric.shown.title}: {self.shown_text()}"

    def _repr_html_(self) -> str:
        metric = self.metric
        rows: list[tuple[str, Cell]] = [("Value", metric.measure_text(self.figure)), ("Finding", self.summary())]
        if self.interval is not None:
            rows.append(("95% interval", " to ".join(map(metric.measure_text, self.interval))))
        rows += [("Range", metric.range), ("Direction", str(metric.direction)), ("Meaning", metric.meaning)]
        rows += [(f"{name} alone", metric.measure_text(figure)) for name, figure in self.attributes.items()]
        return html_table(metric.title, (), rows)


def score_metric(
    metric: Metric,
    aggregates: Aggregates,
    parameters: Parameters,
    listed: Mapping[Aggregates, Aggregates] | None = None,
) -> Score:
    """One metric's result, or why it is unavailable.

    Measures of loss are of the records that are compared with the original's, all others of every anonymized record.
    Where there are too many classes to hold, `listed` gives the worst of either, by the aggregates of all.
    """
    checkpoint()
    try:
        counted = aggregates_for(metric, aggregates)
        if listed is not None and metric.examine is not None:
            counted = listed[counted]
        result = metric.compute(counted, parameters)
    except Unavailable as reason:
        return Score(metric, None, str(reason))
    return Score(metric, result, None)


def finite(value: Any) -> Any:
    """A value as JSON holds it: numbers that are not finite become None, texts lose isolates, in containers too."""
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if isinstance(value, np.generic):
        return finite(value.item())
    if isinstance(value, str):
        return without_isolates(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

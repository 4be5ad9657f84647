"""β-likeness: how much more frequent a sensitive value is in a class than in the table, relative to the latter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from metrics.counting.histograms import Histogram
from metrics.errors import Unavailable
from metrics.formatting import join_names
from metrics.metric import Direction, Family, Metric, PerClass
from metrics.privacy.beta_likeness import working
from metrics.privacy.classes.worst_class import MeasuredClasses, WorstClassResult, measure_sensitive
from metrics.tables.table import Floats
from metrics.texts import text

_REFERENCE = (
    "J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012, doi "
    "10.14778/2350229.2350255"
)


@dataclass(frozen=True, eq=False)
class BetaLikeness(WorstClassResult):
    """`value` is the smallest beta that holds: the largest relative gain of a sensitive value in a class."""

    enhanced: bool = False
    """Whether the gain was also limited by the value's rarity."""

    def summary(self) -> str:
        if self.enhanced:
            return self._enhanced_finding()
        if self.value == 0:
            return text("basic_beta_likeness.equal", group=self.measured.group)
        return text(
            "basic_beta_likeness.gain", column=self.worst_attribute, times=1 + self.value, group=self.measured.group
        )

    def _enhanced_finding(self) -> str:
        if self.value == 0:
            return text("enhanced_beta_likeness.equal", group=self.measured.group)
        return text(
            "enhanced_beta_likeness.gain", column=self.worst_attribute, times=1 + self.value, group=self.measured.group
        )


def _gains(histogram: Histogram) -> Floats:
    """(p_s - q_s) / q_s of each cell; the whole-numbered difference keeps equal shares at exactly 0."""
    expected = histogram.totals[histogram.code] * histogram.size_of_cell
    gains: Floats = (histogram.count * histogram.kept - expected) / expected
    return gains


def largest_gain(histogram: Histogram) -> Floats:
    """The largest (p_s - q_s) / q_s of each class: 0 upwards, 0 where a class is as the whole table."""
    gain: Floats = np.maximum.reduceat(_gains(histogram), histogram.starts)
    return gain


def limited_gain(histogram: Histogram) -> Floats:
    """Return `largest_gain`, but infinite where a value of the class gains more than -ln q_s: then no beta holds."""
    gains = _gains(histogram)
    with np.errstate(divide="ignore"):
        rarity = np.log(histogram.kept / histogram.totals)
    limited = np.where(gains <= rarity[histogram.code], gains, np.inf)
    gain: Floats = np.maximum.reduceat(limited, histogram.starts)
    return gain


def basic_beta_likeness(measured: MeasuredClasses) -> BetaLikeness:
    r"""Basic β-likeness, :math:`\beta = \max_{E,S,s} (p_s - q_s) / q_s`: 0 upwards, lower is better.

    The smallest β that is satisfied.
    Source: J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012, doi
    10.14778/2350229.2350255.
    """
    return BetaLikeness(measured)


def enhanced_beta_likeness(measured: MeasuredClasses) -> BetaLikeness:
    r"""Enhanced β-likeness, where a value may gain at most :math:`\min(\beta, -\ln q_s)`: 0 upwards, lower is better.

    The smallest β that is satisfied. Raises Unavailable if a value gains more than −ln q, so that no β is defined.
    Source: J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012, doi
    10.14778/2350229.2350255.
    """
    beyond = {name: number for name, number in measured.totals.failing.items() if number}
    if beyond:
        by_column = [
            text("enhanced_beta_likeness.unavailable.where", classes=number, column=name)
            for name, number in sorted(beyond.items())
        ]
        raise Unavailable(text("enhanced_beta_likeness.unavailable.over_represented", where=join_names(by_column)))
    return BetaLikeness(measured, enhanced=True)


_by_gain = partial(measure_sensitive, figures_of=largest_gain, largest=True)
_by_limited_gain = partial(measure_sensitive, figures_of=limited_gain, largest=True, fails=np.isinf)
BASIC_BETA_LIKENESS = Metric(
    id="basic_beta_likeness",
    family=Family.PRIVACY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\beta = \max_{E,S,s} \frac{p_s - q_s}{q_s}",
    reference=_REFERENCE,
    compute=lambda aggregates, parameters: basic_beta_likeness(aggregates.examined(_by_gain, parameters)),
    examine=_by_gain,
    settings=("sensitive",),
    working=working.BASIC_BETA_LIKENESS,
    per_class=PerClass("beta"),
)
ENHANCED_BETA_LIKENESS = Metric(
    id="enhanced_beta_likeness",
    family=Family.PRIVACY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\beta = \max_{E,S,s} \frac{p_s - q_s}{q_s},\quad \frac{p_s - q_s}{q_s} \le -\ln q_s",
    reference=_REFERENCE,
    compute=lambda aggregates, parameters: enhanced_beta_likeness(aggregates.examined(_by_limited_gain, parameters)),
    examine=_by_limited_gain,
    settings=("sensitive",),
    working=working.ENHANCED_BETA_LIKENESS,
    per_class=PerClass("enhanced_beta"),
)

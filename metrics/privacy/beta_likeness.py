"""β-likeness: how much more frequent a sensitive value is in a class than in the table, relative to the latter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.classes import Histogram
from metrics.privacy.judgement import Judged, Judgement, judge_sensitive
from metrics.specification import ByClass, Direction, Family, Metric, Unavailable
from metrics.table import Floats
from metrics.wording import counted, listed, visible

_REFERENCE = "J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012"
_DOI = "10.14778/2350229.2350255"


@dataclass(frozen=True, eq=False)
class BetaLikeness(Judged):
    """`value` is the smallest beta that holds: the largest relative gain of a sensitive value in a class."""

    measure: str
    """ "beta", or "enhanced_beta" where the gain was limited by the value's rarity, too."""

    def in_words(self) -> str:
        """The finding."""
        name = visible(self.worst_attribute)
        group = self.judgement.group
        if self.value == 0:
            return f"No sensitive value is more frequent in a {group} than in the whole table (β = 0)."
        rarity = "" if self.measure == "beta" else ", which its rarity allows"
        return (
            f"A value of {name} is up to {1 + self.value:.3g} times as frequent in a {group} as in the whole table"
            f"{rarity} (β = {self.value:.3g})."
        )


def _gains(histogram: Histogram) -> Floats:
    """(p_s - q_s) / q_s of each cell; the whole-numbered difference keeps what does not differ at exactly 0."""
    expected = histogram.totals[histogram.code] * histogram.size_of_cell
    gains: Floats = (histogram.count * histogram.kept - expected) / expected
    return gains


def largest_gain(histogram: Histogram) -> Floats:
    """The largest (p_s - q_s) / q_s of each class: 0 upwards, 0 where a class is as the whole table."""
    gain: Floats = np.maximum.reduceat(_gains(histogram), histogram.starts)
    return gain


def limited_gain(histogram: Histogram) -> Floats:
    """The same, but infinite where a value of the class gains more than -ln q_s: no beta holds for the class then."""
    gains = _gains(histogram)
    with np.errstate(divide="ignore"):
        rarity = np.log(histogram.kept / histogram.totals)
    allowed = np.where(gains <= rarity[histogram.code], gains, np.inf)
    gain: Floats = np.maximum.reduceat(allowed, histogram.starts)
    return gain


def basic_beta_likeness(judgement: Judgement) -> BetaLikeness:
    """The smallest beta for which basic beta-likeness holds: 0 upwards, lower is better.

    Takes what was judged by `largest_gain`.

    Source: J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012,
    doi 10.14778/2350229.2350255.
    """
    return BetaLikeness(judgement, "beta")


def enhanced_beta_likeness(judgement: Judgement) -> BetaLikeness:
    """The smallest beta for which every value gains at most min(beta, -ln q_s): 0 upwards, lower is better.

    Takes what was judged by `limited_gain`, infinite gains failing. Raises Unavailable where no beta holds. Source: as
    above.
    """
    beyond = {name: number for name, number in judgement.totals.failing.items() if number}
    if beyond:
        found = [
            f"{counted(number, 'class', 'classes')} for {visible(name)}" for name, number in sorted(beyond.items())
        ]
        where = listed(found)
        raise Unavailable(f"no β holds: a value gains more than its rarity −ln q allows in {where}")
    return BetaLikeness(judgement, "enhanced_beta")


_BASIC = ByClass(
    lambda evidence, parameters: judge_sensitive(evidence, parameters, largest_gain, largest=True),
    lambda judged, evidence, parameters: basic_beta_likeness(judged),
)
_ENHANCED = ByClass(
    lambda evidence, parameters: judge_sensitive(evidence, parameters, limited_gain, largest=True, fails=np.isinf),
    lambda judged, evidence, parameters: enhanced_beta_likeness(judged),
)
BASIC_BETA_LIKENESS = Metric(
    id="basic_beta_likeness",
    title="Basic β-likeness",
    family=Family.PRIVACY,
    unit="relative gain",
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    meaning="How much more frequent a sensitive value is in a class than in the whole table, relative to the latter.",
    good="Small; 1 lets no value become more than twice as frequent as in the whole table.",
    formula=r"\beta = \max_{E,S,s} \frac{p_s - q_s}{q_s}",
    reference=_REFERENCE,
    doi=_DOI,
    compute=_BASIC.compute,
    by_class=_BASIC,
)
ENHANCED_BETA_LIKENESS = Metric(
    id="enhanced_beta_likeness",
    title="Enhanced β-likeness",
    family=Family.PRIVACY,
    unit="relative gain",
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    meaning="The same gain, where a frequent value may gain less: at most −ln of its share. Else no β holds.",
    good="Small; that there is one at all already bounds what frequent values may gain.",
    formula=r"\beta = \max_{E,S,s} \frac{p_s - q_s}{q_s},\quad \frac{p_s - q_s}{q_s} \le -\ln q_s",
    reference=_REFERENCE,
    doi=_DOI,
    compute=_ENHANCED.compute,
    by_class=_ENHANCED,
)

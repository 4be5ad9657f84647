"""δ-disclosure privacy: how far the frequency of a sensitive value in a class is from the table's, in doublings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.classes import Histogram
from metrics.privacy.judgement import Judged, Judgement, judge_sensitive
from metrics.specification import ByClass, Direction, Family, Metric
from metrics.table import Floats
from metrics.wording import visible


@dataclass(frozen=True, eq=False)
class DeltaDisclosure(Judged):
    """`value` is delta: every larger one holds, as the definition asks for less than delta."""

    measure: str = "delta"

    def in_words(self) -> str:
        """The finding."""
        name = visible(self.worst_attribute)
        group = self.judgement.group
        if self.value == 0:
            return f"Every sensitive value in a {group} is as frequent there as in the whole table (δ = 0)."
        return (
            f"A value of {name} is up to {2**self.value:.3g} times as frequent, or as rare, in a {group} as in the "
            f"whole table (δ = {self.value:.3g})."
        )


def largest_log_ratio(histogram: Histogram) -> Floats:
    """The largest |log2(p_s / q_s)| of each class, over the values it holds: 0 upwards."""
    expected = histogram.totals[histogram.code] * histogram.size_of_cell
    ratios = np.abs(np.log2(histogram.count * histogram.kept / expected))
    largest: Floats = np.maximum.reduceat(ratios, histogram.starts)
    return largest


def delta_disclosure(judgement: Judgement) -> DeltaDisclosure:
    """The largest |log2(p_s / q_s)| over classes and attributes: 0 upwards, lower is better.

    Takes what was judged by `largest_log_ratio`; values that a class does not hold are left out.

    Source: J. Brickell, V. Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data
    publishing", KDD 2008, doi 10.1145/1401890.1401904.
    """
    return DeltaDisclosure(judgement)


_BY_CLASS = ByClass(
    lambda evidence, parameters: judge_sensitive(evidence, parameters, largest_log_ratio, largest=True),
    lambda judged, evidence, parameters: delta_disclosure(judged),
)
DELTA_DISCLOSURE = Metric(
    id="delta_disclosure",
    title="δ-disclosure",
    family=Family.PRIVACY,
    unit="bits",
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    meaning="How far the share of a value in a class is from its share in the whole table, counted in doublings.",
    good="Small; 1 lets every value of a class be at most twice as frequent or as rare as in the whole table.",
    formula=r"\delta = \max_{E,S,s:\,p_s > 0} \left| \log_2 \frac{p_s}{q_s} \right|",
    reference="J. Brickell, V. Shmatikov, The cost of privacy: destruction of data-mining utility, KDD 2008",
    doi="10.1145/1401890.1401904",
    compute=_BY_CLASS.compute,
    by_class=_BY_CLASS,
)

"""δ-disclosure privacy: how far the frequency of a sensitive value in a class is from the table's, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.histograms import Histogram
from metrics.metric import Direction, Family, Metric, PerClass
from metrics.privacy.classes.worst_class import MeasuredClasses, WorstClassResult, measure_sensitive
from metrics.privacy.delta_disclosure import working
from metrics.tables.table import Floats
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class DeltaDisclosure(WorstClassResult):
    """`value` is delta: every larger one holds, as the definition asks for less than delta."""

    lacks_values: bool = False
    """Whether a class lacks a value of the table; such values are left out, however telling they are."""

    @property
    def understates_risk(self) -> bool:
        """Whether the value makes the table look better than it is."""
        return self.lacks_values

    def summary(self) -> str:
        group = self.measured.group
        if self.value == 0:
            return text("delta_disclosure.equal", group=group)
        return text(
            "delta_disclosure.deviation",
            column=self.worst_attribute,
            group=group,
            times=2**self.value,
            value=self.value,
            lacking=text("delta_disclosure.lacking") if self.lacks_values else "",
        )


def largest_log_ratio(histogram: Histogram) -> Floats:
    """The largest |log2(p_s / q_s)| of each class, over the values it holds: 0 upwards."""
    expected = histogram.totals[histogram.code] * histogram.size_of_cell
    ratios = np.abs(np.log2(histogram.count * histogram.kept / expected))
    largest: Floats = np.maximum.reduceat(ratios, histogram.starts)
    return largest


def delta_disclosure(measured: MeasuredClasses, lacks_values: bool = False) -> DeltaDisclosure:
    r"""δ-disclosure, :math:`\delta = \max_{E,S,s: p_s > 0} |\log_2 (p_s / q_s)|`: 0 upwards, lower is better.

    `measured`: the figures of `largest_log_ratio`; values that do not occur in a class are left out.
    Source: J. Brickell, V. Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data
    publishing", KDD 2008, doi 10.1145/1401890.1401904.
    """
    return DeltaDisclosure(measured, lacks_values)


def _lacks_values(aggregates: Aggregates) -> bool:
    if aggregates.is_partitioned:
        return False
    histograms = [aggregates.histogram(name) for name in aggregates.roles.sensitive]
    return any(
        len(histogram.code) < len(histogram.starts) * np.count_nonzero(histogram.totals) for histogram in histograms
    )


_examine = partial(measure_sensitive, figures_of=largest_log_ratio, largest=True)


def _compute(aggregates: Aggregates, parameters: Parameters) -> DeltaDisclosure:
    return delta_disclosure(aggregates.examined(_examine, parameters), _lacks_values(aggregates.whole))


DELTA_DISCLOSURE = Metric(
    id="delta_disclosure",
    family=Family.PRIVACY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\delta = \max_{E,S,s:\,p_s > 0} \left| \log_2 \frac{p_s}{q_s} \right|",
    reference="J. Brickell, V. Shmatikov, The cost of privacy: destruction of data-mining utility, KDD 2008, doi "
    "10.1145/1401890.1401904",
    compute=_compute,
    examine=_examine,
    settings=("sensitive",),
    working=working.WORKING,
    per_class=PerClass("delta"),
)
